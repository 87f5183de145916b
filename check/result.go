package check

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

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

	// Unknown counts the calls of which nobody knows what they returned, where that was decided, too: with some answers
	// of them the execution is Linearizable, or with none.
	Unknown int

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
	if strings.Contains(detail, more) {
		return detail
	}
	return detail + "; " + more
}

// shorter is said of a violation whose prefix may not be the shortest.
const shorter = "a shorter prefix may violate, too"

// undecided is said of a violation if something else was not decided.
const undecided = "a key that was not decided may violate in a shorter prefix"

// Merge makes one report of two on different keys of a log, or on groups of keys. The
// worst counts: a violation, then an error, then an inconclusive one. Of two
// violations that with the smaller prefix counts, with its explanation. Prefixes are
// positions in the whole log, so that the least of them is the whole's, if all keys
// were decided; so are Events, up to the last one of the keys. In which order and in
// which groups reports are merged does not matter.
func Merge(a, b Report) Report {
	most := a
	if mergeOrder(a, b) < 0 {
		most = b
	}
	unsure := func(r Report) bool {
		return r.Err != nil || r.Result.Verdict != Linearizable && r.Result.Verdict != Violation || strings.HasSuffix(r.Result.Detail, undecided)
	}
	if most.Err == nil && most.Result.Verdict == Violation && (unsure(a) || unsure(b)) && !unsure(most) {
		most.Result.Detail = joined(most.Result.Detail, undecided)
	}
	most.Ops = a.Ops + b.Ops
	most.Result.Events = max(a.Result.Events, b.Result.Events)
	most.Result.Parts = a.Result.Parts + b.Result.Parts
	most.Took = a.Took + b.Took
	most.Coverage = history.Coverage{}
	most.Coverage.Add(a.Coverage)
	most.Coverage.Add(b.Coverage)
	return most
}

// mergeOrder orders reports by what counts in Merge: the greater one does.
func mergeOrder(a, b Report) int {
	text := func(r Report) string {
		if r.Err != nil {
			return r.Err.Error()
		}
		own := strings.TrimSuffix(strings.TrimSuffix(r.Result.Detail, undecided), "; ")
		return strings.Join(append([]string{own, r.Result.Engine, r.Result.By, r.Result.Procedure}, r.Result.Patterns...), "\x00")
	}
	return cmp.Or(compareReports(a, b), cmp.Compare(b.Result.Prefix, a.Result.Prefix), cmp.Compare(b.At.Line, a.At.Line), strings.Compare(text(b), text(a)))
}
