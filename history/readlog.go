package history

import "io"

// ReadExecution reads a whole log, text or JSON Lines, and resolves its events
// to labels of the signature's methods. Operations that do not return are
// pending. The first thing that does not fit is an error (*ParseError, unless
// r itself fails) and nothing after it is read. file is the log's name in
// errors.
func ReadExecution(r io.Reader, file string, sig Signature) (*Execution, error) {
	b := &builder{sig: sig, e: &Execution{}, ops: map[string]int{}}
	reader := NewReader(r, file)
	for {
		ev, err := reader.Next()
		if err == io.EOF {
			b.e.Object = reader.Object()
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
	sig Signature
	e   *Execution
	ops map[string]int // identifier to index
}

func (b *builder) add(ev *Event) error {
	i, known := b.ops[ev.Op]
	switch {
	case ev.Call && known:
		return errorAt(ev.Pos, "operation %s is called twice; the first call is on line %d", ev.Op, b.e.Ops[i].CallPos.Line)
	case !ev.Call && !known:
		return errorAt(ev.Pos, "operation %s returns, but it was not called", ev.Op)
	case ev.Call:
		return b.call(ev)
	default:
		return b.ret(ev, &b.e.Ops[i])
	}
}

func (b *builder) call(ev *Event) error {
	m, err := b.method(ev)
	if err != nil {
		return err
	}
	if len(ev.Args) != m.Args {
		return errorAt(ev.at(ev.valuesCol), "%s takes %s, not %d", m.Name, countArgs(m.Args), len(ev.Args))
	}
	b.ops[ev.Op] = len(b.e.Ops)
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
	m, _ := b.sig.Method(op.Method)
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
	m, ok := b.sig.Method(ev.Method)
	if !ok {
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
