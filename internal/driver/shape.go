//go:build go1.21

package driver

import (
	"context"
	"fmt"
	"reflect"
	"strconv"

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
	variadic bool           // the last parameter is a list, for any number of arguments
	outcomes []Outcome
	failures failures  // the last outcomes
	paths    [][][]int // of each result: to its fields, if these are values of their own
	Reading
}

// carried are the values of an outcome.
func (s *shape) carried(class byte, outs []reflect.Value) []reflect.Value {
	n := s.outcomes[class].Rets
	if s.paths == nil {
		return outs[:n]
	}
	all := make([]reflect.Value, 0, n)
	for i := 0; len(all) < n; i++ {
		all = s.appendFlat(all, i, outs[i])
	}
	return all
}

// flat are the first n results, whatever the outcome.
func (s *shape) flat(outs []reflect.Value, n int) (all []reflect.Value) {
	for i, v := range outs[:n] {
		all = s.appendFlat(all, i, v)
	}
	return all
}

// appendFlat appends a result, or its fields if these are values of their own.
func (s *shape) appendFlat(all []reflect.Value, i int, v reflect.Value) []reflect.Value {
	if i >= len(s.paths) || s.paths[i] == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return append(all, v)
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return values.AppendLeaves(all, v, s.paths[i])
}

// Reading is which outcome the results of a function belong to.
type Reading struct {
	Values int // the first results, which carry values or, alone, true and false

	isBool   bool // one bool, which is the outcome
	hasBool  bool // a bool after the values
	hasError bool // an error at the end
	nilable  bool // one pointer, interface or, without an error, []byte, of which nil is an outcome

	// Whole: what stands beside false or an error belongs to the answer. Else it is zero,
	// and a call that returns something else there has an answer that is not looked at.
	Whole bool
}

// Beside is how many results stand beside an outcome: the first ones.
func (r *Reading) Beside(outcome string) int {
	switch {
	case outcome == outError && !r.hasError:
		return 0
	case outcome == outError && r.hasBool:
		return r.Values + 1
	case outcome == outError || outcome == outNil && r.hasBool:
		return r.Values
	}
	return 0
}

// Drops is the first of the results beside an outcome that does not belong to it and is not
// what it always is, zero for most, or -1.
func (r *Reading) Drops(out *Outcome, usual func(i int) bool) int {
	for i := 0; out.Rets == 0 && i < r.Beside(out.class()); i++ {
		if !usual(i) {
			return i
		}
	}
	return -1
}

// class is the outcome, or error for one that has a name.
func (o *Outcome) class() string {
	if o.Error != "" {
		return outError
	}
	return o.Name
}

// ResultKind is what matters of a result's type for the outcome.
type ResultKind int

// The kinds of results.
const (
	OtherResult ResultKind = iota
	BoolResult
	ErrorResult
	BytesResult
	PointerResult
	InterfaceResult
	ObjectResult // a pointer to the object, which is not looked at if it is alone
)

// ReadResults reads the kinds of a function's results.
func ReadResults(kinds []ResultKind) (r Reading) {
	n := len(kinds)
	if n > 0 && kinds[n-1] == ErrorResult {
		r.hasError = true
		n--
	}
	if n > 0 && kinds[n-1] == BoolResult {
		if n == 1 {
			return Reading{Values: 1, isBool: true, hasError: r.hasError}
		}
		r.hasBool = true
		n--
	}
	if n == 1 && !r.hasBool {
		switch kinds[0] {
		case ObjectResult:
			n = 0
		case PointerResult, InterfaceResult, ErrorResult:
			r.nilable = true
		case BytesResult:
			r.nilable = !r.hasError
		}
	}
	r.Values = n
	return r
}

// Outcomes lists what results may be.
func (r *Reading) Outcomes() (all []Outcome) {
	add := func(name string, rets int) { all = append(all, Outcome{Name: name, Rets: rets}) }
	carried := func(name string) int {
		if r.Whole {
			return r.Beside(name)
		}
		return 0
	}
	switch {
	case r.isBool:
		add(outTrue, 0)
		add(outFalse, 0)
	case r.Values == 0:
		add(outNone, 0)
	default:
		add(outValue, r.Values)
		if r.hasBool || r.nilable {
			add(outNil, carried(outNil))
		}
	}
	if r.hasError {
		add(outError, carried(outError))
	}
	return all
}

// Classify tells the outcome of n results, by its index in Outcomes; no reports whether a
// result is nil or false.
func (r *Reading) Classify(n int, no func(i int) bool) int {
	switch {
	case r.hasError && !no(n-1):
		return len(r.Outcomes()) - 1
	case r.isBool && no(0), r.hasBool && no(r.Values), r.nilable && no(0):
		return 1
	}
	return 0
}

