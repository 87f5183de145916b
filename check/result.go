package check

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/theory"
)

// Verdict is an engine's answer about one execution.
type Verdict string

const (
	// Violation: the data type does not admit the execution.
	Violation Verdict = "violation"
	// Linearizable: it does.
	Linearizable Verdict = "linearizable"
	// NoViolationFound is the answer of an engine that is not complete.
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
	// linearization of the shortest violating prefix; none of them can be left out, but
	// where more than a few operations are pending, or many overlap: then they are those
	// that the violation is about.
	Patterns []string

	// Parts counts the keys that wgl decided independently; 0 if it decided the
	// execution as a whole.
	Parts int

	// Procedure says in one sentence which near-linear procedure decided, and
	// why it was chosen; empty if none did.
	Procedure string

	// By says who decided, if that was a reference or a model, and not a theory.
	By string

	// Detail says in one sentence what limits the answer, if something does, or
	// why it is a violation, if the engine knows.
	Detail string
}

// OutsideLanguage is the error of an execution that the theory does not speak
// of: its operations A and B together break a rule of the language. B is nil
// if A does so alone, both are nil if no two operations can be blamed.
type OutsideLanguage struct {
	Rule theory.Rule
	A, B *history.Operation
}

func (e *OutsideLanguage) Error() string {
	rule := e.Rule.Name
	if e.Rule.Reading != "" {
		rule += " (" + e.Rule.Reading + ")"
	}
	switch {
	case e.A == nil:
		return fmt.Sprintf("check: the execution is outside the theory's language: it breaks the rule %s", rule)
	case e.B == nil:
		return fmt.Sprintf("check: the execution is outside the theory's language: %s breaks the rule %s", operation(e.A), rule)
	}
	return fmt.Sprintf("check: the execution is outside the theory's language: %s and %s break the rule %s", operation(e.A), operation(e.B), rule)
}

// UnknownLabel is the error of an operation whose method, outcome or number of
// values the theory does not know, or that has a value which is no integer where
// the theory compares integers.
type UnknownLabel struct {
	Op  *history.Operation
	Msg string
}

func (e *UnknownLabel) Error() string {
	return fmt.Sprintf("check: %s: %s", operation(e.Op), e.Msg)
}

// Ambiguous is the error of an operation X with two match targets, A and B.
type Ambiguous struct {
	X, A, B *history.Operation
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("check: %s has two match targets, %s and %s", operation(e.X), operation(e.A), operation(e.B))
}

// operation names an operation with its label and place.
func operation(o *history.Operation) string {
	s := fmt.Sprintf("[%s] %s", o.ID, o.Label)
	if o.CallPos != (history.Pos{}) {
		s += " at " + o.CallPos.String()
	}
	return s
}

// inputError makes an engine's error about the numbers of operations one about
// the operations of an execution.
func inputError(err error, e *history.Execution) error {
	var label *clauses.LabelError
	var language *clauses.LanguageError
	var ambiguous *ground.Ambiguous
	var disorder *ground.Disorder
	op := func(i int) *history.Operation {
		if i < 0 {
			return nil
		}
		return &e.Ops[i]
	}
	switch {
	case errors.As(err, &disorder):
		return fmt.Errorf("check: %s: operations must come in order of their calls, each call before its return", operation(op(disorder.Op)))
	case errors.As(err, &label) && label.Op >= 0:
		return &UnknownLabel{op(label.Op), label.Msg}
	case errors.As(err, &language):
		return &OutsideLanguage{language.Rule, op(language.A), op(language.B)}
	case errors.As(err, &ambiguous):
		return &Ambiguous{op(ambiguous.X), op(ambiguous.A), op(ambiguous.B)}
	}
	return err
}

// joined is two clauses as one, either of which may be empty.
func joined(detail, more string) string {
	if detail == "" {
		return more
	}
	if more == "" {
		return detail
	}
	return detail + "; " + more
}
