package check_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// sequence is a sequential execution as a structure, matching by definition.
type sequence struct {
	t      *theory.Theory
	labels []history.Label
}

func (s sequence) Len() int                   { return len(s.labels) }
func (s sequence) Label(i int) *history.Label { return &s.labels[i] }
func (s sequence) Before(i, j int) bool       { return i < j }
func (s sequence) Completed(i int) bool       { return true }

func (s sequence) ReadOnly(i int) bool {
	return formula.Eval(s.t.Spec.Matching.ReadOnly, s, map[string]int{"x": i})
}

func (s sequence) Match(i int) int {
	for _, f := range s.t.Spec.Matching.Target {
		for j := range s.labels {
			if formula.Eval(f, s, map[string]int{"x": i, "y": j}) {
				return j
			}
		}
	}
	return history.Unmatched
}

// cached computes matching and read-only operations once.
type cached struct {
	sequence
	match    []int
	readOnly []bool
}

func (s sequence) cache() cached {
	c := cached{sequence: s}
	for i := range s.labels {
		c.match = append(c.match, s.Match(i))
		c.readOnly = append(c.readOnly, s.ReadOnly(i))
	}
	return c
}

func (c cached) Match(i int) int     { return c.match[i] }
func (c cached) ReadOnly(i int) bool { return c.readOnly[i] }

// enumerated decides by going through all completions and linearizations: is
// there one inside the language that satisfies the theory, and is there a
// completion outside?
type enumerated struct {
	t        *theory.Theory
	e        *history.Execution
	admitted bool
	outside  bool
}

func enumerateAll(t *theory.Theory, e *history.Execution) *enumerated {
	n := &enumerated{t: t, e: e}
	n.complete(0, make([]*history.Label, len(e.Ops)), []history.Value{"1", "2", "3", "4", "5", "fresh", "fresher"})
	return n
}

// complete chooses a label for operation i and those after it, or none.
func (n *enumerated) complete(i int, labels []*history.Label, values []history.Value) {
	if i == len(labels) {
		n.linearize(labels, nil, make([]bool, len(labels)))
		return
	}
	o := &n.e.Ops[i]
	if o.Completed() {
		labels[i] = &o.Label
		n.complete(i+1, labels, values)
		return
	}
	labels[i] = nil
	n.complete(i+1, labels, values)
	for _, m := range n.t.Spec.Methods {
		for _, out := range m.Outcomes {
			if m.Name != o.Method {
				continue
			}
			l := o.Label
			l.Outcome = out.Outcome
			choices := [][]history.Value{nil}
			if out.Rets == 1 {
				choices = choices[:0]
				for _, v := range values {
					choices = append(choices, []history.Value{v})
				}
			}
			for _, rets := range choices {
				l := l
				l.Rets = rets
				labels[i] = &l
				n.complete(i+1, labels, values)
			}
		}
	}
}

func (n *enumerated) linearize(labels []*history.Label, done []history.Label, taken []bool) {
	rest := false
	for i, l := range labels {
		if l == nil || taken[i] {
			continue
		}
		rest = true
		first := true
		for j := range labels {
			first = first && (labels[j] == nil || taken[j] || !n.e.Before(j, i))
		}
		if first && !n.admitted {
			taken[i] = true
			n.linearize(labels, append(slices.Clone(done), *l), taken)
			taken[i] = false
		}
	}
	if rest {
		return
	}
	s := sequence{n.t, done}.cache()
	for _, r := range n.t.Spec.Language {
		if !formula.Eval(r.Formula, s, nil) {
			n.outside = true
			return
		}
	}
	for _, r := range n.t.Spec.Axioms {
		if !formula.Eval(r.Formula, s, nil) {
			return
		}
	}
	for i := range n.t.Spec.Patterns {
		if formula.Eval(n.t.Spec.Patterns[i].Formula, s, nil) {
			return
		}
	}
	n.admitted = true
}

// TestSymbolicAgainstEnumeration compares with the definition, on theories with
// some of the patterns left out: what the engine decides is the theory.
func TestSymbolicAgainstEnumeration(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			counts := map[check.Verdict]int{}
			var th *theory.Theory
			var engine checking
			for seed := range testsize.Samples(400) {
				r := rand.New(rand.NewPCG(seed, 17))
				if seed%5 == 0 {
					th = build(t, s.source)
					th.Spec.Patterns = slices.DeleteFunc(th.Spec.Patterns, func(theory.Pattern) bool { return r.IntN(4) == 0 })
					engine = ready(t, by{Engine: "symbolic"}, th)
				}
				e := s.Execution(r, 2+r.IntN(3), 1+r.IntN(3), 3)
				res, err := engine.Check(t.Context(), th, e)
				if err != nil {
					if outside := (*check.OutsideLanguage)(nil); errors.As(err, &outside) {
						continue
					}
					t.Fatalf("seed %d: %v", seed, err)
				}
				counts[res.Verdict]++
				want := enumerateAll(th, e)
				ok := res.Verdict == check.Linearizable
				switch {
				case ok != want.admitted:
				case res.Verdict == check.Inconclusive && !want.outside:
				case res.Verdict == check.Violation && res.Detail == "" && !enumerateAll(th, e.Prefix(res.Prefix-1)).admitted:
				default:
					continue
				}
				t.Fatalf("seed %d: %+v, enumeration says admitted %v, outside %v\n%s", seed, res, want.admitted, want.outside, historytest.Text(e))
			}
			t.Log(counts)
		})
	}
}
