package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// Clause is something that the operations of one or two matches never show: all
// of the links at once. It speaks of matches of exactly the given shapes; a
// pending operation that could change a shape is a way out.
type Clause struct {
	Patterns  []int // what it rests on
	Shapes    []int // by group: one or two
	Positions []Position
	Forbid    [2]Kinds // what changes the shapes: the other writers
	Derived   bool     // follows from several patterns
	keys      relation // of its matches, if it speaks of such only

	Arrows []SlotLink // its links, if each position has a slot of its own

	// Cross says which links between the groups are among Arrows: bit 8i+j of
	// Cross[g] is "slot i of group g before slot j of the other group".
	Cross [2]uint64
}

// Position is one of a clause's operations. It comes after those at some earlier
// positions.
type Position struct {
	Kind  int
	Group int
	After []int
}

// SlotLink is a link between operations of a clause's groups, by slot.
type SlotLink struct {
	FromGroup, From, ToGroup, To uint8
}

// Shape is what patterns see of a match: its target's kind and the kinds of its
// other operations that are not read-only.
type Shape struct {
	Target  int
	Writers Kinds
}

// MaxPositions bounds the operations of a clause.
const MaxPositions = 16

// MaxWriters bounds the kinds, besides the target, that make up shapes.
const MaxWriters = 6

// relation says which of two matches has the smaller key: nothing, or that the
// first one's is smaller or larger.
type relation int8

const (
	smaller relation = -1
	larger  relation = 1
)

// Applies reports whether a clause about two matches speaks of ones with these keys.
func (cl *Clause) Applies(first, second string) bool {
	if cl.keys == larger {
		first, second = second, first
	}
	return !cl.Compares() || wording.LessInteger(history.Value(first), history.Value(second))
}

// Compares reports whether the clause applies to some keys only.
func (cl *Clause) Compares() bool { return cl.keys != 0 }

// MayTurn reports whether a new fact, from group first to the other as a bit of
// Cross, may leave the clause with fewer open links or ways out. What is no link
// of the clause may still be a reason why a running operation is no way out.
func (cl *Clause) MayTurn(first int, bit uint64) bool {
	return cl.Arrows == nil || cl.Forbid[0]|cl.Forbid[1] != 0 || cl.Cross[first]&bit != 0
}

// PatternsOf names the patterns that a clause rests on.
func (r *Rules) PatternsOf(clause int32) (names []string) {
	if clause < 0 {
		return nil
	}
	for _, p := range r.Clauses[clause].Patterns {
		if !slices.Contains(names, r.Names[p]) {
			names = append(names, r.Names[p])
		}
	}
	return names
}

// addClause adds a clause about matches of some shapes.
func (c *compiler) addClause(cl Clause) {
	for g, s := range cl.Shapes {
		sh := c.r.Shapes[s]
		cl.Forbid[g] = c.r.Kinds[sh.Target].Writers &^ sh.Writers
	}
	c.r.Clauses = append(c.r.Clauses, cl)
}

// chain is the positions of an order, each after the one before; the match that
// comes first is group 0.
func chain(order []event) (all []Position) {
	for i, e := range order {
		p := Position{Kind: e.kind, Group: e.group ^ order[0].group}
		if i > 0 {
			p.After = []int{i - 1}
		}
		all = append(all, p)
	}
	return all
}

// patterns turns every pattern into a clause, or finds that it never applies.
func (c *compiler) patterns() {
	c.shapes()
	for i := range c.t.Spec.Patterns {
		p := &c.t.Spec.Patterns[i]
		c.drawn(p)
		if h := &p.History; len(h.Ops) == 1 && h.Ops[0].Target == history.Unmatched {
			if k := c.kindOf(h.Ops[0].Kind); k != nil && k.ReadOnly == h.Ops[0].ReadOnly && k.WithoutTarget < 0 {
				k.WithoutTarget = i
			}
		}
	}
	for i := range c.t.Spec.Patterns {
		c.pattern(i, &c.t.Spec.Patterns[i])
	}
	c.structuralClauses()
	for i := range c.r.Kinds {
		if k := &c.r.Kinds[i]; k.Role == Other && k.WithoutTarget < 0 {
			c.fail("the patterns", "%s may have no match target", k.Kind)
		}
	}
}

