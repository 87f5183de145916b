package monitor

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
)

// Stream follows an execution as it happens. It notices a violation at the very
// event with which the shortest violating prefix ends, and keeps only the values
// that are in, those that a running operation may still have seen, and the
// operations that run.
//
// A value that was removed is forgotten: if it is added again it is a new one. A
// Stream is for one goroutine.
type Stream struct {
	reader  *reader
	follow  follower
	running map[string]running
	events  int
	ended   answer // not linearizable: the stream has ended so
	reason  string
}

// running is an operation that was called.
type running struct {
	history.Operation
	at int64 // what the follower wants to know again
}

// Stream begins to follow an execution. The error is a *NotRecognized if that
// can only be done with the whole execution at hand, as for stacks.
func (m *Monitor) Stream() (*Stream, error) {
	if m.shape.online == nil || m.shape.name == "queue" && m.reader.does(present) {
		return nil, &NotRecognized{m.name, "executions of a " + m.shape.name + " are not followed event by event"}
	}
	return &Stream{reader: m.reader, follow: m.shape.online(), running: map[string]running{}}, nil
}

// Call says that operation id is called. Ids of operations that returned may be
// used again. The error is a *BadOperation, or an *OutsideClass if a value is
// added that is in; the call then counts for nothing.
func (s *Stream) Call(id, method string, args ...history.Value) error {
	o := running{Operation: history.Operation{ID: id, Call: s.events, Return: history.NoReturn}}
	o.Method, o.Args = method, args
	m := s.reader.methods[method]
	if _, twice := s.running[id]; twice || m == nil || len(args) != m.args {
		return &BadOperation{&o.Operation}
	}
	at := int64(0)
	if s.ended == linearizable {
		var ok bool
		if at, ok = s.follow.called(m.open, o.asked()); !ok {
			return &OutsideClass{Reason: fmt.Sprintf("[%s] %s adds a value that is in", id, o.Label)}
		}
	}
	s.running[id] = running{o.Operation, at}
	s.events++
	return nil
}

// asked is the argument, if there is one.
func (o *running) asked() (v history.Value) {
	if len(o.Args) > 0 {
		v = o.Args[0]
	}
	return v
}

// Return says that operation id returns. It is false if what happened so far is
// no execution of the type; then the stream has ended. The error is a
// *BadOperation, and the return then counts for nothing; or an *OutsideClass if
// it cannot be told, and then the stream has ended, too.
func (s *Stream) Return(id string, outcome history.Outcome, rets ...history.Value) (ok bool, err error) {
	o, called := s.running[id]
	o.ID, o.Return, o.Outcome, o.Rets = id, s.events, outcome, rets
	if !called {
		return s.ended == linearizable, &BadOperation{&o.Operation}
	}
	m := s.reader.methods[o.Method]
	out := m.outcome(&o.Operation)
	if out == nil {
		return s.ended == linearizable, &BadOperation{&o.Operation}
	}
	x := returning{at: o.at, open: m.open, did: out.role, asked: o.asked()}
	switch {
	case out.agree && o.Args[0] != o.Rets[0]:
		return s.ended == linearizable, &OutsideClass{Reason: fmt.Sprintf("[%s] %s speaks of two values", id, o.Label)}
	case out.role == empty:
	case out.fromIn:
		x.val = o.Args[0]
	default:
		x.val = o.Rets[0]
	}
	delete(s.running, id)
	s.events++
	if s.ended != linearizable {
		return false, nil
	}
	if s.ended = s.follow.returned(x); s.ended == unclear {
		return false, errUnclear()
	}
	if s.ended == violating {
		s.reason = s.why(&o)
	}
	return s.ended == linearizable, nil
}

// why says what is wrong, as far as it is known: what was forgotten is not.
func (s *Stream) why(o *running) string {
	found := fmt.Sprintf("[%s] %s", o.ID, o.Label)
	switch r, values := s.follow.why(); {
	case r == covered:
		return "an operation found nothing while some value was in at every moment"
	case r == outOfOrder:
		return string(values[0]) + " was in while a value that was put in after it was taken out"
	case len(values) == 0:
		return found + " cannot be explained by the values that are in"
	case r == neverAdded:
		return found + ": " + string(values[0]) + " was not put in, or it was out again"
	case r == zones && len(values) == 1:
		return found + " while " + string(values[0]) + " was in, or must have been"
	default:
		return sentence(r, values, found)
	}
}

// Events counts the events so far. After Return said no, these are the events
// of the shortest violating prefix.
func (s *Stream) Events() int { return s.events }

// Live counts what is kept: values, operations, and stretches of time. It
// grows with what is in and what runs, not with the number of events.
func (s *Stream) Live() int { return s.follow.live() }

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
