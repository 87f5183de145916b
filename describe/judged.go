package describe

import (
	"cmp"
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/refusal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// What ends Infer, and what judges a description.
type (
	Wrong   = judge.Wrong     // error: a longer run of the reference refutes the theory
	Blind   = judge.Blind     // error: the theory does not see wrong versions of the reference
	Empty   = judge.Empty     // error: the theory says nothing
	Told    = judge.Told      // which wrong versions the calls of some executions expose
	Judging = judge.Options   // how a description is judged
	Refusal = refusal.Refusal // error: why a reference has no specification, and what to do
	Kind    = refusal.Kind    // of a Refusal

	// ExplainOptions are how Explain asks the reference.
	ExplainOptions = refusal.Options
)

// DefaultLongRuns is how many long runs judge a description, if nobody says otherwise.
const DefaultLongRuns = judge.DefaultLongRuns

// Tells says which wrong versions of a reference the calls of executions expose.
func Tells(ctx context.Context, impl reference.Implementation, executions [][]history.Label) (*Told, error) {
	return judge.Tells(ctx, impl, executions)
}

// Stands reports whether long runs and wrong versions of the reference leave a theory
// standing that patterns.Infer made of it. False may also mean that the context ended.
func Stands(ctx context.Context, impl reference.Implementation, info reference.Info, t *theory.Theory, j Judging) bool {
	return judge.Stands(ctx, impl, info, t, j)
}

// Explain turns the error of patterns.Infer into a *Refusal, if the reference shows why
// it has no specification; other errors are returned as they are. What is tried for its
// advice takes as little effort as patterns of what has another description.
func Explain(ctx context.Context, impl reference.Implementation, info reference.Info, o ExplainOptions, err error) error {
	o.Calls = min(mostCalls, cmp.Or(o.Calls, mostCalls))
	left := mostLiterals
	o.Synthesis.Solver = metering(o.Synthesis.Solver, &left)
	o.Spent = func() bool { return left < 0 }
	return refusal.Explain(ctx, impl, info, o, err)
}

// Witness reports whether an error shows that a reference has no faithful, normal
// scheme, at least not the one it brings.
func Witness(err error) bool { return refusal.Witness(err) }

// Relax lets a theory allow some answers, such as "tryLock=false", in every state, where
// they change nothing. Declared are the methods with all outcomes that they can have.
func Relax(t *theory.Theory, declared []history.MethodSig, mayFail []string) error {
	return judge.Relax(t, declared, mayFail)
}
