package reference

import "github.com/adtinfer/adtinfer/internal/driver"

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
// to say that the call would wait for ever in the object's present state.
const Blocked = blocked(driver.BlockedText)

type blocked string

func (b blocked) Error() string { return string(b) }
