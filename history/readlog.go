package history

import (
	"io"
	"strings"
)

// ReadExecution reads a whole log, text or JSON Lines, and resolves its events
// to labels of the signature's methods. Operations that do not return are
// pending. The first thing that does not fit is an error (*ParseError, unless
// r itself fails) and nothing after it is read. file is the log's name in
// errors.
//
// Identifiers and values of a text log are parts of its text, which therefore
// stays in memory as long as they do.
func ReadExecution(r io.Reader, file string, sig Signature) (*Execution, error) {
	src, rest := readText(r)
	if rest == nil {
		if e, ok, err := readPlain(src, file, sig); ok {
			return e, err
		}
		rest = strings.NewReader("")
	}
	return Collect(NewReader(io.MultiReader(strings.NewReader(src), rest), file), sig)
}

// Events is where the events of a log come from, one by one.
type Events interface {
	// Next is the next event, or io.EOF after the last one. An error is final.
	Next() (Event, error)

	// Object is the object's name as far as the log has said it, or "".
	Object() string
}

// Collect makes an execution of events, with the labels of the signature's
// methods, as ReadExecution does.
func Collect(events Events, sig Signature) (*Execution, error) {
	b := newBuilder(sig)
	for {
		ev, err := events.Next()
		if err == io.EOF {
			b.e.Object = events.Object()
			return b.e, nil
		}
		if err == nil {
			err = b.add(&ev)
		}
		if err != nil {
			return nil, err
		}
	}
}

// builder collects an execution from events.
type builder struct {
	sig   Signature
	e     *Execution
	ops   opIndex
	names []methodName // all of sig, if they are few
	room  []Value      // spare, for the values of operations to come
}

type methodName struct {
	name string
	sig  *MethodSig
}

// fewNames is how many names are looked through one by one.
const fewNames = 16

func newBuilder(sig Signature) *builder {
	b := &builder{sig: sig, e: &Execution{}}
	if len(sig.byName) <= fewNames {
		for name, i := range sig.byName {
			b.names = append(b.names, methodName{name, &sig.methods[i]})
		}
	}
	return b
}

// find finds a method by its name or an alias; nil if there is none.
func (b *builder) find(name string) *MethodSig {
	for i := range b.names {
		if n := &b.names[i]; n.name == name {
			return n.sig
		}
	}
	m, _ := b.sig.Method(name)
	return m
}

func (b *builder) add(ev *Event) error {
	number := numberOf(ev.Op)
	i, known := b.ops.get(ev.Op, number)
	switch {
	case ev.Call && known:
		return errorAt(ev.Pos, "operation %s is called twice; the first call is on line %d", ev.Op, b.e.Ops[i].CallPos.Line)
	case !ev.Call && !known:
		return errorAt(ev.Pos, "operation %s returns, but it was not called", ev.Op)
	case ev.Call:
		return b.call(ev, number)
	default:
		return b.ret(ev, &b.e.Ops[i])
	}
}

func (b *builder) call(ev *Event, number int) error {
	m, err := b.method(ev)
	if err != nil {
		return err
	}
	if len(ev.Args) != m.Args {
		return errorAt(ev.at(ev.valuesCol), "%s takes %s, not %d", m.Name, countArgs(m.Args), len(ev.Args))
	}
	b.ops.put(ev.Op, number, len(b.e.Ops))
	b.e.Ops = append(b.e.Ops, Operation{
		ID:      ev.Op,
		Process: ev.Process,
		Label:   Label{Kind: Kind{Method: m.Name}, Args: values(ev.Args)},
		Call:    b.e.Events,
		Return:  NoReturn,
		CallPos: ev.Pos,
	})
	b.e.Events++
	return nil
}

func (b *builder) ret(ev *Event, op *Operation) error {
	if op.Completed() {
		return errorAt(ev.Pos, "operation %s returns a second time; the first return is on line %d", ev.Op, op.ReturnPos.Line)
	}
	if ev.Process != "" && op.Process != "" && ev.Process != op.Process {
		return errorAt(ev.Pos, "process %s returns from operation %s, which process %s called", ev.Process, ev.Op, op.Process)
	}
	m := b.find(op.Method)
	if ev.Method != "" {
		again, err := b.method(ev)
		if err != nil {
			return err
		}
		if again != m {
			return errorAt(ev.at(ev.methodCol), "operation %s is a call of %s, not of %s", ev.Op, op.Method, again.Name)
		}
	}
	outcome, rets, err := m.Result(ev.Rets)
	if err != nil {
		return errorAt(ev.at(ev.valuesCol), "%v", err)
	}
	op.Outcome, op.Rets = outcome, rets
	op.Return, op.ReturnPos = b.e.Events, ev.Pos
	if op.Process == "" {
		op.Process = ev.Process
	}
	b.e.Events++
	return nil
}

func (b *builder) method(ev *Event) (*MethodSig, error) {
	m := b.find(ev.Method)
	if m == nil {
		return nil, errorAt(ev.at(ev.methodCol), "%s", b.sig.unknown(ev.Method))
	}
	return m, nil
}

// at is a place on the event's line, or its start if col is 0.
func (ev *Event) at(col int) Pos {
	p := ev.Pos
	if col > 0 {
		p.Col = col
	}
	return p
}

func countArgs(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return itoa(n) + " arguments"
}
