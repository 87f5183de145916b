package follow

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// Stream follows an execution as it happens. For queues, bags, sets, registers and
// locks it notices a violation at the very event with which the shortest violating
// prefix ends, and keeps only the values that are in, those that a running operation
// may still have seen, and the operations that run.
//
// For stacks, priority queues, and queues at whose front something looks, it keeps
// what happened since the last moment at which nothing was in, and an eighth more,
// and notices a violation by the time that this has grown by an eighth, or with
// Finish.
//
// A value that was removed is forgotten: if it is added again it is a new one. A
// Stream is for one goroutine.
type Stream struct {
	reader  *columns.Reader
	unclear error // of what cannot be told
	follow  Follower
	running map[string]running
	events  int
	ended   batch.Answer // not linearizable: the stream has ended so
	reason  string
	prefix  int
	exact   bool
}

// running is an operation that was called.
type running struct {
	history.Operation
	at int64 // what the follower wants to know again
}

// New follows the executions that a reader knows. The error unclear is that
// of an execution that cannot be decided.
func New(r *columns.Reader, f Follower, unclear error) *Stream {
	return &Stream{reader: r, follow: f, unclear: unclear, running: map[string]running{}}
}

// Call says that operation id is called. Ids of operations that returned may be
// used again. The error is a *BadOperation, or an *OutsideClass if a value is
// added that is in, or has no priority; the call then counts for nothing.
func (s *Stream) Call(id, method string, args ...history.Value) error {
	o := running{Operation: history.Operation{ID: id, Call: s.events, Return: history.NoReturn}}
	o.Method, o.Args = method, args
	m := s.reader.Methods[method]
	if _, twice := s.running[id]; twice || m == nil || len(args) != m.Args {
		return &columns.BadOperation{Op: &o.Operation}
	}
	at := int64(0)
	if s.ended == batch.Linearizable {
		var why string
		if at, why = s.follow.called(calling{m.Open, m.Kind, o.asked()}); why != "" {
			return &columns.OutsideClass{Reason: fmt.Sprintf("[%s] %s %s", id, o.Label, why)}
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
		return s.ended == batch.Linearizable, &columns.BadOperation{Op: &o.Operation}
	}
	m := s.reader.Methods[o.Method]
	out := m.Answer(outcome, len(rets))
	if out == nil {
		return s.ended == batch.Linearizable, &columns.BadOperation{Op: &o.Operation}
	}
	x := returning{at: o.at, open: m.Open, did: out.Role, asked: o.asked()}
	v, ok := out.ValueOf(o.Args, rets)
	if !ok {
		return s.ended == batch.Linearizable, &columns.OutsideClass{Reason: fmt.Sprintf("[%s] %s speaks of two values", id, o.Label)}
	}
	x.val = v
	delete(s.running, id)
	s.events++
	if s.ended != batch.Linearizable {
		return false, nil
	}
	return s.end(s.follow.returned(x), fmt.Sprintf("[%s] %s", o.ID, o.Label))
}

// end takes note of an answer. found is the operation that returned.
func (s *Stream) end(a batch.Answer, found string) (ok bool, err error) {
	if s.ended = a; a == batch.Unclear {
		return false, s.unclear
	}
	if a == batch.Violating {
		s.reason = s.why(found)
		n, exact := s.follow.prefix()
		if s.prefix, s.exact = int(n), exact; n == 0 {
			s.prefix = s.events
		}
	}
	return a == batch.Linearizable, nil
}

// Finish decides what is still open, such as at the end of the execution: it
// answers like Return. More may happen after it.
func (s *Stream) Finish() (ok bool, err error) {
	switch s.ended {
	case batch.Violating:
		return false, nil
	case batch.Unclear:
		return false, s.unclear
	}
	a := s.follow.finish()
	if a == batch.Unclear {
		return false, s.unclear
	}
	return s.end(a, "an operation")
}

// why says what is wrong, as far as it is known: what was forgotten is not.
func (s *Stream) why(found string) string {
	r, values := s.follow.why()
	_, late := s.follow.(*segments)
	if late {
		found = "an operation found nothing" // nothing else has a rule that speaks of one
	}
	switch {
	case late && r == batch.NeverAdded:
		return string(values[0]) + " was found or taken out, and was not put in, or it was out again"
	case late:
		return batch.Sentence(r, values, found)
	case r == batch.Covered:
		return "an operation found nothing while some value was in at every moment"
	case r == batch.OutOfOrder:
		return string(values[0]) + " was in while a value that was put in after it was taken out"
	case len(values) == 0:
		return found + " cannot be explained by the values that are in"
	case r == batch.NeverAdded:
		return found + ": " + string(values[0]) + " was not put in, or it was out again"
	case r == batch.Zones && len(values) == 1:
		return found + " while " + string(values[0]) + " was in, or must have been"
	default:
		return batch.Sentence(r, values, found)
	}
}

// Events counts the events so far.
func (s *Stream) Events() int { return s.events }

// Prefix counts the events of the shortest violating prefix, after Return or
// Finish said no; 0 before. A shorter one may violate, too, if it is not exact,
// for what pending operations may do.
func (s *Stream) Prefix() (events int, exact bool) { return s.prefix, s.exact }

// Live counts what is kept: values, operations, and stretches of time. It
// grows with what is in and what runs, not with the number of events.
func (s *Stream) Live() int { return s.follow.live() }

// Holds reports whether a call that adds a value is seen beside what happened to
// that value before: that is so in a set as long as the value is kept.
func (s *Stream) Holds(args ...history.Value) bool {
	set, ok := s.follow.(*set)
	return ok && len(args) == 1 && set.values[args[0]] != nil
}

// Reason says in a sentence why Return said no; "" before.
func (s *Stream) Reason() string { return s.reason }
