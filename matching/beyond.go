package matching

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Beyond looks at what the reference admits outside the language: for each rule
//
//	forall x:Op, y:Op. A -> x = y
//
// for a kind of operation without one of which, with a value of x, no admitted
// execution breaks the rule. A set inserts no value twice that is not removed;
// a queue does. What was found holds of all admitted executions, whether in
// the language or not, that were looked at: those of the report. A checker learns
// from it which pending operations cannot lead outside the language.
//
// Rules must have declared predicates expanded.
func (m *Model) Beyond(ctx context.Context, impl reference.Implementation, rules []theory.Rule, b Budget) ([]theory.Rule, Report, error) {
	var all []*beyond
	for i := range rules {
		if q, ok := newBeyond(&rules[i]); ok {
			all = append(all, q)
		}
	}
	if len(all) == 0 {
		return nil, Report{}, nil
	}
	var r Report
	wide, err := Explore(ctx, impl, nil, 0)
	if err == nil {
		r, err = upTo(b, func(n int) (int, error) {
			level, err := wide.Admitted(ctx, n)
			if err != nil {
				return 0, err
			}
			for _, q := range all {
				q.look(m.Alphabet, wide.Alphabet, level)
			}
			return len(level), nil
		})
	}
	if errors.As(err, new(*Late)) || errors.As(err, new(*Unsupported)) {
		return nil, Report{}, nil // to know less is never wrong
	}
	var found []theory.Rule
	for _, q := range all {
		if len(q.candidates) > 0 {
			found = append(found, q.candidates[0])
		}
	}
	return found, r, err
}

// beyond is the search for one rule.
type beyond struct {
	rule       *theory.Rule
	x, y       string
	breaks     formula.Formula // of x and y
	key        formula.Term    // a value that x and y share
	broken     int             // executions
	candidates []theory.Rule
}

// newBeyond is ready for a rule; false if it has another form.
func newBeyond(r *theory.Rule) (*beyond, bool) {
	q, _ := r.Formula.(formula.Quantified)
	to, _ := q.Body.(formula.Implies)
	same, ok := to.B.(formula.Equal)
	given, and := to.A.(formula.And)
	if !q.Forall || len(q.Vars) != 2 || !ok || same.A.Fn != "" || same.B.Fn != "" || !and || labelsOnly(to.A) != nil {
		return nil, false
	}
	b := &beyond{rule: r, x: q.Vars[0], y: q.Vars[1]}
	b.breaks = append(given[:len(given):len(given)], formula.Not{F: same})
	for _, f := range given {
		e, ok := f.(formula.Equal)
		value := ok && formula.SortOf(e.A) == formula.ValueSort && e.A.Var != "" && e.B.Var != "" && e.A.Var != e.B.Var
		if value && e.A.Var == b.x {
			b.key = e.A
		} else if value && e.B.Var == b.x {
			b.key = e.B
		}
	}
	return b, b.key.Var != ""
}

// look goes through admitted executions of one length: the first that break the rule
// bring candidates, and the others leave those that hold.
func (b *beyond) look(known, a *enumerate.Alphabet, level [][]enumerate.Label) {
	for _, e := range level {
		ls := labelsOf(a, e)
		x, y, ok := b.breaking(ls)
		if !ok {
			continue
		}
		if b.broken++; b.broken == 1 {
			b.propose(known, Labels{ls[x], ls[y]})
		}
		kept := b.candidates[:0]
		for _, c := range b.candidates {
			if formula.Eval(c.Formula, ls, map[string]int{}) {
				kept = append(kept, c)
			}
		}
		b.candidates = kept
	}
}

// breaking finds two operations that break the rule.
func (b *beyond) breaking(ls Labels) (x, y int, ok bool) {
	for x := range ls {
		for y := range ls {
			if x != y && formula.Eval(b.breaks, ls, map[string]int{b.x: x, b.y: y}) {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// propose lists statements that the two operations alone do not fulfil.
func (b *beyond) propose(a *enumerate.Alphabet, two Labels) {
	z := "z"
	for z == b.x || z == b.y {
		z += "z"
	}
	for i := range a.Kinds {
		k := &a.Kinds[i]
		for p := range k.Sorts {
			if k.Same != nil && k.Same[p] != p {
				continue
			}
			at := ValueAt(z, k.Args, p)
			c := theory.Rule{
				Name:    b.rule.Name + "-beyond",
				Reading: fmt.Sprintf("the rule %s is broken only beside %s with outcome %s and the same value", b.rule.Name, k.Kind.Method, k.Outcome),
				Formula: formula.Quantified{Forall: true, Vars: []string{b.x, b.y}, Body: formula.Implies{A: b.breaks,
					B: formula.Quantified{Vars: []string{z}, Body: formula.And{
						Is("method", z, k.Kind.Method, formula.MethodSort),
						Is("outcome", z, string(k.Outcome), formula.OutcomeSort),
						formula.Equal{A: at, B: b.key},
					}}}},
			}
			if !formula.Eval(c.Formula, two, map[string]int{}) {
				b.candidates = append(b.candidates, c)
			}
		}
	}
}
