package history

// Live resolves the events of a log one by one, to operations with the labels of
// a signature's methods, and remembers no more than the operations that run. So
// an identifier that is used again, after its operation returned, names a new
// operation; ReadExecution refuses that.
type Live struct {
	resolver
	source  Events
	running map[string]*Operation
	events  int
}

// NewLive begins to follow a log.
func NewLive(events Events, sig Signature) *Live {
	return &Live{resolver: newResolver(sig), source: events, running: map[string]*Operation{}}
}

// Next is the operation that is called next or, if it is completed, returns
// next. The error is io.EOF after the last event; others are final, and those
// of ReadExecution.
func (l *Live) Next() (*Operation, error) {
	ev, err := l.source.Next()
	if err != nil {
		return nil, err
	}
	if err := l.follow(&ev); err != nil {
		return nil, err
	}
	op := l.running[ev.Op]
	if ev.Call {
		op.Call = l.events
	} else {
		op.Return = l.events
		delete(l.running, ev.Op)
	}
	l.events++
	return op, nil
}

func (l *Live) follow(ev *Event) error {
	op, runs := l.running[ev.Op]
	switch {
	case ev.Call && runs:
		return errorAt(ev.Pos, "operation %s is called twice; the first call is on line %d", ev.Op, op.CallPos.Line)
	case !ev.Call && !runs:
		return errorAt(ev.Pos, "operation %s returns, but it was not called, or returned before", ev.Op)
	case !ev.Call:
		return l.returned(ev, op)
	}
	called, err := l.called(ev)
	l.running[ev.Op] = &called
	return err
}

// Events counts the events so far.
func (l *Live) Events() int { return l.events }

// Object is the object's name as far as the log has said it, or "".
func (l *Live) Object() string { return l.source.Object() }
