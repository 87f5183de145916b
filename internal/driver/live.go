//go:build go1.21

package driver

import (
	"context"
	"fmt"
	"reflect"
)

// Live is one object of a Machine whose operations are called directly, by as
// many goroutines at once as the object allows.
type Live struct {
	m      *Machine
	object reflect.Value
}

// Results is what a call on a Live object returned.
type Results struct {
	Outcome int // index into the method's Outcomes
	Blocked bool

	// Values are those that the outcome carries, or else the results beside false or an
	// error, if they are not what always stands there.
	Values []reflect.Value

	// Typed, if it is not nil, has the texts of values that another answer had the text
	// of, with another type: int64(7). Those of others are empty.
	Typed []string

	// Unnamed: the error is none of those with names, as all others of the method are.
	// Text is what it says, in a line.
	Unnamed bool
	Text    string
}

// Live makes a new object. The error says why that failed; a panic of the
// constructor goes through.
func (m *Machine) Live() (*Live, error) {
	object, err := m.construct(&runner{m: m})
	if err != nil {
		return nil, fmt.Errorf("the constructor failed: %w", err)
	}
	return &Live{m, object}, nil
}

// Results are the types of a method's results that carry values.
func (m *Machine) Results(method int) []reflect.Type { return m.ops[method].rets }

// Params are the types of a method's parameters that carry values.
func (m *Machine) Params(method int) []reflect.Type { return m.ops[method].params }

// Object is the object that the operations get.
func (l *Live) Object() reflect.Value { return l.object }

// Call calls a method, by its index in the Machine's Methods, with values of
// the types that Params names. A panic of the method goes through.
func (l *Live) Call(ctx context.Context, method int, args []reflect.Value) Results {
	o := &l.m.ops[method]
	in := make([]reflect.Value, 1, 2+len(args))
	if o.context {
		in = append(in, reflect.ValueOf(ctx))
	}
	outs := o.call(l.object, append(in, args...))
	c := o.classify(outs)
	if c == blockedOutcome {
		return Results{Blocked: true}
	}
	r := Results{Outcome: int(c), Values: o.carried(c, outs)}
	if o.unusual(c, outs) >= 0 {
		r.Values = o.flat(outs, o.Beside(o.outcomes[c].class()))
	} else {
		r.Typed = l.m.typed(method, r.Values)
	}
	if o.outcomes[c].Unseen && o.outcomes[c].Name == outError {
		r.Unnamed, r.Text = true, textOf(outs[len(outs)-1].Interface().(error))
	}
	return r
}

// Accepts asks an acceptor.
func (l *Live) Accepts(c Claim) bool { return l.m.accept(l.object.Interface(), c) }
