package history

// resolver finds the labels of events.
type resolver struct {
	sig   Signature
	names []methodName // that occurred, up to fewNames
}

type methodName struct {
	name  string
	index int // of the method
}

// fewNames is how many names are looked through one by one.
const fewNames = 16

func newResolver(sig Signature) resolver { return resolver{sig: sig} }

// find finds a method by its name or an alias; nil if there is none.
func (r *resolver) find(name string) *MethodSig {
	if i := r.index(name); i >= 0 {
		return &r.sig.methods[i]
	}
	return nil
}

// index is the place of a method among those of the signature, or -1.
func (r *resolver) index(name string) int {
	for i := range r.names {
		if n := &r.names[i]; n.name == name {
			return n.index
		}
	}
	i, ok := r.sig.byName[name]
	if !ok {
		return -1
	}
	if len(r.names) < fewNames {
		r.names = append(r.names, methodName{name, i})
	}
	return i
}

func (r *resolver) method(ev *Event) (*MethodSig, error) {
	m := r.find(ev.Method)
	if m == nil {
		return nil, &ParseError{Pos: ev.at(ev.methodCol), Msg: r.sig.unknown(ev.Method), Method: ev.Method}
	}
	return m, nil
}

// called is the operation that an event calls; its Call is not set.
func (r *resolver) called(ev *Event) (Operation, error) {
	m, err := r.method(ev)
	if err != nil {
		return Operation{}, err
	}
	if len(ev.Args) != m.Args {
		return Operation{}, errorAt(ev.at(ev.valuesCol), "%s takes %s, not %d", m.Name, countArgs(m.Args), len(ev.Args))
	}
	return Operation{
		ID:      ev.Op,
		Process: ev.Process,
		Label:   Label{Kind: Kind{Method: m.Name}, Args: values(ev.Args)},
		Return:  NoReturn,
		CallPos: ev.Pos,
	}, nil
}

// returned says in an operation how it returned; its Return it does not set.
func (r *resolver) returned(ev *Event, op *Operation) error {
	if !sameProcess(ev.Process, op.Process) {
		return errorAt(ev.Pos, "process %s returns from operation %s, which process %s called", ev.Process, ev.Op, op.Process)
	}
	m := r.find(op.Method)
	if ev.Method != "" {
		again, err := r.method(ev)
		if err != nil {
			return err
		}
		if again != m {
			return errorAt(ev.at(ev.methodCol), "operation %s is a call of %s, not of %s", ev.Op, op.Method, again.Name)
		}
	}
	outcome, rets, err := m.Result(ev.Rets)
	if ev.isOld(m, err == nil) {
		return ev.errDoubt()
	}
	if err != nil {
		return errorAt(ev.at(ev.valuesCol), "%v", err)
	}
	op.Outcome, op.Rets, op.ReturnPos = outcome, rets, ev.Pos
	if op.Process == "" {
		op.Process = ev.Process
	}
	return nil
}

// sameProcess tells whether a process may have returned from what another one
// called, "" being unknown.
func sameProcess(a, b string) bool { return a == "" || b == "" || a == b }

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
