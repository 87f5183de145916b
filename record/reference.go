package record

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/suggest"
	"github.com/adtinfer/adtinfer/reference"
)

// Reference is a reference implementation as a Spec. Its states are objects of
// the reference itself, on which the operations run in commit order: a step
// costs one call through reflection. A reference that is an acceptor is asked
// about the recorded results, so it may leave choices open that the results
// resolve.
//
// Objects are not copied. Where brackets overlap, the checker runs the log from
// its beginning to try another order; on line it does not try.
type Reference struct {
	machine *driver.Machine
	methods map[string]int
	accept  reflect.Value  // invalid: the reference has answers of its own
	funcs   []reflect.Type // of an acceptor: types with the results, by method
}

// Object is a state of a Reference.
type Object struct {
	live *driver.Live
}

// NewReference makes a Spec of a reference in this process.
func NewReference(spec reference.Spec) (*Reference, error) {
	impl, err := reference.New(spec) // for its checks
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer impl.Close()
	o := driver.Object{Name: spec.Name, New: spec.New, Skip: spec.Skip}
	for _, op := range spec.Operations {
		o.Operations = append(o.Operations, driver.Operation{Name: op.Name, Func: op.Func})
	}
	r := &Reference{methods: map[string]int{}}
	if spec.Accept != nil {
		r.accept = reflect.ValueOf(spec.Accept)
		o.Accept = func(any, driver.Claim) bool { return false } // the machine does not ask
	}
	if r.machine, err = driver.NewMachine(o); err != nil {
		return nil, fmt.Errorf("record: reference: %w", err)
	}
	for i, m := range r.machine.Methods {
		r.methods[m.Name] = i
		for _, alias := range spec.Aliases[m.Name] {
			r.methods[alias] = i
		}
		if spec.Accept != nil {
			r.funcs = append(r.funcs, r.funcType(spec, m.Name))
		}
	}
	return r, nil
}

func (r *Reference) funcType(spec reference.Spec, name string) reflect.Type {
	for _, op := range spec.Operations {
		if op.Name == name {
			return reflect.TypeOf(op.Func)
		}
	}
	panic("record: acceptors name their operations")
}

// New is a new object.
func (r *Reference) New() *Object {
	live, err := r.machine.Live()
	if err != nil {
		panic(err) // the checker reports it
	}
	return &Object{live}
}

// Step runs the operation on the object, or asks the acceptor.
func (r *Reference) Step(s *Object, op *Op) (*Object, bool) {
	i, ok := r.methods[op.Method]
	if !ok {
		panic(fmt.Sprintf("the reference has no method %q%s", op.Method, r.hint(op.Method)))
	}
	args, ok := convertAll(op, op.Args, r.machine.Params(i))
	if !ok {
		panic(fmt.Sprintf("the reference's %s takes (%s), which %s does not fit",
			op.Method, strings.Join(r.machine.Methods[i].Args, ", "), op.Label()))
	}
	if r.accept.IsValid() {
		return s, op.Returned && r.accepts(s, op, i, args)
	}
	res := s.live.Call(context.Background(), i, args)
	if res.Blocked {
		return s, false
	}
	return s, !op.Returned || r.agrees(op, i, res)
}

// agrees compares what the reference returned with what was recorded.
func (r *Reference) agrees(op *Op, method int, res driver.Results) bool {
	if r.machine.Methods[method].Outcomes[res.Outcome].Name != string(op.Outcome) || len(res.Values) != len(op.Rets) {
		return false
	}
	for k, v := range res.Values {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		want, ok := convert(op, op.Rets[k], v.Type())
		if !ok || !want.Equal(v) {
			return false
		}
	}
	return true
}

func (r *Reference) accepts(s *Object, op *Op, method int, args []reflect.Value) bool {
	claim := reference.Claim{Method: r.machine.Methods[method].Name, Outcome: string(op.Outcome)}
	for _, a := range args {
		claim.Args = append(claim.Args, a.Interface())
	}
	for k, v := range op.Rets {
		t := r.funcs[method]
		if k >= t.NumOut() {
			return false
		}
		out := t.Out(k)
		if out.Kind() == reflect.Pointer {
			out = out.Elem()
		}
		ret, ok := convert(op, v, out)
		if !ok {
			return false
		}
		claim.Rets = append(claim.Rets, ret.Interface())
	}
	return r.accept.Call([]reflect.Value{s.live.Object(), reflect.ValueOf(claim)})[0].Bool()
}

func (r *Reference) hint(method string) string {
	var names []string
	for _, m := range r.machine.Methods {
		names = append(names, m.Name)
	}
	if h := suggest.Hint(method, names); h != "" {
		return h
	}
	return "; its methods are " + strings.Join(names, ", ")
}

func convertAll(op *Op, vs []Value, types []reflect.Type) ([]reflect.Value, bool) {
	if len(vs) != len(types) {
		return nil, false
	}
	out := make([]reflect.Value, len(vs))
	for i, v := range vs {
		var ok bool
		if out[i], ok = convert(op, v, types[i]); !ok {
			return nil, false
		}
	}
	return out, true
}

// convert makes a recorded value one of type t, if it is one.
func convert(op *Op, v Value, t reflect.Type) (reflect.Value, bool) {
	out := reflect.New(t).Elem()
	switch {
	case t.Kind() == reflect.Interface:
		return out, setAny(out, op, v)
	case v.typ == boolValue && t.Kind() == reflect.Bool:
		out.SetBool(v.bits != 0)
	case v.typ == textValue && t.Kind() == reflect.String:
		out.SetString(op.Text(v))
	case v.typ == intValue && out.CanInt() && !out.OverflowInt(v.Int()):
		out.SetInt(v.Int())
	case v.typ == uintValue && out.CanUint() && !out.OverflowUint(v.bits):
		out.SetUint(v.bits)
	default:
		return out, false
	}
	return out, true
}

// setAny puts a value into an interface, integers as int.
func setAny(out reflect.Value, op *Op, v Value) bool {
	var x any
	switch v.typ {
	case intValue:
		x = int(v.Int())
	case uintValue:
		x = uint(v.bits)
	case boolValue:
		x = v.bits != 0
	case textValue:
		x = op.Text(v)
	}
	if x == nil || !reflect.TypeOf(x).AssignableTo(out.Type()) {
		return false
	}
	out.Set(reflect.ValueOf(x))
	return true
}
