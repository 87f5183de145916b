package history

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Visitor takes the events of a log without an Execution in between. Methods are
// numbered as in Signature.Methods, operations from 0 in the order of their
// calls. The slices are used again. If it says no, that ends the visit.
type Visitor interface {
	Call(method int, args []string) bool
	Return(op int, outcome Outcome, rets []string) bool
}

// Visit hands the events of a text log to v, in a third of the time and a small
// part of the memory that ReadExecution takes. It is false if v says no, or if
// something in the log is wrong or merely unusual: then ReadExecution has to
// read the log, and tells what is wrong with it if something is.
func Visit(src string, sig Signature, v Visitor) bool {
	w := visit{resolver: newResolver(sig), v: v}
	object := false
	for at := 0; at < len(src); {
		next := w.line.read(src, at)
		if next-at > maxPlainLine {
			return false
		}
		if next < 0 {
			line := lineAt(src, at)
			if names := strings.Contains(line, "@object"); !skippable(line) || names && object {
				return false
			} else if names {
				object = true
			}
			next = at + len(line) + 1
		} else if !w.event() {
			return false
		}
		at = next
	}
	return true
}

// skippable tells whether a line says nothing, or only names the object.
func skippable(line string) bool {
	return len(line) <= maxPlainLine && (line == "" || line[0] == '#') && utf8.ValidString(line)
}

// visit is what must be known of the operations so far.
type visit struct {
	resolver
	v       Visitor
	ops     opIndex
	line    plainEvent
	methods []uint16 // by operation: 1 + its method, 0 if it returned
}

func (w *visit) event() bool {
	p := &w.line
	i, known := w.ops.get(p.op, p.number)
	if known == p.call {
		return false
	}
	if p.call {
		m := w.index(p.method)
		if m < 0 || m >= 1<<16-1 || w.sig.methods[m].Args != p.n {
			return false
		}
		w.ops.put(p.op, p.number, len(w.methods))
		w.methods = append(w.methods, uint16(m)+1)
		return w.v.Call(m, p.values[:p.n])
	}
	m := w.methods[i]
	if m == 0 {
		return false
	}
	w.methods[i] = 0
	outcome, named, ok := w.sig.methods[m-1].answer(Raw{Text: p.values[0]}, p.n)
	return ok && w.v.Return(i, outcome, p.values[named:p.n])
}

// VisitEvents is Visit for a log whose events come one by one. It reads them up
// to what is wrong or unusual.
func VisitEvents(events Events, sig Signature, v Visitor) bool {
	w := visit{resolver: newResolver(sig), v: v}
	var processes []string // by operation
	for {
		ev, err := events.Next()
		if err != nil {
			return err == io.EOF
		}
		if !w.line.take(&ev) {
			return false
		}
		if ev.Call {
			processes = append(processes, ev.Process)
		} else if i, ok := w.ops.get(ev.Op, w.line.number); ok && ev.Process != "" && processes[i] != "" && ev.Process != processes[i] {
			return false
		}
		if !w.event() {
			return false
		}
	}
}

// take makes a plain event of an event, if it is one: values in quotes are not,
// nor is what a return says beyond its values.
func (p *plainEvent) take(ev *Event) bool {
	values := ev.Args
	if !ev.Call {
		values = ev.Rets
	}
	if len(values) > maxPlain || !ev.Call && ev.Method != "" {
		return false
	}
	p.op, p.number, p.call, p.method, p.n = ev.Op, numberOf(ev.Op), ev.Call, ev.Method, len(values)
	for i, v := range values {
		if !ev.Call && v.Quoted {
			return false
		}
		p.values[i] = v.Text
	}
	return true
}

// ReadText reads a log into memory. If it is no text log by its first character,
// or cannot be read, ok is false, and rest is all of it.
func ReadText(r io.Reader) (src string, rest io.Reader, ok bool) {
	src, rest = readText(r)
	if rest == nil {
		return src, nil, true
	}
	return "", io.MultiReader(strings.NewReader(src), rest), false
}
