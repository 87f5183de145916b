package clauses

import (
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
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
	Derived   bool     // follows from patterns, is none
	keys      relation // of its matches, if it speaks of such only

	Arrows []SlotLink // its links, if each position has a slot of its own

	// Cross tells which links between the groups are among Arrows: bit 8i+j of
	// Cross[g] is "slot i of group g before slot j of the other group".
	Cross [2]uint64
}

// relation says which of two matches has the smaller key: nothing, or that the
// first one's is smaller or larger.
type relation int8

const (
	smaller relation = -1
	larger  relation = 1
)

// Applies tells whether a clause about two matches speaks of ones with these keys.
func (cl *Clause) Applies(first, second string) bool {
	if cl.keys == larger {
		first, second = second, first
	}
	return !cl.Compares() || formula.Smaller(history.Value(first), history.Value(second))
}

// Compares tells whether the clause applies to some keys only.
func (cl *Clause) Compares() bool { return cl.keys != 0 }

// MayTurn tells whether a new fact, from group first to the other as a bit of
// Cross, may leave the clause with fewer open links or ways out. What is no link
// of the clause may still be a reason why a running operation is no way out.
func (cl *Clause) MayTurn(first int, bit uint64) bool {
	return cl.Arrows == nil || cl.Forbid[0]|cl.Forbid[1] != 0 || cl.Cross[first]&bit != 0
}

// SlotLink is a link between operations of a clause's groups, by slot.
type SlotLink struct {
	FromGroup, From, ToGroup, To uint8
}

// Position is one of a clause's operations, with its links to earlier positions.
type Position struct {
	Kind  int
	Group int
	Links []Link
}

// Link says that the operation at a position comes after (or before) the one
// at an earlier position. No clause needs the latter: positions are in an order
// that the links allow.
type Link struct {
	From  int
	After bool
}

// Shape is what patterns see of a match: its target's kind and the kinds of its
// other operations that are not read-only.
type Shape struct {
	Target  int
	Writers Kinds
}

// maxPositions bounds the operations of a clause.
const maxPositions = 16

// MaxWriters bounds the kinds, besides the target, that make up shapes.
const MaxWriters = 6

// Pairing is a clause for two matches; swapped if the first one plays group 1.
type Pairing struct {
	Clause  int32
	Swapped bool
}

