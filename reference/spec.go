package reference

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Spec describes a data type to adtinfer beyond what its Go signatures say.
// Only New is required. A package offers one as an exported variable (or a
// function without parameters) of this type:
//
//	var Spec = reference.Spec{
//		Name: "queue",
//		New:  New,
//		Language: []reference.Rule{{
//			Name:    "add-once",
//			Formula: "forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y",
//			Reading: "each value is added at most once",
//		}},
//		Target: []string{
//			"method(y) = add & arg(y) = ret(x)",
//			"y = x & (method(x) = add | outcome(x) = nil)",
//		},
//		ReadOnly: "outcome(x) = nil",
//	}
type Spec struct {
	// Name of the data type; default: the package's name.
	Name string

	// New makes an object: func() T or func() (T, error).
	New any

	// Operations lists the operations; default: the exported methods of T.
	Operations []Operation

	// Skip names exported methods that are not operations of the data type.
	Skip []string

	// Accept makes the reference an acceptor for a nondeterministic data type:
	// func(T, Claim) bool says whether the claimed results are allowed now and
	// moves the state. Operations are then required, with typed nil functions.
	Accept any

	// Language restricts the executions that are considered.
	Language []Rule

	// Predicates are abbreviations the formulas may use.
	Predicates []Predicate

	// Target is the matching: formulas with free variables x and y. The match
	// target of x is the y that satisfies the first formula any y satisfies;
	// if there is none, x is unmatched.
	Target []string

	// ReadOnly has the free variable x: the operations that change nothing.
	ReadOnly string

	// Aliases are other names that logs use, by method name.
	Aliases map[string][]string

	// MayFail are answers of methods, such as "tryLock=false", that the data type
	// allows in every state and that then change nothing.
	MayFail []string

	// Errors are errors that methods return, by the names of their variables: each is an
	// outcome of its own. Load finds those of the package itself.
	Errors map[string]error

	// AnyError has all errors of a method be one outcome, whichever they are.
	AnyError bool

	// Timeout bounds one call of a reference that New makes; default:
	// DefaultTimeout. Load has an option of its own.
	Timeout time.Duration
}

// Operation is one operation of a Spec.
type Operation struct {
	// Name as theories say it (lower camel case).
	Name string

	// Func takes the object first and then the arguments: a method expression
	// such as (*Queue).Add, or a function of your own. For an acceptor it is a
	// typed nil without the object, such as (func() (int, bool))(nil).
	Func any
}

// Rule is a closed formula with a name and one sentence that says it.
type Rule struct {
	Name    string
	Formula string
	Reading string
}

// Predicate is a named formula with parameters of sort Op.
type Predicate struct {
	Name    string
	Params  []string
	Formula string
}

// Claim is a call together with the results an acceptor is asked about.
type Claim struct {
	Method  string
	Outcome string
	Args    []any
	Rets    []any
}

// Blocked is what a Func of an Operation panics with, or returns as its error,
// to say that the call would wait for ever in the object's present state. Load
// finds that out by itself where nothing but another call could wake the call: no
// timer, no network, no other process.
const Blocked = blocked(driver.BlockedText)

type blocked string

func (b blocked) Error() string { return string(b) }

// Info is the declarative part of a Spec: all of it but the functions.
type Info struct {
	Name       string              `json:"name"`
	Language   []Rule              `json:"language,omitempty"`
	Predicates []Predicate         `json:"predicates,omitempty"`
	Target     []string            `json:"target,omitempty"`
	ReadOnly   string              `json:"readOnly,omitempty"`
	Aliases    map[string][]string `json:"aliases,omitempty"`
	MayFail    []string            `json:"mayFail,omitempty"`
}

// Info returns the Spec's declarative part.
func (s Spec) Info() Info {
	return Info{
		Name:       s.Name,
		Language:   s.Language,
		Predicates: s.Predicates,
		Target:     s.Target,
		ReadOnly:   s.ReadOnly,
		Aliases:    s.Aliases,
		MayFail:    s.MayFail,
	}
}

// Serve answers the loader's questions about the Spec, read from in, on out; it
// returns when in ends. The program that Load generates calls it.
func (s Spec) Serve(in io.Reader, out io.Writer) error {
	return driver.Serve(s.object(), in, out)
}

// object is the Spec as the driver wants it.
func (s Spec) object() driver.Object {
	o := driver.Object{Name: s.Name, New: s.New, Skip: s.Skip}
	for _, op := range s.Operations {
		o.Operations = append(o.Operations, driver.Operation{Name: op.Name, Func: op.Func})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Errors)) {
		if own := wording.ErrorOfVariable(name); own != "" && s.Errors[name] != nil {
			o.Errors = append(o.Errors, driver.NamedError{Name: own, Value: s.Errors[name]})
		}
	}
	o.AnyError = s.AnyError
	o.Info, o.Err = json.Marshal(s.Info())
	if s.Accept != nil && o.Err == nil {
		o.Accept, o.Err = acceptFunc(s.New, s.Accept)
	}
	return o
}

// methodsOf translates the driver's description.
func methodsOf(ds []driver.Method) []Method {
	var ms []Method
	for _, d := range ds {
		m := Method{Name: d.Name, GoName: d.GoName, Args: d.Args, Rets: d.Rets, Params: d.Params, Results: d.Results, Structs: d.Structs, ArgDomain: d.Domain, Variadic: d.Variadic}
		for _, o := range d.Outcomes {
			m.Outcomes = append(m.Outcomes, OutcomeArity{history.OutcomeSig{Outcome: history.Outcome(o.Name), Rets: o.Rets, Error: o.Error, Beside: o.Beside}, o.Unseen})
		}
		ms = append(ms, m)
	}
	return ms
}