// drawn refuses a pattern whose formula says something else than its history.
func (c *compiler) drawn(p *theory.Pattern) {
	if p.Formula == nil {
		return
	}
	want := formula.Simplify(formula.Embed(&p.History))
	if got := formula.Simplify(c.expand(p.Formula)); formula.String(got) != formula.String(want) {
		c.fail("pattern "+p.Name, "its formula is not the one of its drawing")
	}
}

// shapes numbers all shapes.
func (c *compiler) shapes() {
	for i := range c.r.Kinds {
		c.r.Kinds[i].Slot = -1
	}
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		if k.Role != Self && k.Role != Unmatched {
			continue
		}
		if k.Writers.Len() > MaxWriters {
			c.fail("the matching", "more than %d kinds match %s", MaxWriters, k.Kind)
			return
		}
		k.Slot = 0
		slot := 1
		for w := range k.Writers.All() {
			c.r.Kinds[w].Slot = slot
			slot++
		}
		for w := range k.Writers.subsets() {
			c.r.ShapeOf[Shape{i, w}] = len(c.r.Shapes)
			c.r.Shapes = append(c.r.Shapes, Shape{i, w})
		}
	}
}

// pattern adds the clause of one pattern.
func (c *compiler) pattern(n int, p *theory.Pattern) {
	h, what := &p.History, "pattern "+p.Name
	if len(h.Ops) > MaxPositions {
		c.fail(what, "it has more than %d operations", MaxPositions)
		return
	}
	group := map[int]int{} // by target, or by the operation itself if unmatched
	var writers [2]Kinds
	var targets []int
	var order []event
	for i := range h.Ops {
		o := &h.Ops[i]
		if !o.Completed || i > 0 && !h.Before(i-1, i) {
			c.fail(what, "it is not a sequence of completed operations")
			return
		}
		k := c.kindOf(o.Kind)
		if k == nil || k.ReadOnly != o.ReadOnly {
			return // no operation is like this one
		}
		target, ok := c.targetIn(what, h, i, k)
		if !ok {
			return
		}
		g, ok := group[target]
		if !ok {
			if g = len(group); g == 2 {
				c.fail(what, "it speaks of more than two matches")
				return
			}
			group[target] = g
			targets = append(targets, c.kindOf(h.Ops[target].Kind).Index)
		}
		if target != i && !k.ReadOnly {
			writers[g] |= 1 << k.Index
		}
		order = append(order, event{k.Index, g})
	}
	cl := Clause{Patterns: []int{n}, Positions: chain(order)}
	for g, t := range targets {
		cl.Shapes = append(cl.Shapes, c.r.ShapeOf[Shape{t, writers[g]}])
	}
	if len(cl.Shapes) > 0 {
		c.addClause(cl)
	}
}

// targetIn is the match target of operation i of a pattern, of kind k, or i itself
// if nothing ever joins it; false if no operation matches like this, or the theory
// is refused.
func (c *compiler) targetIn(what string, h *history.History, i int, k *Kind) (target int, ok bool) {
	target = h.Ops[i].Target
	switch {
	case target == history.Unmatched && k.Role == Unmatched:
		return i, true
	case target == history.Unmatched:
		if k.Role == Other && k.WithoutTarget < 0 {
			c.fail(what, "whether %s has no match target depends on what is to come", k.Kind)
		}
		return 0, false // another pattern says it all, or there is no such operation
	case target == i:
		if k.Role == Optional {
			c.fail(what, "whether %s is a match target depends on what is to come", k.Kind)
		}
		return i, k.Role == Self
	}
	return target, k.Target >= 0 && k.Role != Self && c.r.Kinds[k.Target].Kind == h.Ops[target].Kind
}
