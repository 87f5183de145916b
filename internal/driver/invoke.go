//go:build go1.21

package driver

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// PanicOutcome stands on the wire for "the call panicked". It comes without
// values, whatever the method's signature.
const PanicOutcome = 0xfe

// nilMap is what the runtime says of a map that nobody made.
const nilMap = "assignment to entry in nil map"

// called is how a call ended.
type called struct {
	outs     []reflect.Value
	panicked bool
	value    interface{} // of the panic
	where    string      // of a panic that is a runtime error
	exited   bool        // it ended its goroutine
	left     bool        // it waits for ever
}

// attempt calls an operation. A panic is a way to end; runtime.Goexit is not, and
// goes on.
func (o *op) attempt(object reflect.Value, in []reflect.Value) (c called) {
	returned := false
	defer func() {
		if returned {
			return
		}
		c = called{panicked: true, value: recover()}
		if _, ok := c.value.(runtime.Error); ok {
			c.where = panicSite()
		}
	}()
	fn, in := o.bound(object, in)
	c.outs = invokeAll(fn, in)
	returned = true
	return c
}

// invoke calls an operation and tells the outcome: an index into its outcomes,
// blockedOutcome or PanicOutcome. A panic leaves the object as it is. One that is
// a runtime error is an outcome, too, but mostly a mistake: the first is reported.
func (r *runner) invoke(o *op, object reflect.Value, in []reflect.Value) (outcome byte, outs []reflect.Value) {
	var c called
	if r.m.waits != nil && r.m.waits.apart {
		c = r.apart(o, object, in)
	} else {
		c = o.attempt(object, in)
	}
	switch {
	case c.exited:
		runtime.Goexit()
	case c.left, c.panicked && IsBlocked(c.value):
		r.left = c.left
		return blockedOutcome, nil
	case !c.panicked:
		return o.classify(c.outs), c.outs
	}
	if text := fmt.Sprint(c.value); strings.HasPrefix(text, "reflect: Call ") {
		panic(c.value) // ours, not the reference's
	}
	if c.where == "" {
		return PanicOutcome, nil
	}
	f := &Fault{Reason: Panics, Seq: r.seq, At: r.at, Detail: shorten(fmt.Sprint(c.value)), Where: c.where}
	if r.m.zero && strings.Contains(f.Detail, nilMap) {
		f.Detail += fmt.Sprintf("; %s is used by its zero value, for it has no constructor: write a func New() *%[1]s, or give --new", r.m.TypeName)
		r.fault = f
		return PanicOutcome, nil
	}
	if r.defect != nil {
		r.defect(f)
		r.defect = nil
	}
	return PanicOutcome, nil
}
