package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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
				v := &e.values[i]
				v.isText = v.isText || v.isUnknown()
				v.quoted = v.quoted || v.isStyled()
			}
			running[strings.Clone(e.key())] = call{e.pos.Line, strings.Clone(e.process)} // no parts of much text
		} else {
			for i := range e.values { // texts of the log stay texts
				v := &e.values[i]
				v.quoted = v.quoted || v.isStyled() || i > 0 && v.isText && tells(v.text)
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

// isStyled reports whether it is a text that another format, without quotes, has for a value with parts.
func (r *raw) isStyled() bool { return r.isText && wording.HasParts(r.text) }

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
