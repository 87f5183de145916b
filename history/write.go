package history

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// eventWriter writes a log event by event.
type eventWriter interface {
	// object names the object. It comes before the events, or between them.
	object(name string) error

	// event writes an event. It is an errNoPlace if the format has no place for it.
	event(e *event) error

	// close writes what is held back and, unless something is missing there, which
	// tail says in a clause, the end of the log.
	close(tail string) error
}

// errNoPlace is why a format cannot hold an event.
type errNoPlace struct{ msg string }

func (e errNoPlace) Error() string { return e.msg }

// Convert writes the calls and returns of the log in a format. Of the log it checks
// that operations return that were called, once: an operation that is called again
// after it returned it takes for a new one, so that no more is in memory than the
// operations that run. No format has a place for times:
// the order of the events is what counts. If the end of the log is missing, a text
// says so in a comment, and a binary log has none either. Only JSON Lines have a place
// for several objects. Errors of the log are a *ParseError.
func (r *Reader) Convert(ctx context.Context, w io.Writer, to Format) error {
	if err := r.ordered(); err != nil {
		return err
	}
	out := newWriter(w, to)
	var object string
	type call struct {
		line    int
		process string
	}
	running := map[string]call{} // by identifier
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := r.events.next()
		if name, _ := r.events.object(); name != object && (err == nil || err == io.EOF) {
			object = name
			if err := out.object(name); err != nil {
				return fmt.Errorf("history: %w", err)
			}
		}
		if err == io.EOF {
			return out.close(r.Tail())
		}
		if err != nil {
			return err
		}
		if e.written != "" {
			e.apart(func() (string, bool) { c, ok := running[e.key()]; return c.process, ok })
		}
		c, runs := running[e.key()]
		if err := e.fits(runs, c.line); err != nil && !e.call && e.time.text != "" {
			return notCalled(r.events, e, err)
		} else if err != nil {
			return err
		}
		if e.call {
			for i := range e.values { // arguments are known
				e.values[i].isText = e.values[i].isText || e.values[i].isUnknown()
			}
			running[strings.Clone(e.key())] = call{e.pos.Line, strings.Clone(e.process)} // no parts of much text
		} else {
			for i := range e.values { // texts of the log stay texts
				e.values[i].quoted = e.values[i].quoted || i > 0 && e.values[i].isText && tells(e.values[i].text)
			}
			delete(running, e.key())
		}
		if e.doubt {
			return e.errDoubt()
		}
		if err := out.event(e); errors.As(err, new(errNoPlace)) {
			return errorAt(e.pos, "%v", err)
		} else if err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
}

// WriteText writes the execution as a text log. Reading it again with a signature
// of its methods gives the same execution. It is an error if the format has no place
// for an identifier, a process or a method's name.
func WriteText(w io.Writer, e *Execution) error { return write(newWriter(w, Text), e) }

// WriteJSON writes the execution as JSON Lines, one event a line. Reading it again
// with a signature of its methods gives the same execution. Names that are not
// UTF-8 are an error.
func WriteJSON(w io.Writer, e *Execution) error {
	out := &jsonWriter{out: bufio.NewWriter(w)}
	if e.Object == "" {
		out.head("")
	}
	return write(out, e)
}

