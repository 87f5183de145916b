package history

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// EventWriter writes a log event by event, in some format.
type EventWriter interface {
	// Object names the object. It comes before the events, or between them.
	Object(name string) error

	// Event writes an event. It is an error if the format has no place for it.
	Event(ev *Event) error

	// Close writes what is held back, and the end of the log.
	Close() error
}

// Copy writes events with a writer, and closes it. Of the log it checks that
// operations return that were called, once: an operation that is called again
// after it returned it takes for a new one, so that no more is in memory than
// the operations that run. Errors of the log are a *ParseError.
func Copy(w EventWriter, events Events) error {
	object := ""
	running := map[string]Pos{}
	for {
		ev, err := events.Next()
		if name := events.Object(); name != object && (err == nil || err == io.EOF) {
			object = name
			if err := w.Object(name); err != nil {
				return fmt.Errorf("history: %w", err)
			}
		}
		if err == io.EOF {
			return w.Close()
		}
		if err == nil {
			err = follow(running, &ev)
		}
		if err == nil && ev.doubt && !ev.passed {
			err = ev.errDoubt()
		}
		if err != nil {
			return err
		}
		if err := w.Event(&ev); err != nil {
			return notWritten(&ev, err)
		}
	}
}

// follow keeps track of the operations that run.
func follow(running map[string]Pos, ev *Event) error {
	called, runs := running[ev.Op]
	switch {
	case ev.Call && runs:
		return errorAt(ev.Pos, "operation %s is called twice; the first call is on line %d", ev.Op, called.Line)
	case ev.Call:
		running[ev.Op] = ev.Pos
	case !runs:
		return errorAt(ev.Pos, "operation %s returns, but it was not called, or returned before", ev.Op)
	default:
		delete(running, ev.Op)
	}
	return nil
}

// errNoPlace is why a format cannot hold an event.
type errNoPlace struct{ msg string }

func (e errNoPlace) Error() string { return e.msg }

func notWritten(ev *Event, err error) error {
	var e errNoPlace
	if errors.As(err, &e) {
		return errorAt(ev.Pos, "%s", e.msg)
	}
	return fmt.Errorf("history: %w", err)
}

// NewTextWriter writes a text log. Processes and times have no place there and
// are left out.
func NewTextWriter(w io.Writer) EventWriter { return &textWriter{bufio.NewWriter(w)} }

type textWriter struct{ out *bufio.Writer }

func (w *textWriter) Object(name string) error {
	if !oneWordLine(name) {
		return fmt.Errorf("object %q has no place in a text log", name)
	}
	_, err := fmt.Fprintf(w.out, "# @object %s\n", name)
	return err
}

func (w *textWriter) Event(ev *Event) error {
	if !oneWordLine(ev.Op) || strings.Contains(ev.Op, "]") {
		return errNoPlace{fmt.Sprintf("identifier %q has no place in a text log", ev.Op)}
	}
	if ev.Call && (!oneWordLine(ev.Method) || strings.ContainsAny(ev.Method, " \t(")) {
		return errNoPlace{fmt.Sprintf("method %q has no place in a text log", ev.Method)}
	}
	w.out.WriteByte('[') // an error comes again at the end
	w.out.WriteString(ev.Op)
	if ev.Call {
		w.out.WriteString("] call ")
		w.out.WriteString(ev.Method)
		if len(ev.Args) > 0 {
			w.out.WriteByte('(')
			w.raws(ev.Args)
			w.out.WriteByte(')')
		}
	} else {
		w.out.WriteString("] return")
		if len(ev.Rets) > 0 {
			w.out.WriteByte(' ')
			w.rets(ev.Rets)
		}
	}
	return w.out.WriteByte('\n')
}

// rets writes returned values. An error's message goes on to the end of the
// line; one that cannot is quoted, for what it says counts for nothing.
func (w *textWriter) rets(vs []Raw) {
	message, isError := strings.CutPrefix(vs[0].Text, "error:")
	switch {
	case vs[0].Quoted || !isError:
		w.raws(vs)
	case len(vs) == 1 && oneWordLine(vs[0].Text):
		w.out.WriteString(vs[0].Text)
	default:
		w.out.WriteString("error: " + strconv.Quote(message))
	}
}

func (w *textWriter) raws(vs []Raw) {
	for i, v := range vs {
		if i > 0 {
			w.out.WriteString(", ")
		}
		w.out.WriteString(v.String())
	}
}

func (w *textWriter) Close() error { return w.out.Flush() }

// NewJSONWriter writes JSON Lines, one event a line. Times are left out: the
// order of the lines is that of the events.
func NewJSONWriter(w io.Writer) EventWriter { return &jsonWriter{out: bufio.NewWriter(w)} }

type jsonWriter struct {
	out   *bufio.Writer
	line  bytes.Buffer
	began bool // the first line is written
}

// Object writes the name, on the first line together with the format.
func (w *jsonWriter) Object(name string) error {
	return w.write(jsonEvent{Object: name})
}

func (w *jsonWriter) Event(ev *Event) error {
	j, err := jsonEventOf(ev.Op, ev.Method, ev.Process, ev.Call)
	if err != nil {
		return errNoPlace{err.Error()}
	}
	j.Args = jsonValues(ev.Args)
	j.answer(ev.Rets)
	return w.write(j)
}

func (w *jsonWriter) write(ev jsonEvent) error {
	w.line.Reset()
	if !w.began {
		w.began = true
		head := jsonEvent{Format: Format, Object: ev.Object}
		if err := writeJSONLine(&w.line, head); err != nil || ev.Object != "" {
			return cmp.Or(err, w.flushLine())
		}
	}
	if err := writeJSONLine(&w.line, ev); err != nil {
		return err
	}
	return w.flushLine()
}

func (w *jsonWriter) flushLine() error {
	_, err := w.out.Write(w.line.Bytes())
	return err
}

func (w *jsonWriter) Close() error { return w.out.Flush() }

// RawResult is what a log says that a call returned. The first word is what an
// outcome is told from, so a value there that could name one is in quotes. It
// may change values.
func RawResult(o Outcome, values []Raw) []Raw {
	switch {
	case o == None:
		return values
	case o == Some:
		if len(values) > 0 {
			values[0].Quoted = couldName(values[0].Text)
		}
		return values
	case o == Nil:
		return append([]Raw{{Text: "-", Outcome: true}}, values...)
	}
	return append([]Raw{{Text: string(o), Outcome: true}}, values...)
}
