package reference

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Implementation is a reference implementation that can be asked questions.
// Arguments are abstract: the integer k > 0 stands for "the k-th value", and an
// implementation picks a concrete value of the parameter's type for it.
type Implementation interface {
	// Name is the data type's name: the Spec's, or the package's.
	Name() string

	// Methods lists the methods in a fixed order.
	Methods() []Method

	// Replay runs each sequence of calls on an object of its own and returns
	// the answers, call by call. A sequence that reaches a call the object
	// blocks on ends there with an Answer that says so. A reference that
	// hangs, exits or contradicts itself is a *Fault; a panic is an outcome.
	Replay(ctx context.Context, seqs [][]Call) ([][]Answer, error)

	// Close ends the child process, if there is one.
	Close() error
}

// Acceptor is an Implementation of a nondeterministic data type: it cannot be
// replayed, but it can say whether claimed results are allowed. Its Replay
// returns an error.
type Acceptor interface {
	Implementation

	// Accepts counts, for each sequence of labels, the operations from the first on
	// that are allowed one after the other: len(seq) if the reference admits it.
	Accepts(ctx context.Context, seqs [][]history.Label) ([]int, error)
}

// Method describes one operation of the data type.
type Method struct {
	Name   string   // as theories say it: lower camel case
	GoName string   // as the package says it
	Args   []string // Go type of each argument that carries a value
	Rets   []string // Go type of each returned value, in order

	// Params and Results say which values those types have.
	Params, Results []values.Basic

	// Structs are the results as Go has them, if some are structs whose fields are results
	// of their own in Results; else nil.
	Structs []values.Basic

	// ArgDomain is, per argument, how many different values its type has to
	// offer (a bool has 2); 0 means that there is no practical bound. Replay
	// refuses numbers above it.
	ArgDomain []int

	Variadic bool // the last argument is a list, of any number of them

	// Outcomes lists the outcome classes the signature allows, each with the
	// number of values it carries.
	Outcomes []OutcomeArity
}

// OutcomeArity is an outcome with the number of values that come with it.
type OutcomeArity struct {
	history.OutcomeSig
	Unseen bool // an error that no trial showed, although others were
}

// Call is a method, by its index in Methods, with abstract arguments, or with
// the values of a log.
type Call struct {
	Method int
	Args   []int

	// Values, if there are any, are the arguments as a log writes them, instead
	// of Args.
	Values []history.Value
}

// Answer is what a call returned. A returned value that is one of the abstract
// arguments used in the sequence reads as its number ("2"); any other, which
// the reference made up or was given, is its Go text in parentheses ("(0)"). A
// value that has several arguments in it is its text with their numbers ("[2 (0)]").
type Answer struct {
	Outcome history.Outcome
	Rets    []history.Value
	Blocked bool // the call would wait for ever; nothing after it was run
}

// Equal reports whether two answers are the same.
func (a Answer) Equal(b Answer) bool {
	return a.Blocked == b.Blocked && a.Outcome == b.Outcome && slices.Equal(a.Rets, b.Rets)
}

// IsForeign reports whether a value of an Answer was made up by the reference:
// no argument in the sequence had it.
func IsForeign(v history.Value) bool { return len(v) > 0 && v[0] == '(' }