// shapeOf reads a function type, its first skip parameters (the object) left
// out. The error says which part of the signature is not supported.
func shapeOf(ts values.Types, t reflect.Type, skip int, whole bool) (*shape, error) {
	s := &shape{Reading: Reading{Whole: whole}}
	for i := skip; i < t.NumIn(); i++ {
		p := t.In(i)
		if i == skip && p == contextType {
			s.context = true
			continue
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			elem := p.Elem()
			if ts.Problem(elem) != "" || values.KindOf(p) != values.KindList {
				s.remark = "is called without its ..." + elem.String()
				continue
			}
			s.variadic, s.remark = true, "takes any number of "+elem.String()+", which are one argument here: a list"
		}
		if problem := ts.Problem(p); problem != "" {
			return nil, fmt.Errorf("parameter %d %s", i-skip+1, problem)
		}
		s.params = append(s.params, p)
	}
	if err := s.results(t, ts.Object); err != nil {
		return nil, err
	}
	return s, nil
}

// results reads a function's results.
func (s *shape) results(t, object reflect.Type) error {
	kinds := make([]ResultKind, t.NumOut())
	for i := range kinds {
		kinds[i] = resultKind(t.Out(i), object)
	}
	whole := s.Whole
	s.Reading = ReadResults(kinds)
	s.Whole = whole
	s.outcomes = s.Outcomes()
	if s.isBool && !s.Whole {
		return nil
	}
	if s.Values == 0 && len(kinds) > 0 && kinds[0] == ObjectResult {
		s.remark = "answers with a " + t.Out(0).String() + ", which is not looked at"
	}
	results := s.Values
	if s.Whole {
		results = max(results, s.Beside(outError))
	}
	for i := 0; i < results; i++ {
		r := t.Out(i)
		if values.KindOf(r) == "" {
			return fmt.Errorf("result %d is a %s (%s)%s", i+1, r.Kind(), r, values.NoName)
		}
		s.pointers = append(s.pointers, r.Kind() == reflect.Pointer)
		if r.Kind() == reflect.Pointer {
			r = r.Elem()
		}
		s.rets = append(s.rets, r)
	}
	return nil
}

func resultKind(t, object reflect.Type) ResultKind {
	switch {
	case t == errorType:
		return ErrorResult
	case t.Kind() == reflect.Bool:
		return BoolResult
	case t.Kind() == reflect.Pointer && t.Elem() == object:
		return ObjectResult
	case t.Kind() == reflect.Pointer:
		return PointerResult
	case t.Kind() == reflect.Interface:
		return InterfaceResult
	case values.KindOf(t) == values.KindBytes:
		return BytesResult
	}
	return OtherResult
}

// unusual is the method's first result that is left out of its answer, though it is not
// what it always is there; -1 if there is none.
func (s *shape) unusual(class byte, outs []reflect.Value) int {
	out := &s.outcomes[class]
	return s.Drops(out, func(i int) bool {
		if len(out.Beside) > 0 {
			return values.LogText(outs[i]) == out.Beside[i]
		}
		return isZero(outs[i])
	})
}

// besides is the unusual result of a method in words; "" if there is none.
func (s *shape) besides(class byte, outs []reflect.Value) string {
	i, out := s.unusual(class, outs), &s.outcomes[class]
	if i < 0 {
		return ""
	}
	name := out.class()
	if name == outNil {
		name = "false"
	}
	always := ""
	if len(out.Beside) > 0 {
		always = fmt.Sprintf(", where it was %q before", out.Beside[i])
	}
	return "result " + strconv.Itoa(i+1) + " is " + shorten(values.GoText(outs[i])) + " beside " + name + always
}

// isZero reports whether a result says nothing: it is zero, or empty.
func isZero(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// always has results beside outcomes be what they always are.
func (s *shape) always(all []Beside, method string) {
	for _, b := range all {
		for i := range s.outcomes {
			if o := &s.outcomes[i]; b.Method == method && b.Outcome == o.Name && o.Rets == 0 && len(b.Texts) == s.Beside(o.class()) {
				o.Beside = b.Texts
			}
		}
	}
}

// blockedOutcome stands for "the call would wait for ever".
const blockedOutcome = 0xff

// classify tells the outcome of results, by its index in s.outcomes.
func (s *shape) classify(outs []reflect.Value) byte {
	if n := len(outs); s.hasError && !outs[n-1].IsNil() && IsBlocked(outs[n-1].Interface()) {
		return blockedOutcome
	}
	c := s.Classify(len(outs), func(i int) bool {
		if outs[i].Kind() == reflect.Bool {
			return !outs[i].Bool()
		}
		return outs[i].IsNil()
	})
	if n := len(s.failures); n > 0 && c == len(s.outcomes)-n-1 && !outs[len(outs)-1].IsNil() {
		c += 1 + s.failures.find(outs[len(outs)-1].Interface().(error))
	}
	return byte(c)
}

// named has errors be outcomes of their own, after the outcome of all others.
func (s *shape) named(all []NamedError, method string) {
	if !s.hasError {
		return
	}
	last := len(s.outcomes) - 1
	named, outcomes, plain := failuresOf(all, method, s.outcomes[last].Rets)
	s.failures, s.outcomes = named, append(append(s.outcomes[:last:last], plain), outcomes...)
}

// BlockedText is the text of the error that says that a call would block.
const BlockedText = "adtinfer: the call would block"

// IsBlocked reports whether a panic value or an error is reference.Blocked, or
// wraps it. It goes by the text, so that this package's two copies agree.
func IsBlocked(v interface{}) bool {
	for e, ok := v.(error); ok && e != nil; {
		if textOf(e) == BlockedText {
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
