package follow

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
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
	methods []method
	unclear error // of what cannot be told
	follow  Follower
	running wording.Map[running]
	free    []*running // to be used again
	events  int
	ended   batch.Answer // not linearizable: the stream has ended so
	reason  string
	prefix  int
	exact   bool
}

// method is a method by one of its names.
type method struct {
	name string
	*batch.Method
}

// running is an operation that was called.
type running struct {
	name   string // of the method
	method *batch.Method
	args   []history.Value
	call   int   // the event
	at     int64 // what the follower wants to know again
}

// operation is the operation for a message.
func (o *running) operation(id string) history.Operation {
	x := history.Operation{ID: id, Call: o.call, Return: history.NoReturn}
	x.Method, x.Args = o.name, o.args
	return x
}

// New follows the executions that a reader knows. The error unclear is that
// of an execution that cannot be decided.
func New(r *batch.Reader, f Follower, unclear error) *Stream {
	s := &Stream{follow: f, unclear: unclear}
	for name, m := range r.Methods {
		s.methods = append(s.methods, method{name, m})
	}
	return s
}

// method finds a method by its name; nil if there is none. There are few.
func (s *Stream) method(name string) *batch.Method {
	for i := range s.methods {
		if s.methods[i].name == name {
			return s.methods[i].Method
		}
	}
	return nil
}

// Call says that operation id is called. Ids of operations that returned may be
// used again. The error is a *BadOperation, or an *OutsideClass if a value is
// added that is in, or has no priority; the call then counts for nothing.
func (s *Stream) Call(id, method string, args ...history.Value) error {
	o := running{name: method, method: s.method(method), args: args, call: s.events}
	key := wording.KeyOf(id)
	if s.running.Get(key) != nil || o.method == nil || len(args) != o.method.Args {
		bad := o.operation(id)
		return &batch.BadOperation{Op: &bad}
	}
	if s.ended == batch.Linearizable {
		at, why := s.follow.called(calling{o.method.Open, o.method.Kind, o.asked()})
		if why != "" {
			return &batch.OutsideClass{Reason: fmt.Sprintf("[%s] %s %s", id, o.operation(id).Label, why)}
		}
		o.at = at
	}
	x := recycled(&s.free)
	*x = o
	s.running.Put(key.Own(), x)
	s.events++
	return nil
}

// asked is the argument, if there is one.
func (o *running) asked() (v history.Value) {
	if len(o.args) > 0 {
		v = o.args[0]
	}
	return v
}

// Return says that operation id returns. It is false if what happened so far is
// no execution of the type; then the stream has ended. The error is a
// *BadOperation, and the return then counts for nothing; or an *OutsideClass if
// it cannot be told, and then the stream has ended, too.
func (s *Stream) Return(id string, outcome history.Outcome, rets ...history.Value) (ok bool, err error) {
	key := wording.KeyOf(id)
	o := s.running.Get(key)
	if o == nil {
		o = &running{}
	}
	var out *batch.Outcome
	if o.method != nil {
		out = o.method.Answer(outcome, len(rets))
	}
	if out == nil {
		bad := s.completed(id, o, outcome, rets)
		return s.ended == batch.Linearizable, &batch.BadOperation{Op: &bad}
	}
	v, ok := out.ValueOf(o.args, rets)
	if !ok {
		label := s.completed(id, o, outcome, rets).Label
		return s.ended == batch.Linearizable, &batch.OutsideClass{Reason: fmt.Sprintf("[%s] %s speaks of two values", id, label)}
	}
	x := returning{at: o.at, open: o.method.Open, did: out.Role, asked: o.asked(), val: v}
	found := *o
	s.running.Delete(key)
	*o = running{}
	s.free = append(s.free, o)
	s.events++
	if s.ended != batch.Linearizable {
		return false, nil
	}
	a := s.follow.returned(x)
	if a == batch.Linearizable {
		return true, nil
	}
	return s.end(a, fmt.Sprintf("[%s] %s", id, s.completed(id, &found, outcome, rets).Label))
}

// completed is an operation that returns, for a message.
func (s *Stream) completed(id string, o *running, outcome history.Outcome, rets []history.Value) history.Operation {
	x := o.operation(id)
	x.Return, x.Outcome, x.Rets = s.events, outcome, rets
	return x
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
	return ok && len(args) == 1 && set.values.Get(wording.KeyOf(args[0])) != nil
}

// Reason says in a sentence why Return said no; "" before.
func (s *Stream) Reason() string { return s.reason }
