package history

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// jsonWriter writes JSON Lines. Times are left out: the order of the lines is that
// of the events.
type jsonWriter struct {
	out   *bufio.Writer
	began bool // the first line is written
	open  bool // it, or a later one, states openFormat
}

// jsonEvent is a line of a JSON Lines log.
type jsonEvent struct {
	Format  int               `json:"format,omitempty"`
	Object  string            `json:"object,omitempty"`
	Op      json.RawMessage   `json:"op,omitempty"`
	Event   string            `json:"event,omitempty"`
	Method  string            `json:"method,omitempty"`
	Args    []json.RawMessage `json:"args,omitempty"`
	Outcome string            `json:"outcome,omitempty"`
	Word    string            `json:"word,omitempty"`
	Rets    []json.RawMessage `json:"rets,omitempty"`
	Error   *string           `json:"error,omitempty"`
	Unknown bool              `json:"unknown,omitempty"`
	Process json.RawMessage   `json:"process,omitempty"`
}

// object writes the name, on the first line together with the format.
func (w *jsonWriter) object(name string) error {
	if !w.began {
		return w.head(name)
	}
	return w.write(jsonEvent{Object: name})
}

// head writes the first line.
func (w *jsonWriter) head(object string) error {
	w.began = true
	return w.write(jsonEvent{Format: jsonFormat, Object: object})
}

// opens states openFormat, if a return needs it and no line did.
func (w *jsonWriter) opens(j *jsonEvent, e *event) error {
	if w.open || e.call || j.Error == nil && !e.hasUnknown() {
		return nil
	}
	w.began, w.open = true, true
	return w.write(jsonEvent{Format: openFormat})
}

func (w *jsonWriter) event(e *event) error {
	id := e.id()
	if id == "" {
		return errNoPlace{"the identifier is empty"}
	}
	for _, name := range []string{id, e.method, e.process, e.object} {
		if !utf8.ValidString(name) {
			return errNoPlace{fmt.Sprintf("%q is not UTF-8", name)}
		}
	}
	j := jsonEvent{Op: jsonText(id), Event: "return", Object: e.object}
	if e.process != "" {
		j.Process = jsonText(e.process)
	}
	if e.call {
		j.Event, j.Method, j.Args = "call", e.method, jsonValues(e.values)
	} else {
		j.answer(e.values)
	}
	if err := w.opens(&j, e); err != nil {
		return err
	}
	if !w.began {
		if err := w.head(""); err != nil {
			return err
		}
	}
	return w.write(j)
}

func (w *jsonWriter) write(e jsonEvent) error {
	enc := json.NewEncoder(w.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(e)
}

func (w *jsonWriter) close(tail string) error { return closeLines(w.out, tail) }

// answer sets what was returned. What a text log would have without quotes, and
// may name an outcome or not, is a word: it is read as there.
//
// Behind others, the last value may be true, false, nil or an error that tells which answer they are.
func (e *jsonEvent) answer(rets []raw) {
	if len(rets) == 1 && rets[0].isUnknown() {
		e.Unknown = true
		return
	}
	if last := len(rets) - 1; last > 0 && !rets[last].quoted && !rets[last].isText && !rets[0].outcome {
		if text, is := errorOf(rets[last].text); is || isErrorName(rets[last].text) {
			if !is {
				text = rets[last].text
			}
			e.Error, rets = &text, rets[:last]
		}
	}
	n := len(rets)
	if n > 0 && e.Error != nil && !rets[0].isValue() && (rets[0].isNil() || isNilWord(rets[0].text)) { // no outcome
		e.Rets = append(append(e.Rets, json.RawMessage("null")), jsonResults(rets[1:])...)
		return
	}
	if n > 0 && (rets[0].outcome || !rets[0].quoted && couldName(rets[0].text)) {
		first := rets[0]
		switch {
		case !first.outcome && (first.text == string(True) || first.text == string(False)):
			e.Rets = append(e.Rets, json.RawMessage(first.text))
		case !first.outcome:
			e.Word = first.text
		}
		if isNilWord(first.text) {
			e.Outcome = string(Nil)
		} else if first.outcome {
			e.Outcome = first.text
		}
		rets = rets[1:]
	}
	if n < 2 {
		e.Rets = append(e.Rets, jsonValues(rets)...)
		return
	}
	e.Rets = append(e.Rets, jsonResults(rets)...)
}

// jsonResults are several results, of which true, false and nil may tell which answer they are.
func jsonResults(rets []raw) (all []json.RawMessage) {
	for _, r := range rets {
		switch {
		case r.isNil():
			all = append(all, json.RawMessage("null"))
		case !r.isValue() && (r.text == string(True) || r.text == string(False)):
			all = append(all, json.RawMessage(r.text))
		default:
			all = append(all, jsonValue(r))
		}
	}
	return all
}

// isNil reports whether it is nil, as Go writes it, and no text.
func (r *raw) isNil() bool {
	return !r.isValue() && (r.text == string(Nil) || r.text == "<nil>")
}

// errorOf is what an error says, of a text that stands for one.
func errorOf(s string) (text string, ok bool) {
	if s == string(Error) {
		return "", true
	}
	text, ok = strings.CutPrefix(s, "error: ")
	return text, ok && text != "" && strings.TrimSpace(text) == text
}

// isErrorName reports whether a text is the name of an error and no message: ErrClosed.
func isErrorName(s string) bool {
	return len(s) > 3 && wording.IsError(s) && wording.IsOutcomeName(s) && unicode.IsUpper(rune(s[3]))
}

func jsonValues(vs []raw) []json.RawMessage {
	var texts []json.RawMessage
	for _, v := range vs {
		texts = append(texts, jsonValue(v))
	}
	return texts
}

// jsonValue is a value; one that is not UTF-8, or may be taken for base64, is in an object.
func jsonValue(r raw) json.RawMessage {
	if r.isUnknown() {
		return json.RawMessage(`{"unknown":true}`)
	}
	if !utf8.ValidString(r.text) || strings.HasSuffix(r.text, "=") && isBase64(r.text) { // which strings may not be
		return json.RawMessage(`{"base64":"` + base64.StdEncoding.EncodeToString([]byte(r.text)) + `"}`)
	}
	return jsonText(r.text)
}

// jsonText is a number if s is one in JSON, else a string.
func jsonText(s string) json.RawMessage {
	if j := (cursor{line: s}); s != "" && j.skipNumber() && j.at == len(s) && !wording.IsUnusual(s) {
		return json.RawMessage(s)
	}
	return jsonOf(s)
}

// jsonOf is what JSON has for a value that came from there, or a string.
func jsonOf(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(v) // to a buffer: cannot fail
	return bytes.TrimSpace(b.Bytes())
}