func write(out eventWriter, e *Execution) error {
	events, err := e.endpoints()
	if err == nil && e.Object != "" {
		err = out.object(e.Object)
	}
	unknown := e.Unknown
	for i := 0; err == nil && i <= len(events); i++ {
		for ; err == nil && len(unknown) > 0 && unknown[0][1] <= i; unknown = unknown[1:] {
			op := &e.Ops[unknown[0][0]]
			err = out.event(&event{op: op.ID, process: op.Process, values: []raw{{text: unknownValue}}})
		}
		if i == len(events) || err != nil {
			break
		}
		op := events[i].op
		ev := event{op: op.ID, call: events[i].call, method: op.Method, process: op.Process}
		if ev.call {
			ev.values = rawValues(op.Args)
		} else {
			ev.values = rawResult(op.Outcome, rawValues(op.Rets))
		}
		if err = out.event(&ev); errors.As(err, new(errNoPlace)) {
			err = fmt.Errorf("operation %q: %w", op.ID, err)
		}
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return out.close("")
}

// endpoint is the call or return of an operation.
type endpoint struct {
	op   *Operation
	call bool
}

// endpoints lists the calls and returns in their order.
func (e *Execution) endpoints() ([]endpoint, error) {
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

type textWriter struct {
	out *bufio.Writer
	oneObject
}

// oneObject is the object of a format that has no place for a second one.
type oneObject struct{ name string }

// take sees to it that an event is of the object, which named writes if the event is
// the first to say it.
func (o *oneObject) take(e *event, named func(string) error) error {
	switch {
	case e.object == "" || e.object == o.name:
		return nil
	case o.name != "":
		return errNoPlace{fmt.Sprintf("the log is of several objects, %q and here %q, for which only JSON Lines have a place", o.name, e.object)}
	}
	return named(e.object)
}

func (w *textWriter) object(name string) error {
	w.name = name
	if !oneWordLine(name) {
		return fmt.Errorf("object %q has no place in a text log", name)
	}
	_, err := fmt.Fprintf(w.out, "# @object %s\n", name)
	return err
}

func (w *textWriter) event(e *event) error {
	if err := w.take(e, w.object); err != nil {
		return err
	}
	id, err := e.idText()
	if err != nil {
		return err
	}
	if e.call && (!oneWordLine(e.method) || strings.ContainsAny(e.method, " \t(")) {
		return errNoPlace{fmt.Sprintf("method %q has no place in a text log", e.method)}
	}
	w.out.WriteByte('[') // an error comes again at the end
	w.out.WriteString(id)
	if e.call {
		w.out.WriteString("] call ")
		w.out.WriteString(e.method)
		if len(e.values) > 0 {
			w.out.WriteByte('(')
			w.values(e.values)
			w.out.WriteByte(')')
		}
	} else {
		w.out.WriteString("] return")
		if len(e.values) > 0 {
			w.out.WriteByte(' ')
			w.returned(e.values)
		}
	}
	return w.out.WriteByte('\n')
}

// idText is what stands in the brackets of a text log.
func (e *event) idText() (string, error) {
	id, tail := e.id(), "@"+e.process
	of := event{op: id}
	of.ofProcess()
	switch {
	case !oneWordLine(id) || strings.Contains(id, "]"):
		return "", errNoPlace{fmt.Sprintf("identifier %q has no place in a text log", id)}
	case of.process != "" && of.process == e.process: // as apart made it
		return id, nil
	case of.process != "":
		return "", errNoPlace{fmt.Sprintf("identifier %q has no place in a text log, where %q would be operation %s of process %s", id, id, of.op, of.process)}
	case e.process == "":
		return id, nil
	case !oneWordLine(e.process) || strings.Contains(tail, "]"):
		return "", errNoPlace{fmt.Sprintf("process %q has no place in a text log", e.process)}
	}
	of = event{op: id + tail}
	if of.ofProcess(); of.op != id {
		return "", errNoPlace{fmt.Sprintf("identifier %q of process %q has no place in a text log", id, e.process)}
	}
	return id + tail, nil
}

// tells reports whether a word may tell the outcome.
func tells(text string) bool { return isBool(text) || isNilWord(text) }

// returned writes returned values. The last, or the first and then alone, may be an error, whose message goes on to the end of the
// line; one that cannot is quoted.
func (w *textWriter) returned(vs []raw) {
	last := len(vs) - 1
	for i := last; i > 0; i-- { // those at the end might tell the outcome
		v := &vs[i]
		told := tells(v.text)
		if told && (v.isText || i == last && vs[0].outcome) || i == last && v.isText && wording.IsError(v.text) {
			v.quoted = true
		}
		if !told && !wording.IsError(v.text) {
			break
		}
	}
	if !vs[last].isError() {
		last = 0
	}
	if !vs[last].isError() {
		w.values(vs)
		return
	}
	if w.values(vs[:last]); last > 0 {
		w.out.WriteString(", ")
	}
	message := strings.TrimPrefix(vs[last].text, "error:")
	if last == len(vs)-1 && oneWordLine(vs[last].text) {
		w.out.WriteString(vs[last].text)
		return
	}
	w.out.WriteString("error: " + strconv.Quote(message))
}

// isError reports whether a value is an error with its text, and no text itself.
func (r *raw) isError() bool { return !r.quoted && strings.HasPrefix(r.text, "error:") }

func (w *textWriter) values(vs []raw) {
	for i, v := range vs {
		if i > 0 {
			w.out.WriteString(", ")
		}
		w.out.WriteString(v.String())
	}
}

func (w *textWriter) close(tail string) error { return closeLines(w.out, tail) }

// closeLines ends a log of lines.
func closeLines(out *bufio.Writer, tail string) error {
	if tail != "" {
		fmt.Fprintf(out, "# %s\n", tail)
	}
	return out.Flush()
}

// oneWordLine reports whether s survives on a line of text: it is not empty, is
// UTF-8, and has no line breaks and no blanks at its ends.
func oneWordLine(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsAny(s, "\r\n") && strings.TrimSpace(s) == s
}

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

// jsonValue is a value; one that is not UTF-8 is in an object.
func jsonValue(r raw) json.RawMessage {
	if r.isUnknown() {
		return json.RawMessage(`{"unknown":true}`)
	}
	if !utf8.ValidString(r.text) {
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
