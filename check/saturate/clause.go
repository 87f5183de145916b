package saturate

import (
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// clause is something that the operations of one or two matches never show: all
// of the links at once. It speaks of matches of exactly the given shapes; a
// pending operation that could change a shape is a way out.
type clause struct {
	patterns []int // what it rests on
	shapes   []int // by group: one or two
	pos      []position
	forbid   [2]kinds // what changes the shapes: the other writers
	derived  bool     // follows from patterns, is none

	arrows []slotLink // its links, if each position has a slot of its own
}

// slotLink is a link between operations of a clause's groups, by slot.
type slotLink struct {
	fromGroup, from, toGroup, to uint8
}

// position is one of a clause's operations, with its links to earlier positions.
type position struct {
	kind  int
	group int
	links []link
}

// link says that the operation at a position comes after (or before) the one
// at an earlier position.
type link struct {
	from  int
	after bool
}

// shape is what patterns see of a match: its target's kind and the kinds of its
// other operations that are not read-only.
type shape struct {
	target  int
	writers kinds
}

// maxWriters bounds the kinds, besides the target, that make up shapes.
const maxWriters = 6

// pairing is a clause for two matches; swapped if the first one plays group 1.
type pairing struct {
	clause  int32
	swapped bool
}

// patterns turns every pattern into a clause, or finds that it never applies.
func (c *compiler) patterns() {
	c.shapes()
	for i := range c.t.Spec.Patterns {
		p := &c.t.Spec.Patterns[i]
		c.r.names = append(c.r.names, p.Name)
		c.drawn(p)
		if h := &p.History; len(h.Ops) == 1 && h.Ops[0].Target == history.Unmatched {
			if k := c.kindOf(h.Ops[0].Kind); k != nil && k.readOnly == h.Ops[0].ReadOnly && k.alone < 0 {
				k.alone = i
			}
		}
	}
	for i := range c.t.Spec.Patterns {
		c.pattern(i, &c.t.Spec.Patterns[i])
	}
	for i := range c.r.kinds {
		if k := &c.r.kinds[i]; k.role == other && k.alone < 0 {
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
	for i := range c.r.kinds {
		c.r.kinds[i].slot = -1
	}
	for i := range c.r.kinds {
		k := &c.r.kinds[i]
		if k.role != self && k.role != alone {
			continue
		}
		if bits.OnesCount64(uint64(k.writers)) > maxWriters {
			c.fail("the matching", "more than %d kinds match %s", maxWriters, k.Kind)
			return
		}
		k.slot = 0
		slot := 1
		for w := k.writers; w != 0; w &= w - 1 {
			c.r.kinds[bits.TrailingZeros64(uint64(w))].slot = slot
			slot++
		}
		for w := k.writers; ; w = (w - 1) & k.writers {
			c.r.shapeOf[shape{i, w}] = len(c.r.shapes)
			c.r.shapes = append(c.r.shapes, shape{i, w})
			if w == 0 {
				break
			}
		}
	}
}

func (c *compiler) kindOf(k history.Kind) *kind {
	for i := range c.r.kinds {
		if c.r.kinds[i].Kind == k {
			return &c.r.kinds[i]
		}
	}
	return nil
}

// pattern adds the clause of one pattern.
func (c *compiler) pattern(n int, p *theory.Pattern) {
	h, what := &p.History, "pattern "+p.Name
	cl := clause{patterns: []int{n}}
	group := map[int]int{} // by target, or by the operation itself if unmatched
	var writers [2]kinds
	var targets []int
	for i := range h.Ops {
		o := &h.Ops[i]
		if !o.Completed || i > 0 && !h.Before(i-1, i) {
			c.fail(what, "it is not a sequence of completed operations")
			return
		}
		k := c.kindOf(o.Kind)
		if k == nil || k.readOnly != o.ReadOnly {
			return // no operation is like this one
		}
		target := o.Target
		switch {
		case target == history.Unmatched && k.role == alone:
			target = i
		case target == history.Unmatched && k.role == other && k.alone < 0:
			c.fail(what, "whether %s has no match target depends on what is to come", k.Kind)
			return
		case target == history.Unmatched:
			return // another pattern says it all, or there is no such operation
		case target == i && k.role == optional:
			c.fail(what, "whether %s is a match target depends on what is to come", k.Kind)
			return
		case target == i && k.role != self, target != i && (k.target < 0 || k.role == self || c.r.kinds[k.target].Kind != h.Ops[target].Kind):
			return // nothing matches like this
		}
		g, ok := group[target]
		if !ok {
			if g = len(group); g == 2 {
				c.fail(what, "it speaks of more than two matches")
				return
			}
			group[target] = g
			targets = append(targets, c.kindOf(h.Ops[target].Kind).index)
		}
		if target != i && !k.readOnly {
			writers[g] |= 1 << k.index
		}
		pos := position{kind: k.index, group: g}
		if i > 0 {
			pos.links = []link{{i - 1, true}}
		}
		cl.pos = append(cl.pos, pos)
	}
	for g, t := range targets {
		cl.shapes = append(cl.shapes, c.r.shapeOf[shape{t, writers[g]}])
		cl.forbid[g] = c.r.kinds[t].writers &^ writers[g]
	}
	if len(cl.shapes) > 0 {
		c.r.clauses = append(c.r.clauses, cl)
	}
}

// index lists clauses by what they speak of.
func (c *compiler) index() {
	r := c.r
	n := len(r.shapes)
	r.one, r.two = make([][]int32, n), make([][]pairing, n*n)
	r.refuters = make([][]int32, len(r.kinds))
	for i := range r.clauses {
		cl := &r.clauses[i]
		if c.redundant(i) {
			continue
		}
		c.arrows(cl)
		last := cl.pos[len(cl.pos)-1].kind
		r.refuters[last] = append(r.refuters[last], int32(i))
		if len(cl.shapes) == 1 {
			r.one[cl.shapes[0]] = append(r.one[cl.shapes[0]], int32(i))
			continue
		}
		a, b := cl.shapes[0], cl.shapes[1]
		r.two[a*n+b] = append(r.two[a*n+b], pairing{int32(i), false})
		r.two[b*n+a] = append(r.two[b*n+a], pairing{int32(i), true})
	}
	c.pivots()
}

// arrows finds the slots of a clause's links.
func (c *compiler) arrows(cl *clause) {
	type slot struct{ group, slot int }
	seen := map[slot]bool{}
	at := func(i int) slot { return slot{cl.pos[i].group, c.r.kinds[cl.pos[i].kind].slot} }
	var all []slotLink
	for i, p := range cl.pos {
		if at(i).slot < 0 || seen[at(i)] {
			return
		}
		seen[at(i)] = true
		for _, l := range p.links {
			a, b := at(l.from), at(i)
			if !l.after {
				a, b = b, a
			}
			all = append(all, slotLink{uint8(a.group), uint8(a.slot), uint8(b.group), uint8(b.slot)})
		}
	}
	slices.SortStableFunc(all, func(a, b slotLink) int { // those between matches decide most often
		return boolInt(a.fromGroup == a.toGroup) - boolInt(b.fromGroup == b.toGroup)
	})
	cl.arrows = all
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
	cl := &c.r.clauses[i]
	return !cl.derived && slices.ContainsFunc(c.r.clauses, func(d clause) bool { return d.derived && d.implies(cl) })
}