// patterns turns every pattern into a clause, or finds that it never applies.
func (c *compiler) patterns() {
	c.shapes()
	for i := range c.t.Spec.Patterns {
		p := &c.t.Spec.Patterns[i]
		c.drawn(p)
		if h := &p.History; len(h.Ops) == 1 && h.Ops[0].Target == history.Unmatched {
			if k := c.kindOf(h.Ops[0].Kind); k != nil && k.ReadOnly == h.Ops[0].ReadOnly && k.Alone < 0 {
				k.Alone = i
			}
		}
	}
	for i := range c.t.Spec.Patterns {
		c.pattern(i, &c.t.Spec.Patterns[i])
	}
	c.derive()
	for i := range c.r.Kinds {
		if k := &c.r.Kinds[i]; k.Role == Other && k.Alone < 0 {
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
		if k.Role != Self && k.Role != Alone {
			continue
		}
		if bits.OnesCount64(uint64(k.Writers)) > MaxWriters {
			c.fail("the matching", "more than %d kinds match %s", MaxWriters, k.Kind)
			return
		}
		k.Slot = 0
		slot := 1
		for w := k.Writers; w != 0; w &= w - 1 {
			c.r.Kinds[bits.TrailingZeros64(uint64(w))].Slot = slot
			slot++
		}
		for w := k.Writers; ; w = (w - 1) & k.Writers {
			c.r.ShapeOf[Shape{i, w}] = len(c.r.Shapes)
			c.r.Shapes = append(c.r.Shapes, Shape{i, w})
			if w == 0 {
				break
			}
		}
	}
}

func (c *compiler) kindOf(k history.Kind) *Kind {
	for i := range c.r.Kinds {
		if c.r.Kinds[i].Kind == k {
			return &c.r.Kinds[i]
		}
	}
	return nil
}

// pattern adds the clause of one pattern.
func (c *compiler) pattern(n int, p *theory.Pattern) {
	h, what := &p.History, "pattern "+p.Name
	if len(h.Ops) > maxPositions {
		c.fail(what, "it has more than %d operations", maxPositions)
		return
	}
	cl := Clause{Patterns: []int{n}}
	group := map[int]int{} // by target, or by the operation itself if unmatched
	var writers [2]Kinds
	var targets []int
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
		target := o.Target
		switch {
		case target == history.Unmatched && k.Role == Alone:
			target = i
		case target == history.Unmatched && k.Role == Other && k.Alone < 0:
			c.fail(what, "whether %s has no match target depends on what is to come", k.Kind)
			return
		case target == history.Unmatched:
			return // another pattern says it all, or there is no such operation
		case target == i && k.Role == Optional:
			c.fail(what, "whether %s is a match target depends on what is to come", k.Kind)
			return
		case target == i && k.Role != Self, target != i && (k.Target < 0 || k.Role == Self || c.r.Kinds[k.Target].Kind != h.Ops[target].Kind):
			return // nothing matches like this
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
		pos := Position{Kind: k.Index, Group: g}
		if i > 0 {
			pos.Links = []Link{{i - 1, true}}
		}
		cl.Positions = append(cl.Positions, pos)
	}
	for g, t := range targets {
		cl.Shapes = append(cl.Shapes, c.r.ShapeOf[Shape{t, writers[g]}])
		cl.Forbid[g] = c.r.Kinds[t].Writers &^ writers[g]
	}
	if len(cl.Shapes) > 0 {
		c.r.Clauses = append(c.r.Clauses, cl)
	}
}

// index lists clauses by what they speak of.
func (c *compiler) index() {
	r := c.r
	n := len(r.Shapes)
	r.One, r.Two = make([][]int32, n), make([][]Pairing, n*n)
	r.Refuters = make([][]int32, len(r.Kinds))
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		if c.redundant(i) {
			continue
		}
		c.arrows(cl)
		last := cl.Positions[len(cl.Positions)-1].Kind
		r.Refuters[last] = append(r.Refuters[last], int32(i))
		if len(cl.Shapes) == 1 {
			r.One[cl.Shapes[0]] = append(r.One[cl.Shapes[0]], int32(i))
			continue
		}
		a, b := cl.Shapes[0], cl.Shapes[1]
		r.Two[a*n+b] = append(r.Two[a*n+b], Pairing{int32(i), false})
		r.Two[b*n+a] = append(r.Two[b*n+a], Pairing{int32(i), true})
	}
	c.pivots()
}

// arrows finds the slots of a clause's links.
func (c *compiler) arrows(cl *Clause) {
	type slot struct{ group, slot int }
	seen := map[slot]bool{}
	at := func(i int) slot { return slot{cl.Positions[i].Group, c.r.Kinds[cl.Positions[i].Kind].Slot} }
	var all []SlotLink
	for i, p := range cl.Positions {
		if at(i).slot < 0 || seen[at(i)] {
			return
		}
		seen[at(i)] = true
		for _, l := range p.Links {
			a, b := at(l.From), at(i)
			if !l.After {
				a, b = b, a
			}
			all = append(all, SlotLink{uint8(a.group), uint8(a.slot), uint8(b.group), uint8(b.slot)})
		}
	}
	slices.SortStableFunc(all, func(a, b SlotLink) int { // those between matches decide most often
		return boolInt(a.FromGroup == a.ToGroup) - boolInt(b.FromGroup == b.ToGroup)
	})
	cl.Arrows = all
	for _, l := range all {
		if l.FromGroup != l.ToGroup {
			cl.Cross[l.FromGroup] |= 1 << (8*l.From + l.To)
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// redundant tells whether clause i is the pattern of a derived clause that says
// more with fewer links.
func (c *compiler) redundant(i int) bool {
	cl := &c.r.Clauses[i]
	return !cl.Derived && slices.ContainsFunc(c.r.Clauses, func(d Clause) bool { return d.Derived && d.implies(cl) })
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
