package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Verdict is an engine's answer about one execution.
type Verdict string

const (
	// Violation: the data type does not admit the execution.
	Violation Verdict = "violation"
	// Linearizable: it does.
	Linearizable Verdict = "linearizable"
	// NoViolationFound is what engines say that are not complete.
	NoViolationFound Verdict = "no violation found"
	// Inconclusive: a bound was hit; Result.Detail says which.
	Inconclusive Verdict = "inconclusive"
)

// Result is what an engine found out about one execution.
type Result struct {
	Verdict Verdict
	Engine  string
	Events  int // call and return actions of the execution

	// Prefix counts the events of the shortest violating prefix; 0 unless the
	// verdict is Violation. Detail says so where a shorter one may violate, too.
	Prefix int

	// Patterns names the patterns and axioms that together exclude every
	// linearization of the shortest violating prefix; none of them can be left out.
	Patterns []string

	// Parts counts the parts that were decided apart; 0 if the execution was
	// decided as a whole.
	Parts int

	// Procedure says in one sentence which near-linear procedure decided, and
	// why it was chosen; empty if none did.
	Procedure string

	// Detail says in one sentence what limits the answer, if something does, or
	// why it is a violation, if the engine knows.
	Detail string
}

// Engine is a way to check. Engines are values without state and safe for
// concurrent use.
type Engine interface {
	// Name is what users call the engine, in lower case.
	Name() string

	// Check decides an execution. When the context ends first the verdict is
	// Inconclusive and the error nil. Errors are about the input: a theory the
	// engine cannot use, or an execution the theory does not speak of
	// (*OutsideLanguage, *UnknownLabel, *Ambiguous).
	Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error)
}

// Engines lists the engines, the default first.
func Engines() []Engine {
	return []Engine{Auto{}, Saturate{Removal: true}, Monitor{}, Symbolic{}, WGL{}, Counting{K: DefaultK}, Enumerate{}}
}
