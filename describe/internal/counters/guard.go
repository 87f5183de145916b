package counters

import (
	"cmp"
	"math"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// tree decides the outcome of a call. In an inner node the numbers at least
// threshold go high.
type tree struct {
	outcome   history.Outcome // of a leaf; pending: the call waits
	form      form
	threshold int64
	low, high *tree

	under, over int64 // the last number that was seen to go low, and the first to go high
}

// open reports whether the threshold might as well be another.
func (t *tree) open() bool { return t.low != nil && t.over-t.under > 1 }

// cost prefers few terms.
func (t *tree) cost() int {
	if t.low == nil {
		return 0
	}
	return t.form.cost() + 2 + t.low.cost() + t.high.cost()
}

// cuts are the inner nodes.
func (t *tree) cuts() []*tree {
	if t.low == nil {
		return nil
	}
	return append(append([]*tree{t}, t.low.cuts()...), t.high.cuts()...)
}

// candidate is a form that may decide.
type candidate struct {
	form
	known   bool // some method answers it, or it is made of arguments
	columns [][]int64
}

// grower finds the tree of a method's outcomes.
type grower struct {
	*table
	method  int
	forms   []candidate // cheap ones first
	outcome []int       // of each call, in outcomes
	names   []history.Outcome
}

func (g *grower) leaf(outcome int) *tree { return &tree{outcome: g.names[outcome]} }

// Bounds of trees.
const (
	deepest   = 3  // levels of inner nodes
	branching = 6  // cuts of each kind that are tried above the last level
	simple    = 2  // terms that count in those
	plain     = 12 // cost of a tree that needs no better one
)

// grow finds the tree of some events; nil: there is none.
func (g *grower) grow(rows []int, levels int) *tree {
	first := g.outcome[rows[0]]
	if !slices.ContainsFunc(rows, func(r int) bool { return g.outcome[r] != first }) {
		return g.leaf(first)
	}
	if levels == 0 {
		return nil
	}
	best := g.split(rows)
	if levels == 1 || best != nil && best.cost() <= plain {
		return best
	}
	for _, c := range g.cuts(rows) {
		pure, rest := g.apart(&c.form, c, rows)
		below := g.grow(rest, levels-1)
		if below == nil {
			continue
		}
		t := &tree{form: c.form, threshold: c.threshold, low: below, high: g.leaf(g.outcome[pure[0]])}
		if !c.high {
			t.low, t.high = t.high, t.low
		}
		if best == nil || cmp.Or(cmp.Compare(t.cost(), best.cost()), cmp.Compare(t.form.cost(), best.form.cost())) < 0 {
			best = t
		}
	}
	return best
}

// cuts are those to try first: some that take all of an outcome, some with cheap forms
// that leave not too much, and some that leave least.
func (g *grower) cuts(rows []int) (best []cut) {
	var all []cut
	for i := range g.forms {
		if f := &g.forms[i]; f.known || counting(&f.form) <= simple {
			all = append(all, g.cut(f, rows)...)
		}
	}
	some := func(good func(c *cut) bool) {
		n := 0
		for i := 0; i < len(all) && n < branching; i++ {
			if good(&all[i]) {
				best, n = append(best, all[i]), n+1
			}
		}
	}
	some(func(c *cut) bool { return c.whole })
	some(func(c *cut) bool { return !c.whole && c.rest <= len(rows)-len(rows)/8 })
	slices.SortStableFunc(all, func(a, b cut) int { return cmp.Compare(a.rest, b.rest) })
	some(func(c *cut) bool { return !c.whole })
	return best
}

// counting is how many terms of a form are no arguments.
func counting(f *form) (n int) {
	for _, x := range f.terms {
		if x.arg < 0 {
			n++
		}
	}
	return n
}

// columnsOf are the columns of a form's terms.
func (g *grower) columnsOf(f *form) (columns [][]int64) {
	for _, x := range f.terms {
		columns = append(columns, g.column(g.method, x.term))
	}
	return columns
}

// value is a form's in a row.
func (f *form) value(columns [][]int64, row int) int64 {
	n := f.constant
	for i, x := range f.terms {
		n += x.times * columns[i][row]
	}
	return n
}

// split finds one cut that tells two outcomes apart.
func (g *grower) split(rows []int) *tree {
	first := g.outcome[rows[0]]
	other := g.outcome[rows[slices.IndexFunc(rows, func(r int) bool { return g.outcome[r] != first })]]
	if slices.ContainsFunc(rows, func(r int) bool { return g.outcome[r] != first && g.outcome[r] != other }) {
		return nil
	}
	var best *tree
	for i := range g.forms {
		f := &g.forms[i]
		if best != nil && (!best.open() || best.form.cost() < f.cost()) {
			break
		}
		lo := [2]int64{math.MaxInt64, math.MaxInt64}
		hi := [2]int64{math.MinInt64, math.MinInt64}
		apart := true
		for _, r := range rows {
			k, v := 0, f.value(f.columns, r)
			if g.outcome[r] == other {
				k = 1
			}
			lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
			if lo[0] <= hi[1] && lo[1] <= hi[0] {
				apart = false
				break
			}
		}
		if !apart {
			continue
		}
		t := &tree{form: f.form, low: g.leaf(first), high: g.leaf(other), threshold: lo[1], under: hi[0], over: lo[1]}
		if lo[1] < lo[0] {
			t.low, t.high, t.threshold, t.under, t.over = t.high, t.low, lo[0], hi[1], lo[0]
		}
		if best == nil || !t.open() {
			best = t
		}
	}
	return best
}

// cut is an end of a form's values where all calls have one outcome.
type cut struct {
	form      form
	high      bool // the upper end
	threshold int64
	rest      int  // calls in the remainder
	whole     bool // the remainder lacks an outcome
}

// cut finds the cuts of a form that leave a remainder.
func (g *grower) cut(f *candidate, rows []int) (cuts []cut) {
	lo, hi := make([]int64, len(g.names)), make([]int64, len(g.names))
	for o := range lo {
		lo[o], hi[o] = math.MaxInt64, math.MinInt64
	}
	for _, r := range rows {
		v, o := f.value(f.columns, r), g.outcome[r]
		lo[o], hi[o] = min(lo[o], v), max(hi[o], v)
	}
	top, bottom := 0, 0
	for o := range hi {
		if hi[o] > hi[top] {
			top = o
		}
		if lo[o] < lo[bottom] {
			bottom = o
		}
	}
	above, below := int64(math.MinInt64), int64(math.MaxInt64) // ends of the others
	for o := range hi {
		if o != top {
			above = max(above, hi[o])
		}
		if o != bottom {
			below = min(below, lo[o])
		}
	}
	if above >= hi[top] && below <= lo[bottom] {
		return nil
	}
	high := cut{form: f.form, high: true, threshold: above + 1, whole: lo[top] > above}
	low := cut{form: f.form, threshold: below, whole: hi[bottom] < below}
	for _, r := range rows {
		v := f.value(f.columns, r)
		if v <= above {
			high.rest++
		}
		if v >= below {
			low.rest++
		}
	}
	for _, c := range []cut{high, low} {
		if c.rest < len(rows) {
			cuts = append(cuts, c)
		}
	}
	return cuts
}

// apart are the calls on the pure side of a cut, and the rest.
func (g *grower) apart(f *form, c cut, rows []int) (pure, rest []int) {
	columns := g.columnsOf(f)
	for _, r := range rows {
		if (f.value(columns, r) >= c.threshold) == c.high {
			pure = append(pure, r)
		} else {
			rest = append(rest, r)
		}
	}
	return pure, rest
}

// decide is the leaf of a call.
func (g *grower) decide(t *tree, row int) *tree {
	for t.low != nil {
		if t.form.value(g.columnsOf(&t.form), row) >= t.threshold {
			t = t.high
		} else {
			t = t.low
		}
	}
	return t
}

// pruned is a tree without the cuts that it does without.
func (g *grower) pruned(t *tree, rows []int) *tree {
	if t.low == nil {
		return t
	}
	right := func(t *tree) bool {
		return !slices.ContainsFunc(rows, func(r int) bool { return g.decide(t, r).outcome != g.names[g.outcome[r]] })
	}
	for _, child := range []*tree{t.low, t.high} {
		if right(child) {
			return g.pruned(child, rows)
		}
	}
	columns := g.columnsOf(&t.form)
	var low, high []int
	under, over := int64(math.MinInt64), int64(math.MaxInt64)
	for _, r := range rows {
		if v := t.form.value(columns, r); v >= t.threshold {
			high, over = append(high, r), min(over, v)
		} else {
			low, under = append(low, r), max(under, v)
		}
	}
	pruned := *t
	pruned.low, pruned.high, pruned.under, pruned.over = g.pruned(t.low, low), g.pruned(t.high, high), under, over
	return &pruned
}
