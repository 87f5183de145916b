package live

import (
	"context"
	"reflect"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// Reference is a reference implementation whose operations are called directly.
type Reference struct {
	machine *driver.Machine
	methods map[string]int
}

// New checks a Spec and makes it ready.
func New(spec reference.Spec) (*Reference, error) {
	impl, err := reference.New(spec)
	if err != nil {
		return nil, err
	}
	r := &Reference{impl.(interface{ Machine() *driver.Machine }).Machine(), map[string]int{}}
	for i, m := range r.machine.Methods {
		for _, alias := range spec.Aliases[m.Name] {
			r.methods[alias] = i
		}
	}
	for i, m := range r.machine.Methods { // a name wins over an alias
		r.methods[m.Name] = i
	}
	return r, nil
}

// Acceptor reports whether the reference says which results it accepts, and has
// none of its own.
func (r *Reference) Acceptor() bool { return r.machine.Acceptor }

// Method is the index of a method by its name, or another name that logs may use.
func (r *Reference) Method(name string) (i int, ok bool) {
	i, ok = r.methods[name]
	return i, ok
}

// Names lists the methods' names.
func (r *Reference) Names() []string {
	var names []string
	for _, m := range r.machine.Methods {
		names = append(names, m.Name)
	}
	return names
}

// Params are the types of a method's parameters.
func (r *Reference) Params(method int) []reflect.Type { return r.machine.Params(method) }

// Args are the arguments of a method; false if the values do not fit its parameters.
func (r *Reference) Args(method int, given []history.Value) ([]values.Argument, bool) {
	types := r.Params(method)
	if len(types) != len(given) {
		return nil, false
	}
	args := make([]values.Argument, len(given))
	for i, v := range given {
		var err error
		if args[i], err = argument(types[i], v); err != nil {
			return nil, false
		}
	}
	return args, true
}

// Object is one object of a Reference.
type Object struct {
	ref    *Reference
	live   *driver.Live
	values values.Sequence // pointers are the same each time
}

// Object makes a new object. A panic of the constructor goes through.
func (r *Reference) Object() (*Object, error) {
	live, err := r.machine.Live()
	return &Object{r, live, values.Sequence{AsGiven: true}}, err
}

// Do calls a method. An acceptor answers as the label claims, or is blocked if it
// does not accept that. A panic of the method is an outcome, whatever the signature.
func (o *Object) Do(method int, given []values.Argument, claimed *history.Label) (a reference.Answer) {
	args := make([]reflect.Value, len(given))
	for i := range given {
		args[i] = o.values.Pass(&given[i])
	}
	if o.ref.Acceptor() {
		return reference.Answer{Outcome: claimed.Outcome, Rets: claimed.Rets, Blocked: !o.accepts(method, args, claimed)}
	}
	res, panicked := o.call(method, args)
	switch {
	case panicked:
		return reference.Answer{Outcome: history.Panic}
	case res.Blocked:
		return reference.Answer{Blocked: true}
	}
	a.Outcome = history.Outcome(o.ref.machine.Methods[method].Outcomes[res.Outcome].Name)
	for i, v := range res.Values {
		a.Rets = append(a.Rets, history.Value(o.values.LogText(o.ref.machine.Results(method)[i], v)))
	}
	return a
}

// call calls the method itself.
func (o *Object) call(method int, args []reflect.Value) (res driver.Results, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			res.Blocked = driver.IsBlocked(p)
			panicked = !res.Blocked
		}
	}()
	return o.live.Call(context.Background(), method, args), false
}

func (o *Object) accepts(method int, args []reflect.Value, l *history.Label) bool {
	claim := driver.Claim{Method: o.ref.machine.Methods[method].Name, Outcome: string(l.Outcome)}
	for _, a := range args {
		claim.Args = append(claim.Args, a.Interface())
	}
	results := o.ref.machine.Results(method)
	if len(l.Rets) > len(results) {
		return false
	}
	for k, r := range l.Rets {
		v, err := Parse(results[k], r)
		if err != nil {
			return false
		}
		claim.Rets = append(claim.Rets, v.Interface())
	}
	return o.live.Accepts(claim)
}
