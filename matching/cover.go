package matching

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/formula"
)

// literal is a predicate or its negation.
type literal struct {
	predicate int
	negated   bool
}

// cube is a conjunction of literals.
type cube []literal

func (c cube) holds(bits []bool) bool {
	for _, l := range c {
		if bits[l.predicate] == l.negated {
			return false
		}
	}
	return true
}

// cover finds a small two-level form that is true of every row of on and false
// of every row of off; rows in neither are don't-cares. Each row of on is
// widened to a cube by dropping literals while no row of off is caught,
// negations and costly predicates first; then the cubes that catch the most are
// kept. It takes O(|on| p |off|) for p predicates.
func cover(ps []Predicate, on, off [][]bool) []cube {
	var cubes []cube
	for _, row := range on {
		cubes = append(cubes, widen(ps, row, off))
	}
	var chosen []cube
	left := slices.Clone(on)
	for len(left) > 0 {
		best, most := 0, -1
		for i, c := range cubes {
			n := 0
			for _, row := range left {
				if c.holds(row) {
					n++
				}
			}
			if n > most || n == most && size(ps, c) < size(ps, cubes[best]) {
				best, most = i, n
			}
		}
		chosen = append(chosen, cubes[best])
		left = slices.DeleteFunc(left, cubes[best].holds)
	}
	return chosen
}

// widen drops from a row's literals what is not needed to miss every row of off.
func widen(ps []Predicate, row []bool, off [][]bool) cube {
	c := make(cube, len(ps))
	for i := range ps {
		c[i] = literal{i, !row[i]}
	}
	sort.Slice(c, func(i, j int) bool {
		if a, b := price(ps, c[i]), price(ps, c[j]); a != b {
			return a > b
		}
		return c[i].predicate > c[j].predicate
	})
	for i := 0; i < len(c); {
		rest := append(append(cube{}, c[:i]...), c[i+1:]...)
		if slices.ContainsFunc(off, rest.holds) {
			i++
		} else {
			c = rest
		}
	}
	sort.SliceStable(c, func(i, j int) bool { return c[i].predicate < c[j].predicate })
	return c
}

func price(ps []Predicate, l literal) int {
	if l.negated {
		return 100 + ps[l.predicate].Cost
	}
	return ps[l.predicate].Cost
}

func size(ps []Predicate, c cube) int {
	n := 0
	for _, l := range c {
		n += price(ps, l)
	}
	return n
}

// common are the literals, among those that keep accepts, that all rows of on
// caught by the cube share: a reader is helped by the method even where the
// values decide.
func (c cube) common(on [][]bool, keep func(predicate int) bool) cube {
	out := append(cube{}, c...)
	for p := range on[0] {
		mentioned := slices.ContainsFunc(c, func(l literal) bool { return l.predicate == p })
		if keep(p) && !mentioned && !slices.ContainsFunc(on, func(row []bool) bool { return c.holds(row) && !row[p] }) {
			out = append(out, literal{predicate: p})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].predicate < out[j].predicate })
	return out
}

// formula is the cube as a conjunction; shown, with predicates by their names.
func (c cube) formula(ps []Predicate, shown bool) formula.Formula {
	var and formula.And
	for _, l := range c {
		f := ps[l.predicate].Formula
		if s := ps[l.predicate].Shown; s != nil && shown {
			f = s
		}
		if l.negated {
			f = formula.Not{F: f}
		}
		and = append(and, f)
	}
	return formula.Normal(and)
}

// disjunction is the cubes as a disjunction of conjunctions.
func disjunction(ps []Predicate, cs []cube) formula.Formula {
	var or formula.Or
	for _, c := range cs {
		or = append(or, c.formula(ps, false))
	}
	return formula.Normal(or)
}
