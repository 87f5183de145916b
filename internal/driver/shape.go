//go:build go1.21

package driver

import (
	"context"
	"fmt"
	"reflect"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Outcome classes that signatures allow; history.Outcome uses the same words.
const (
	outNone  = "none"
	outValue = "value"
	outNil   = "nil"
	outTrue  = "true"
	outFalse = "false"
	outError = "error"
	outPanic = "panic"
)

var (
	errorType   = reflect.TypeOf((*error)(nil)).Elem()
	contextType = reflect.TypeOf((*context.Context)(nil)).Elem()
)

// shape is how a signature is read: what is passed, and which outcome results
// belong to.
type shape struct {
	context  bool           // the first parameter is a context.Context
	params   []reflect.Type // the parameters that carry values
	rets     []reflect.Type // the results that carry values, pointers dereferenced unless they are passed in
	pointers []bool         // of each result: it is a pointer
	remark   string         // how it is called, if that needs saying
	outs     int            // results that carry values or, alone, true and false
	isBool   bool           // one bool, which is the outcome
	hasBool  bool           // a bool after the values
	hasError bool           // an error at the end
	nilable  bool           // one pointer, interface or, without an error, []byte, of which nil is an outcome
	outcomes []Outcome
}

// shapeOf reads a function type, its first skip parameters (the object) left
// out. The error says which part of the signature is not supported.
func shapeOf(ts values.Types, t reflect.Type, skip int) (*shape, error) {
	s := &shape{}
	for i := skip; i < t.NumIn(); i++ {
		p := t.In(i)
		if i == skip && p == contextType {
			s.context = true
			continue
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			if p = p.Elem(); ts.Problem(p) != "" {
				s.remark = "is called without its ..." + p.String()
				continue
			}
			s.remark = "is called with one " + p.String() + " at a time"
		}
		if problem := ts.Problem(p); problem != "" {
			return nil, fmt.Errorf("parameter %d %s", i-skip+1, problem)
		}
		s.params = append(s.params, p)
	}
	if err := s.results(t, ts.Object); err != nil {
		return nil, err
	}
	s.listOutcomes()
	return s, nil
}

// results sorts a function's results into values, bool and error.
func (s *shape) results(t, object reflect.Type) error {
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		s.hasError = true
		n--
	}
	if n > 0 && t.Out(n-1).Kind() == reflect.Bool {
		if n == 1 {
			s.isBool, s.outs = true, 1
			return nil
		}
		s.hasBool = true
		n--
	}
	if n == 1 && !s.hasBool && t.Out(0).Kind() == reflect.Pointer && t.Out(0).Elem() == object {
		s.remark = "answers with a " + t.Out(0).String() + ", which is not looked at"
		n = 0
	}
	s.outs = n
	for i := 0; i < n; i++ {
		r := t.Out(i)
		if values.KindOf(r) == "" {
			return fmt.Errorf("result %d is a %s (%s)%s", i+1, r.Kind(), r, values.NoName)
		}
		s.nilable = n == 1 && !s.hasBool && (r.Kind() == reflect.Pointer || r.Kind() == reflect.Interface || values.KindOf(r) == values.KindBytes && !s.hasError)
		s.pointers = append(s.pointers, r.Kind() == reflect.Pointer)
		if r.Kind() == reflect.Pointer {
			r = r.Elem()
		}
		s.rets = append(s.rets, r)
	}
	return nil
}

func (s *shape) listOutcomes() {
	add := func(name string, rets int) { s.outcomes = append(s.outcomes, Outcome{name, rets}) }
	switch {
	case s.isBool:
		add(outTrue, 0)
		add(outFalse, 0)
	case s.outs == 0:
		add(outNone, 0)
	default:
		add(outValue, s.outs)
		if s.hasBool || s.nilable {
			add(outNil, 0)
		}
	}
	if s.hasError {
		add(outError, 0)
	}
}

// blockedOutcome stands for "the call would wait for ever".
const blockedOutcome = 0xff

// classify tells the outcome of results, by its index in s.outcomes.
func (s *shape) classify(outs []reflect.Value) byte {
	if s.hasError {
		if e := outs[len(outs)-1]; !e.IsNil() {
			if IsBlocked(e.Interface()) {
				return blockedOutcome
			}
			return byte(len(s.outcomes) - 1)
		}
	}
	switch {
	case s.isBool && !outs[0].Bool(),
		s.hasBool && !outs[s.outs].Bool(),
		s.nilable && outs[0].IsNil():
		return 1
	}
	return 0
}

// BlockedText is the text of the error that says that a call would block.
const BlockedText = "adtinfer: the call would block"

// IsBlocked reports whether a panic value or an error is reference.Blocked, or
// wraps it. It goes by the text, so that this package's two copies agree.
func IsBlocked(v interface{}) bool {
	for e, ok := v.(error); ok && e != nil; {
		if e.Error() == BlockedText {
			return true
		}
		u, wraps := e.(interface{ Unwrap() error })
		if !wraps {
			return false
		}
		e = u.Unwrap()
	}
	return false
}
