package laws

import (
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Bounds of a law, and of the search for one.
const (
	mostRules   = 9  // beside "otherwise"
	fewestRows  = 2  // that a rule is made for
	manyRows    = 6  // in which a term is no coincidence
	topTerms    = 24 // that rules are tried with
	pairedTerms = 6  // and with two conditions
	topGuards   = 40
)

// plain puts the cheapest term into each rule that is right where the rule decides: what covered most rows may be
// far from it, and where it is right by chance a reader wonders why.
func (c *cover) plain(l *eq.Law) {
	open := c.all
	for i := range l.Rules {
		in := open
		if g := l.Rules[i].If; g != nil {
			if in = open.and(c.where(g)); in.empty() {
				continue
			}
		}
		open = open.minus(in)
		if t := c.alone(in); t != nil && in.count() >= manyRows && !l.Rules[i].Then.Equal(t.e) && t.e.Cost() < l.Rules[i].Then.Cost() {
			l.Rules[i].Then = t.e
		}
	}
}

// where are the rows in which a condition holds.
func (c *cover) where(g *eq.Expr) rowset {
	in := newRows(len(c.rows))
	for i := range c.rows {
		if v, known := c.eval(g, &c.rows[i]); known && v == c.w.store.Truth(true) {
			in.add(i)
		}
	}
	return in
}

type cover struct {
	*problem
	terms  []*term // of the problem, by how often they are right
	guards []*guard
	forms  []*form
	all    rowset
}

// alone is the cheapest term that is right in all of some rows; nil: there is none.
func (c *cover) alone(rows rowset) (best *term) {
	for _, t := range c.terms {
		if rows.within(rows, t.right) && (best == nil || c.price(t) < c.price(best)) {
			best = t
		}
	}
	return best
}

// failures are the answers after which everything is as it was.
func (c *cover) failures(last *term) (out []*guard) {
	for _, g := range c.guards {
		if e := g.e; e.Name == "==" && e.Args[0].Form == eq.Var && e.Args[1].Form == eq.Const && e.Args[0].Slot() >= c.answersAt && e.Args[0].Slot() < c.answersEnd &&
			c.w.store.Is(e.Args[1].ConstOf(), eq.Word) && g.in.within(c.all, last.right) {
			out = append(out, g)
		}
	}
	return out
}

// price is a term's cost; what stays as it was is cheap.
func (c *cover) price(t *term) int {
	if c.before != nil && t.e.Equal(c.before) {
		return 0
	}
	return t.cost
}

// lasts are what may be the case otherwise.
func (c *cover) lasts() (out []*term) {
	for _, t := range c.terms {
		if c.before != nil && t.e.Equal(c.before) {
			out = append(out, t)
		}
	}
	for _, t := range c.terms[:min(len(c.terms), 4)] {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// change is what is most often the case where the first of some terms, what was before, is
// wrong; nil: it is one of them. Conditions for a change are most often joined by "and", so
// that each of their opposites is a case in which nothing changes.
func (c *cover) change(lasts []*term) *term {
	if c.before == nil || len(lasts) == 0 {
		return nil
	}
	if ts := c.useful(c.all.minus(lasts[0].right)); len(ts) > 0 && !slices.Contains(lasts, ts[0]) {
		return ts[0]
	}
	return nil
}

// list makes rules for the rows in which last is wrong; nil: all rows, and then something
// that is right in what is left.
func (c *cover) list(last *term, first []*guard) *eq.Law {
	left := c.all
	open := c.all // rows that no rule has decided
	var law eq.Law
	for _, g := range first {
		law.Rules = append(law.Rules, eq.Rule{If: g.e, Then: last.e})
		left, open = left.minus(g.in), open.minus(g.in)
	}
	for {
		todo := left
		if last != nil {
			todo = left.minus(last.right)
		}
		if todo.empty() {
			if last != nil {
				law.Rules = append(law.Rules, eq.Rule{Then: last.e})
			}
			return &law
		}
		if last == nil {
			if t := c.alone(left); t != nil {
				law.Rules = append(law.Rules, eq.Rule{Then: t.e})
				return &law
			}
		}
		if len(law.Rules) == mostRules+len(first) {
			return &law
		}
		r, in := c.rule(open, todo)
		if in == nil {
			return &law
		}
		law.Rules = append(law.Rules, r)
		left, open = left.minus(in), open.minus(in)
	}
}

// candidate is a rule that may be the next.
type candidate struct {
	e     *eq.Expr
	then  *term
	in    rowset
	score float64
}

// rule is the best rule for open rows, which is right in all of those that its condition
// lets in. Best is what covers most rows to do, for its cost.
func (c *cover) rule(open, todo rowset) (eq.Rule, rowset) {
	if c.w.work > 2*c.w.most { // one law may take more than is left
		return eq.Rule{}, nil
	}
	var best candidate
	var price int
	consider := func(e func() *eq.Expr, cost int, t *term, some ...rowset) { // the rows in all of some sets
		n := 0
		if len(some) == 1 {
			n = some[0].both(todo)
		} else {
			n = some[0].both3(some[1], todo)
		}
		if n < fewestRows {
			return
		}
		if score := float64(n) / (3 + float64(cost+price)); score > best.score {
			in := some[0]
			if len(some) > 1 {
				in = in.and(some[1])
			}
			best = candidate{e(), t, in, score}
		}
	}
	ts := c.useful(todo)
	for i, t := range ts {
		// A condition lets in no row in which the term is wrong, so that it covers no
		// more rows to do than those of right that it may let in: what cannot be better
		// than the best by that is not tried.
		price = c.price(t)
		hopeless := func(right, cost int) bool {
			return right < fewestRows || float64(right)/(3+float64(cost+price)) <= best.score
		}
		wrong := open.minus(t.right)
		if wrong.empty() {
			continue // it is right wherever it is said; a condition only narrows it down
		}
		right := t.right.both(todo)
		for _, g := range c.guards {
			if !hopeless(right, g.cost) && g.in.both(wrong) == 0 {
				consider(func() *eq.Expr { return g.e }, g.cost, t, g.in, open)
			}
		}
		for _, f := range c.forms {
			if c.w.work += len(open); !hopeless(right, f.cost) {
				c.bounded(f, open, wrong, todo, func(e func() *eq.Expr, cost int, in rowset) { consider(e, cost, t, in) })
			}
		}
		if i < pairedTerms {
			c.pairs(t, open, wrong, todo, hopeless, consider)
		}
	}
	if best.e == nil {
		return eq.Rule{}, nil
	}
	return eq.Rule{If: best.e, Then: best.then.e}, best.in
}

// useful are the terms that are right in most of the rows to do.
func (c *cover) useful(todo rowset) []*term {
	type counted struct {
		*term
		n int
	}
	var all []counted
	for _, t := range c.terms {
		if n := t.right.both(todo); n >= fewestRows {
			all = append(all, counted{t, n})
		}
	}
	slices.SortStableFunc(all, func(a, b counted) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return c.price(a.term) - c.price(b.term)
	})
	var out []*term
	for _, t := range all[:min(len(all), topTerms)] {
		out = append(out, t.term)
	}
	return out
}

// bounded gives the conditions on a form that no wrong row meets.
func (c *cover) bounded(f *form, open, wrong, todo rowset, give func(e func() *eq.Expr, cost int, in rowset)) {
	price := func(n int64) int {
		if n == 0 || n == 1 {
			return f.cost
		}
		return f.cost + 1
	}
	if in, bound := f.beyond(open, wrong, todo, false); in != nil {
		give(func() *eq.Expr { return f.make(true, bound) }, price(bound), in)
	}
	if in, bound := f.beyond(open, wrong, todo, true); in != nil {
		give(func() *eq.Expr { return f.make(false, bound+1) }, price(bound+1), in)
	}
}

// pairs gives two conditions that together let in no wrong row.
func (c *cover) pairs(t *term, open, wrong, todo rowset, hopeless func(right, cost int) bool, consider func(func() *eq.Expr, int, *term, ...rowset)) {
	type halved struct {
		*guard
		good, rank int
	}
	var some []halved
	right := todo.and(t.right)
	all := max(1, right.count())
	goods := make([]int, len(c.guards))
	for i, g := range c.guards {
		good, bad := g.in.both(right), g.in.both(wrong)
		if goods[i] = good; good >= fewestRows && bad > 0 {
			some = append(some, halved{g, good, good*1000/(good+bad) + good*500/all})
		}
	}
	slices.SortStableFunc(some, func(a, b halved) int {
		if a.rank != b.rank {
			return b.rank - a.rank
		}
		return a.cost - b.cost
	})
	for i, g := range some[:min(len(some), topGuards)] {
		c.w.work += len(c.guards) * len(open)
		if i < topGuards/3 {
			c.w.work += len(c.forms) * len(open)
		}
		if hopeless(g.good, g.cost) {
			continue
		}
		in, bad := g.in.and(open), g.in.and(wrong)
		for k, h := range c.guards {
			if !hopeless(min(g.good, goods[k]), g.cost+h.cost) && h.in.both(bad) == 0 {
				consider(func() *eq.Expr { return eq.NewOp("and", g.e, h.e) }, g.cost+h.cost, t, in, h.in)
			}
		}
		if i >= topGuards/3 {
			continue
		}
		for _, f := range c.forms {
			if !hopeless(g.good, g.cost+f.cost) {
				c.bounded(f, in, bad, todo, func(e func() *eq.Expr, cost int, in rowset) {
					consider(func() *eq.Expr { return eq.NewOp("and", g.e, e()) }, g.cost+cost, t, in)
				})
			}
		}
	}
}
