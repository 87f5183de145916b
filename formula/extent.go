package formula

import (
	"fmt"
	"slices"
)

// Bounds on the formulas that Parse accepts, their predicates written out. They
// are far beyond what people write and inference finds; a formula within them is
// expanded, simplified and compiled in a moment.
const (
	maxDepth  = 500    // levels of nesting
	maxParts  = 10_000 // subformulas, both sides of <-> twice, terms not counted
	maxBound  = 64     // variables: sets of them are words
	maxTokens = 20 * maxParts
)

// An extent is how large a formula is, its predicates written out. Numbers beyond
// the bounds are not exact.
type extent struct{ depth, parts, bound int }

// excess says which bound an extent exceeds, or "".
func (e extent) excess() string {
	const out = ", its predicates written out; split it, or use smaller predicates"
	switch {
	case e.depth > maxDepth:
		return fmt.Sprintf("the formula nests more than %d levels deep", maxDepth) + out
	case e.parts > maxParts:
		return fmt.Sprintf("the formula has more than %d parts", maxParts) + out
	case e.bound > maxBound:
		return fmt.Sprintf("the formula has more than %d variables", maxBound) + out
	}
	return ""
}

// beside is the extent of two formulas side by side.
func (e extent) beside(f extent) extent {
	return extent{max(e.depth, f.depth), min(e.parts+f.parts, maxParts+1), min(e.bound+f.bound, maxBound+1)}
}

// An extents measures formulas over the same predicates, each of which is
// measured once.
type extents struct {
	preds []Predicate
	known map[int]extent
}

// of measures a formula that may use the first n predicates.
func (m *extents) of(f Formula, n int) extent {
	var inner extent
	switch f := f.(type) {
	case Atom:
		if i := m.declared(f, n); i >= 0 {
			return m.predicate(i)
		}
	case Quantified:
		inner = m.of(f.Body, n).beside(extent{bound: len(f.Vars)})
	case Iff: // counts as what it is short for: each side is there twice
		inner = m.of(f.A, n).beside(m.of(f.B, n))
		inner.parts *= 2
	default:
		for _, g := range operandsOf(f) {
			inner = inner.beside(m.of(g, n))
		}
	}
	return extent{inner.depth + 1, min(inner.parts+1, maxParts+1), inner.bound}
}

// declared is the predicate among the first n that an atom stands for, or -1.
func (m *extents) declared(a Atom, n int) int {
	return slices.IndexFunc(m.preds[:n], func(p Predicate) bool { return p.Name == a.Name && len(p.Params) == len(a.Args) })
}

// predicate measures what Expand puts in place of an atom.
func (m *extents) predicate(i int) extent {
	e, ok := m.known[i]
	if !ok {
		e = m.of(m.preds[i].Body, i)
		m.known[i] = e
	}
	return e
}

// measure is the extent of a formula.
func measure(f Formula, v *Vocabulary) extent {
	m := &extents{known: map[int]extent{}}
	if v != nil {
		m.preds = v.Predicates
	}
	return m.of(f, len(m.preds))
}

// Parts is the number of subformulas, declared predicates and <-> written out, or
// 10,001 if there are more.
func Parts(f Formula, v *Vocabulary) int { return measure(f, v).parts }
