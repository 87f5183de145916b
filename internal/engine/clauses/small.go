package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// maxSmall bounds the operations of histories that are tried, maxWork what trying
// all of them takes: steps of evaluation, clauses that are looked at, and
// perHistory for listing one.
const (
	maxSmall   = 7
	maxWork    = 2_000_000
	perHistory = 20
)

// work counts steps. Too many put a theory out of the fragment; then it reports
// false.
func (c *compiler) work(steps int) bool {
	if c.worked += steps; c.worked > maxWork {
		c.fail("the axioms", "too many histories would have to be tried, for the operations and variables that there are")
	}
	return c.err == nil
}

// small is an order of operations as a structure.
type small struct {
	*compiler
	order []event
	keys  relation
}

// Len is asked in each step of an evaluation, which ends soon if it is 0.
func (s *small) Len() int {
	if !s.work(1) {
		return 0
	}
	return len(s.order)
}

func (s *small) Label(i int) *history.Label {
	k := &s.r.Kinds[s.order[i].kind]
	l := &history.Label{Kind: k.Kind}
	if len(s.r.labels.Compared) > 0 && len(k.Key) == 1 {
		l.Args, l.Rets = make([]history.Value, k.Args), make([]history.Value, k.Rets)
		key := history.Value("1")
		if (s.order[i].group == 0) == (s.keys == larger) {
			key = "2"
		}
		if p := k.Key[0]; p.Ret {
			l.Rets[p.Index] = key
		} else {
			l.Args[p.Index] = key
		}
	}
	return l
}
func (s *small) Before(i, j int) bool { return i < j }
func (s *small) ReadOnly(i int) bool  { return s.r.Kinds[s.order[i].kind].ReadOnly }
func (s *small) Completed(int) bool   { return true }

func (s *small) Match(i int) int {
	k := &s.r.Kinds[s.order[i].kind]
	switch k.Role {
	case Self:
		return i
	case Unmatched:
		return history.Unmatched
	}
	for j, e := range s.order {
		if e.group == s.order[i].group && e.kind == k.Target {
			return j
		}
	}
	if k.Role == Optional {
		return i
	}
	return history.Unmatched
}

// structuralClauses turns structural axioms into clauses.
func (c *compiler) structuralClauses() {
	if len(c.structural) == 0 || c.err != nil {
		return
	}
	c.r.FromAxioms = true
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		if k.Role == Other && k.WithoutTarget < 0 {
			if name, broken := c.broken([]event{{i, 0}}, 0, false); broken {
				k.WithoutTarget = name
			}
		}
	}
	readers, groups := 0, 0
	for _, a := range c.structural {
		readers, groups = max(readers, a.vars), max(groups, a.groups)
	}
	var singles [][]event
	for i := range c.r.Kinds {
		switch k := &c.r.Kinds[i]; k.Role {
		case Self, Unmatched:
			singles = append(singles, c.matches(k, readers)...)
			c.duplicateWriters(k)
		case Optional:
			singles = append(singles, []event{{i, 0}})
		}
	}
	if c.err != nil {
		return
	}
	all := singles
	if groups > 1 {
		all = append(all, c.pairs(singles, readers)...)
	}
	slices.SortStableFunc(all, func(a, b []event) int { return len(a) - len(b) })
	for _, events := range all {
		if c.err != nil {
			return
		}
		permute(slices.Clone(events), c.tryOrder)
	}
}

// pairs puts two matches together, with up to so many readers.
func (c *compiler) pairs(singles [][]event, readers int) (all [][]event) {
	for i, a := range singles {
		for _, b := range singles[i:] {
			if !c.work(perHistory) {
				return nil
			}
			if both := slices.Clone(a); len(a)+len(b) <= maxSmall && c.readersIn(a)+c.readersIn(b) <= readers {
				for _, e := range b {
					both = append(both, event{e.kind, 1})
				}
				all = append(all, both)
			}
		}
	}
	return all
}

