package history

import (
	"io"
	"strings"
)

// Visitor takes the events of a log without an Execution in between. Methods are
// numbered as in Signature.Methods, operations from 0 in the order of their
// calls. The slices are used again. If it says no, that ends the visit.
type Visitor interface {
	Call(method int, args []string) bool
	Return(op int, outcome Outcome, rets []string) bool
}

// Visit hands the events of a text or JSON Lines log to v, in less time than
// ReadExecution takes, a text log in a third of it, and in a small part of the
// memory. It is false if v says no, or if something in the log is wrong or merely
// unusual: then ReadExecution has to read the log, and tells what is wrong with it
// if something is.
func Visit(src string, sig Signature, v Visitor) bool {
	w := newVisit(sig, v)
	w.reserve(src)
	l := plainLog{src: src}
	take := func(e *plainLine) error {
		if e.odd != nil && !e.take(e.odd) || !w.event(&e.plainEvent) {
			return errUnusual
		}
		return nil
	}
	for l.at < len(src) {
		if l.next(take) != nil {
			return false
		}
		if l.rd.format == textFormat {
			w.quickly(&l)
		}
	}
	return l.release(take) == nil
}

// VisitEvents is Visit for a log whose events come one by one. It reads them up
// to what is wrong or unusual.
func VisitEvents(events Events, sig Signature, v Visitor) bool {
	w := newVisit(sig, v)
	var p plainEvent
	for {
		ev, err := events.Next()
		if err != nil {
			return err == io.EOF
		}
		if !p.take(&ev) || !w.event(&p) {
			return false
		}
	}
}

// visit is what must be known of the operations so far.
type visit struct {
	resolver
	v         Visitor
	ops       opIndex
	methods   []uint16 // by operation: 1 + its method, 0 if it returned
	processes []string // by operation, up to the last one that has any

	quick quickVisit
}

func newVisit(sig Signature, v Visitor) visit {
	return visit{resolver: newResolver(sig), v: v, quick: newQuickVisit(sig)}
}

func (w *visit) event(p *plainEvent) bool {
	i, known := w.ops.get(p.op, p.number)
	if known == p.call {
		return false
	}
	if p.call {
		return w.call(p)
	}
	m := int(w.methods[i]) - 1
	if m < 0 || p.method != "" && w.index(p.method) != m {
		return false
	}
	return !p.doubtful(&w.sig.methods[m]) && w.returns(i, m, p.process, p.first(), p.values[:p.n])
}

// returns takes the return of operation i, a call of method m; first is how the
// first value is meant.
func (w *visit) returns(i, m int, process string, first Raw, values []string) bool {
	if i < len(w.processes) && !sameProcess(process, w.processes[i]) {
		return false
	}
	w.methods[i] = 0
	outcome, named, ok := w.answer(m, first, len(values))
	return ok && w.v.Return(i, outcome, values[named:])
}

func (w *visit) call(p *plainEvent) bool {
	m := w.index(p.method)
	if m < 0 {
		return false
	}
	w.ops.put(p.op, p.number, len(w.methods))
	return w.calls(m, p.method, p.process, p.values[:p.n])
}

// calls takes a call of method m, by some name.
func (w *visit) calls(m int, name, process string, values []string) bool {
	if m >= 1<<16-1 || w.sig.methods[m].Args != len(values) || len(values) > maxPlain {
		return false
	}
	w.quick.learn(name, m)
	i := len(w.methods)
	w.methods = append(w.methods, uint16(m)+1)
	if process != "" {
		w.processes = append(w.processes, make([]string, i-len(w.processes))...)
		w.processes = append(w.processes, process)
	}
	return w.v.Call(m, values)
}

// take makes a plain event of an event, if it is one.
func (p *plainEvent) take(ev *Event) bool {
	values := ev.Args
	if !ev.Call {
		values = ev.Rets
	}
	if len(values) > maxPlain {
		return false
	}
	p.quoted, p.named, p.doubt = false, false, ev.doubt
	if len(ev.Rets) > 0 {
		p.quoted, p.named = ev.Rets[0].Quoted, ev.Rets[0].Outcome
	}
	p.op, p.number, p.call, p.method, p.process, p.n = ev.Op, numberOf(ev.Op), ev.Call, ev.Method, ev.Process, len(values)
	for i, v := range values {
		p.values[i] = v.Text
	}
	return true
}

// ReadText reads a log into memory. If it is neither text nor JSON Lines by its
// first character, longer than 2 GB, or cannot be read, ok is false, and rest is
// all of it.
func ReadText(r io.Reader) (src string, rest io.Reader, ok bool) {
	src, rest = readText(r)
	if rest == nil {
		return src, nil, true
	}
	return "", io.MultiReader(strings.NewReader(src), rest), false
}
