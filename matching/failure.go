package matching

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Failure says why there is no scheme in one language.
type Failure struct {
	Language []theory.Rule
	Core     []string // constraints that contradict each other, in words; empty if verification failed
	Conflict []string // the pairs of operations they are about: "remove => 1 to add(1)"
	Err      error    // the last thing that verification found, if it was that

	// Candidate is the last scheme that verification refuted for not being
	// faithful, or the type not normal under it; nil if there was none.
	Candidate *Result

	// Unseen lists the kinds of operations that do not occur in the executions
	// of the language that synthesis looks at. If there are some, no scheme was
	// looked for.
	Unseen []history.Kind

	introducers int
}

// None is the error of a reference without a faithful, normal scheme over the
// predicates, in any of the languages that were tried.
type None struct {
	Tried   int
	Failure Failure // for the language that came closest
	Advice  string

	// Candidate is a refuted scheme to go on with, for those who insist: that of
	// the first language that has one. It is nil if no language has.
	Candidate *Result
}

func (n *None) Error() string {
	s := "synthesis: no matching scheme is faithful and normal"
	switch {
	case len(n.Failure.Unseen) > 0:
		var kinds []string
		for _, k := range n.Failure.Unseen {
			kinds = append(kinds, k.String())
		}
		s = fmt.Sprintf("synthesis: no matching scheme can be found: in executions of up to %d operations, there is no %s", pairLength, strings.Join(kinds, ", and no "))
	case len(n.Failure.Language) > 0:
		s += fmt.Sprintf(", even where %s", n.Failure.Language[0].Reading)
	case n.Tried > 1:
		s += fmt.Sprintf(" in any of %d languages", n.Tried)
	}
	if n.Failure.Err != nil {
		s += ":\n  " + n.Failure.Err.Error()
	}
	if len(n.Failure.Core) > 0 {
		s += ": these contradict each other"
		for _, c := range n.Failure.Core {
			s += "\n  " + c
		}
	}
	if len(n.Failure.Conflict) > 0 {
		s += "\nthey conflict on whether these map: " + strings.Join(n.Failure.Conflict, "; ")
	}
	if n.Advice != "" {
		s += "\n" + n.Advice
	}
	return s
}

// explain puts the unsatisfiable core in words.
func (a *attempt) explain(ctx context.Context, f *Failure) error {
	core, err := a.query.core(ctx)
	if err != nil {
		return err
	}
	t := a.query.encoding.table
	shared := make([]int, len(t.valuations))
	for _, c := range core {
		f.Core = append(f.Core, c.describe(a.model.Alphabet))
		for v := range c.valuations(t) {
			shared[v]++
		}
	}
	for v, n := range shared {
		if n == len(core) || n > 1 && n >= len(core)-1 {
			f.Conflict = append(f.Conflict, t.pairText(v))
		}
	}
	return nil
}

// explain chooses the failure to report: of the first language that got as far
// as verification, or else of the language that restricts most operations, where
// a contradiction is least likely to be about values that merely repeat; the
// shortest contradiction of those. A language in which some kind is unseen counts
// only if all are such; then the first, which restricts nothing, tells.
func (o Options) explain(base *Model, failures []Failure) *None {
	seen := slices.DeleteFunc(slices.Clone(failures), func(f Failure) bool { return len(f.Unseen) > 0 })
	if len(seen) == 0 {
		return &None{Tried: len(failures), Failure: failures[0], Advice: "if it takes a full object to see that, infer from one with a smaller capacity; or give the matching scheme"}
	}
	failures = seen
	best, candidate := failures[0], failures[0].Candidate
	for _, f := range failures[1:] {
		if candidate == nil {
			candidate = f.Candidate
		}
		switch {
		case best.Err != nil:
		case f.Err != nil, f.introducers > best.introducers,
			f.introducers == best.introducers && len(f.Core) < len(best.Core):
			best = f
		}
	}
	return &None{Tried: len(failures), Failure: best, Advice: advice(base.Alphabet), Candidate: candidate}
}

func advice(a *enumerate.Alphabet) string {
	if len(equalities(a)) == 0 {
		return "no predicate relates the values of two operations: nothing tells which belong together"
	}
	return "a predicate that relates operations by more than equality of their values may help"
}