// matches are the matches that a target of kind k may have: with some writers, and
// up to so many readers.
func (c *compiler) matches(k *Kind, readers int) (all [][]event) {
	for w := range k.Writers.subsets() {
		base := append([]event{{k.Index, 0}}, each(w, 0)...)
		if len(base) > maxSmall {
			c.fail("the axioms", "matches of %s have too many kinds of operations", k.Kind)
			return nil
		}
		all = append(all, c.withReaders(base, each(k.Joiners&^k.Writers, 0), readers)...)
		if c.err != nil {
			break
		}
	}
	return all
}

// withReaders adds up to n readers in all ways.
func (c *compiler) withReaders(base, kinds []event, n int) (all [][]event) {
	all = append(all, base)
	if n == 0 || len(base) == maxSmall || !c.work(perHistory) {
		return all
	}
	for i, e := range kinds {
		all = append(all, c.withReaders(append(slices.Clone(base), e), kinds[i:], n-1)...)
	}
	return all
}

func (c *compiler) readersIn(events []event) (n int) {
	for _, e := range events {
		if k := &c.r.Kinds[e.kind]; k.ReadOnly && k.Role == Other {
			n++
		}
	}
	return n
}

// duplicateWriters refuses the theory unless two writers of a kind in one match are
// excluded, in all orders and whatever else there is; it adds clauses that say so.
func (c *compiler) duplicateWriters(k *Kind) {
	for w := range k.Writers.All() {
		permute([]event{{k.Index, 0}, {w, 0}, {w, 0}}, func(order []event) {
			name, broken := c.broken(order, 0, true)
			if !broken {
				c.fail("the axioms", "they do not exclude two operations %s in one match without looking at others", c.r.Kinds[w].Kind)
				return
			}
			for more := range (k.Writers &^ (1 << w)).subsets() {
				if c.insertAll(name, order, each(more, 0)); c.err != nil {
					return
				}
			}
		})
	}
}

// insertAll adds clauses for an order with more operations at any places.
func (c *compiler) insertAll(name int, order, more []event) {
	if len(more) == 0 {
		if c.work(len(c.r.Clauses)) && !c.r.violates(order, 0) {
			c.addOrder(name, order, 0)
		}
		return
	}
	for i := range len(order) + 1 {
		if c.err != nil {
			return
		}
		c.insertAll(name, slices.Insert(slices.Clone(order), i, more[0]), more[1:])
	}
}

// broken names an axiom that an order breaks; if plain, one without quantifiers.
func (c *compiler) broken(order []event, keys relation, plain bool) (name int, broken bool) {
	for _, a := range c.structural {
		if (a.forall || !plain) && a.violated(&small{c, order, keys}, nil) {
			return a.name, true
		}
	}
	return 0, false
}

// tryOrder adds the clause of an order that breaks an axiom, unless there is one
// that says more.
func (c *compiler) tryOrder(order []event) {
	var names [2]int
	var found []relation
	all := c.r.relations(order)
	if !c.work(len(c.r.Clauses)) {
		return
	}
	for _, keys := range all {
		if c.err != nil || c.r.violates(order, keys) {
			continue
		}
		if name, broken := c.broken(order, keys, false); broken {
			names[len(found)] = name
			found = append(found, keys)
		}
	}
	if len(found) == 2 && names[0] == names[1] {
		found = []relation{0} // whichever is smaller
	}
	for i, keys := range found {
		if k := c.withoutTarget(order); k != nil {
			c.fail("the axioms", "whether %s has another match target depends on what is to come", k.Kind)
			return
		}
		c.addOrder(names[i], order, keys)
	}
}

// withoutTarget is the kind of an operation that matches itself in an order for want of
// another match target, or nil.
func (c *compiler) withoutTarget(order []event) *Kind {
	s := &small{c, order, 0}
	for i, e := range order {
		if k := &c.r.Kinds[e.kind]; k.Role == Optional && s.Match(i) == i {
			return k
		}
	}
	return nil
}

// addOrder adds a clause.
func (c *compiler) addOrder(name int, order []event, keys relation) {
	cl := Clause{Patterns: []int{name}, keys: keys, Positions: chain(order)}
	first := order[0].group
	if first == 1 {
		cl.keys = -keys
	}
	for g := range 2 {
		s := c.r.shapeIn(order, g^first)
		if s < 0 {
			break
		}
		cl.Shapes = append(cl.Shapes, s)
	}
	c.addClause(cl)
}
