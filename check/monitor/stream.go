package monitor

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
)

// Stream follows an execution as it happens. It notices a violation at the very
// event with which the shortest violating prefix ends, and keeps only the values
// that are in and the operations that run.
//
// A value that was removed is forgotten: if it is added again it is a new one. A
// Stream is for one goroutine.
type Stream struct {
	reader  *reader
	queue   *online[history.Value]
	running map[string]running
	events  int
	ok      bool
	reason  string
}

// running is an operation that was called.
type running struct {
	history.Operation
	at int64 // of a remove: what online wants to know again
}

// Stream begins to follow an execution. The error is a *NotRecognized if that
// can only be done with the whole execution at hand, as for all shapes but
// queues.
func (m *Monitor) Stream() (*Stream, error) {
	if m.shape.name != "queue" {
		return nil, &NotRecognized{m.theory.Name, "executions of a " + m.shape.name + " are not followed event by event"}
	}
	for name, x := range m.reader.methods {
		if x.open == none {
			return nil, &NotRecognized{m.theory.Name, name + " only looks whether the queue is empty"}
		}
	}
	return &Stream{reader: m.reader, queue: newOnline[history.Value](), running: map[string]running{}, ok: true}, nil
}

// Call says that operation id is called. Ids of operations that returned may be
// used again. The error is a *BadOperation, or an *OutsideClass if a value is
// added that is in; the call then counts for nothing.
func (s *Stream) Call(id, method string, args ...history.Value) error {
	o := history.Operation{ID: id, Call: s.events, Return: history.NoReturn}
	o.Method, o.Args = method, args
	m := s.reader.methods[method]
	if _, twice := s.running[id]; twice || m == nil || len(args) != m.args {
		return &BadOperation{&o}
	}
	r := running{Operation: o}
	switch m.open {
	case maybeAdd:
		if s.queue.values[args[0]] != nil {
			return &OutsideClass{Reason: fmt.Sprintf("[%s] %s adds a value that is in", id, o.Label)}
		}
		s.queue.callAdd(args[0])
	case maybeRemove:
		r.at = s.queue.callRemove()
	}
	s.running[id] = r
	s.events++
	return nil
}

// Return says that operation id returns. It is false if what happened so far is
// no execution of the type; then the stream has ended. The error is a
// *BadOperation; the return then counts for nothing.
func (s *Stream) Return(id string, outcome history.Outcome, rets ...history.Value) (ok bool, err error) {
	r, called := s.running[id]
	o := r.Operation
	o.ID, o.Return, o.Outcome, o.Rets = id, s.events, outcome, rets
	if !called {
		return s.ok, &BadOperation{&o}
	}
	m := s.reader.methods[o.Method]
	out := m.outcome(&o)
	if out == nil {
		return s.ok, &BadOperation{&o}
	}
	delete(s.running, id)
	s.events++
	if s.ok {
		s.ok = s.returned(out, &o, r.at)
	}
	return s.ok, nil
}

func (s *Stream) returned(out *outcome, o *history.Operation, at int64) bool {
	switch {
	case out.role == add:
		s.queue.returnAdd(o.Args[0])
		return true
	case out.role == empty:
		return s.queue.returnEmpty(at)
	case out.fromIn:
		return s.queue.returnRemove(at, o.Args[0])
	}
	return s.queue.returnRemove(at, o.Rets[0])
}

// Events counts the events so far. After Return said no, these are the events
// of the shortest violating prefix.
func (s *Stream) Events() int { return s.events }

// Live counts what is kept: values, operations, and stretches of time.
func (s *Stream) Live() int { return s.queue.live() + len(s.running) }

// Lag counts the events since the call of the operation that has run longest: 0
// if none runs. Of what lies further back nothing is open but what is live.
func (s *Stream) Lag() int {
	oldest := s.events
	for _, r := range s.running {
		oldest = min(oldest, r.Call)
	}
	return s.events - oldest
}

// Reason says in a sentence why Return said no; "" before.
func (s *Stream) Reason() string { return s.reason }
