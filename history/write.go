package history

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteText writes the execution as a text log. Reading it again with a
// signature of its methods gives the same execution without processes, which
// the format has no place for. It is an error if the format has no place for
// an identifier or a method's name.
func WriteText(w io.Writer, e *Execution) error {
	return write(w, e, func(out *bytes.Buffer) error {
		if e.Object == "" {
			return nil
		}
		if !oneWordLine(e.Object) {
			return fmt.Errorf("object %q has no place in a text log", e.Object)
		}
		fmt.Fprintf(out, "# @object %s\n", e.Object)
		return nil
	}, textEvent)
}

// WriteJSON writes the execution as JSON Lines, one event a line. Reading it
// again with a signature of its methods gives the same execution. Names that
// are not UTF-8 are an error.
func WriteJSON(w io.Writer, e *Execution) error {
	return write(w, e, func(out *bytes.Buffer) error {
		return writeJSONLine(out, jsonEvent{Format: Format, Object: e.Object})
	}, func(out *bytes.Buffer, op *Operation, call bool) error {
		ev, err := jsonEventOf(op.ID, op.Method, op.Process, call)
		if err != nil {
			return err
		}
		if !call {
			ev.answer(rawResult(&op.Label))
		} else {
			ev.Args = jsonValues(rawValues(op.Args))
		}
		return writeJSONLine(out, ev)
	})
}

// write writes a head and then each event in order.
func write(w io.Writer, e *Execution, head func(*bytes.Buffer) error,
	event func(out *bytes.Buffer, op *Operation, call bool) error) error {
	events, err := e.events()
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	out := bufio.NewWriter(w)
	var line bytes.Buffer
	err = head(&line)
	for i := 0; err == nil && i < len(events); i++ {
		out.Write(line.Bytes()) // an error comes again from Flush
		line.Reset()
		if err = event(&line, events[i].op, events[i].call); err != nil {
			err = fmt.Errorf("operation %q: %w", events[i].op.ID, err)
		}
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	out.Write(line.Bytes())
	return out.Flush()
}

// endpoint is the call or return of an operation.
type endpoint struct {
	op   *Operation
	call bool
}

// events lists the calls and returns in their order.
func (e *Execution) events() ([]endpoint, error) {
	events := make([]endpoint, e.Events)
	place := func(at int, p endpoint) error {
		if at < 0 || at >= len(events) || events[at].op != nil {
			return fmt.Errorf("operation %q: event %d of %d is out of range or taken", p.op.ID, at, len(events))
		}
		events[at] = p
		return nil
	}
	for i := range e.Ops {
		op := &e.Ops[i]
		if err := place(op.Call, endpoint{op, true}); err != nil {
			return nil, err
		}
		if op.Completed() {
			if err := place(op.Return, endpoint{op, false}); err != nil {
				return nil, err
			}
		}
	}
	for i := range events {
		if events[i].op == nil {
			return nil, fmt.Errorf("event %d of %d belongs to no operation", i, len(events))
		}
	}
	return events, nil
}

func textEvent(out *bytes.Buffer, op *Operation, call bool) error {
	if !oneWordLine(op.ID) || strings.Contains(op.ID, "]") {
		return fmt.Errorf("the identifier has no place in a text log")
	}
	if !oneWordLine(op.Method) || strings.ContainsAny(op.Method, " \t(") {
		return fmt.Errorf("method %q has no place in a text log", op.Method)
	}
	fmt.Fprintf(out, "[%s] ", op.ID)
	if call {
		out.WriteString("call " + op.Method)
		if len(op.Args) > 0 {
			out.WriteString("(" + describeRaw(rawValues(op.Args)) + ")")
		}
	} else {
		out.WriteString("return")
		if rets := rawResult(&op.Label); len(rets) > 0 {
			out.WriteString(" " + describeRaw(rets))
		}
	}
	out.WriteByte('\n')
	return nil
}

// oneWordLine tells whether s survives on a line of text: it is not empty, is
// UTF-8, and has no line breaks and no blanks at its ends.
func oneWordLine(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsAny(s, "\r\n") && strings.TrimSpace(s) == s
}

func rawValues(vs []Value) []Raw {
	rs := make([]Raw, len(vs))
	for i, v := range vs {
		rs[i] = Raw{Text: string(v)}
	}
	return rs
}

// rawResult is the outcome and the returned values as a log has them.
func rawResult(l *Label) []Raw { return RawResult(l.Outcome, rawValues(l.Rets)) }

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
	Process json.RawMessage   `json:"process,omitempty"`
}

// jsonEventOf is an event without its values.
func jsonEventOf(id, method, process string, call bool) (jsonEvent, error) {
	if id == "" {
		return jsonEvent{}, fmt.Errorf("the identifier is empty")
	}
	for _, name := range []string{id, method, process} {
		if !utf8.ValidString(name) {
			return jsonEvent{}, fmt.Errorf("%q is not UTF-8", name)
		}
	}
	ev := jsonEvent{Op: jsonText(id), Event: "return"}
	if process != "" {
		ev.Process = jsonText(process)
	}
	if call {
		ev.Event, ev.Method = "call", method
	}
	return ev, nil
}

func jsonValues(vs []Raw) []json.RawMessage {
	var texts []json.RawMessage
	for _, v := range vs {
		texts = append(texts, jsonValue(v))
	}
	return texts
}

// answer sets what was returned. What a text log would have without quotes, and
// may name an outcome or not, is a word: it is read as there.
func (e *jsonEvent) answer(rets []Raw) {
	if len(rets) > 0 && (rets[0].Outcome || !rets[0].Quoted && couldName(rets[0].Text)) {
		first := rets[0]
		switch {
		case !first.Outcome && (first.Text == string(True) || first.Text == string(False)):
			e.Rets = append(e.Rets, json.RawMessage(first.Text))
		case !first.Outcome:
			e.Word = first.Text
		}
		if isNilWord(first.Text) {
			e.Outcome = string(Nil)
		} else if first.Outcome {
			e.Outcome = first.Text
		}
		rets = rets[1:]
	}
	e.Rets = append(e.Rets, jsonValues(rets)...)
}

// jsonValue is a value; one that is not UTF-8 is in an object.
func jsonValue(r Raw) json.RawMessage {
	if !utf8.ValidString(r.Text) {
		return json.RawMessage(`{"base64":"` + base64.StdEncoding.EncodeToString([]byte(r.Text)) + `"}`)
	}
	return jsonText(r.Text)
}

// jsonText is a number if s is one in JSON, else a string.
func jsonText(s string) json.RawMessage {
	var n json.Number
	if s != "" && strings.IndexByte("-0123456789", s[0]) >= 0 && json.Unmarshal([]byte(s), &n) == nil && n.String() == s {
		return json.RawMessage(s)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s) // a string and a buffer: cannot fail
	return bytes.TrimSpace(b.Bytes())
}

func writeJSONLine(out *bytes.Buffer, ev jsonEvent) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(ev)
}
