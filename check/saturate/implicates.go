package saturate

import (
	"math/bits"
	"slices"
)

// maxMembers bounds the operations of two matches whose orders are all tried.
const maxMembers = 6

// maxLinks is how many links a derived clause has at most.
const maxLinks = 3

// implicates derives clauses of up to maxLinks links about two matches: what no
// order of their operations shows that shows no pattern, though no pattern says
// so with as few links. Unit propagation finds more with them (that of two
// critical sections one comes before the other needs two patterns at once).
func (c *compiler) implicates() {
	r := c.r
	patterns := len(r.clauses)
	for a := range r.shapes {
		for b := a; b < len(r.shapes); b++ {
			if c.related(a, b, patterns) {
				c.implicatesOf(a, b)
			}
		}
	}
}

// related tells whether some pattern speaks of two matches of these shapes.
func (c *compiler) related(a, b, patterns int) bool {
	return slices.ContainsFunc(c.r.clauses[:patterns], func(cl clause) bool {
		return len(cl.shapes) == 2 && (cl.shapes[0] == a && cl.shapes[1] == b || cl.shapes[0] == b && cl.shapes[1] == a)
	})
}

// arrow is "event i before event j"; a set of arrows is a bit set.
type arrow struct{ i, j int }

// implicatesOf derives the clauses of one pair of shapes.
func (c *compiler) implicatesOf(a, b int) {
	r := c.r
	events := append(r.members(a, 0), r.members(b, 1)...)
	n := len(events)
	if n > maxMembers {
		return
	}
	arrows, sets := c.orders(events)
	var found []uint64
	var grow func(set uint64, from, size int)
	grow = func(set uint64, from, size int) {
		if size == 0 {
			if !contained(sets.admitted, set) && contained(sets.each, set) &&
				!slices.ContainsFunc(found, func(f uint64) bool { return set&f == f }) {
				found = append(found, set)
			}
			return
		}
		for x := from; x < len(arrows); x++ {
			if inAll(sets.admitted, x) || events[arrows[x].i].group == events[arrows[x].j].group {
				continue
			}
			grow(set|1<<x, x+1, size-1)
		}
	}
	for size := 1; size <= maxLinks; size++ {
		grow(0, 0, size)
	}
	for _, set := range found {
		if a == b && slices.Index(found, set) > slices.Index(found, mirror(set, arrows, n/2)) {
			continue // its mirror image says the same
		}
		r.clauses = append(r.clauses, c.derived(a, b, events, arrows, set))
	}
}

// orderSets are orders of the operations of two matches, as sets of arrows:
// those in which each match by itself shows no pattern, and of those the ones
// in which both together do not.
type orderSets struct{ each, admitted []uint64 }

// orders lists all arrows and all orders.
func (c *compiler) orders(events []event) (arrows []arrow, sets orderSets) {
	n := len(events)
	number := map[arrow]int{}
	for i := range n {
		for j := range n {
			if i != j {
				number[arrow{i, j}] = len(arrows)
				arrows = append(arrows, arrow{i, j})
			}
		}
	}
	index := map[event]int{}
	for i, e := range events {
		index[e] = i
	}
	permute(slices.Clone(events), func(order []event) {
		var set uint64
		for x, e := range order {
			for _, f := range order[x+1:] {
				set |= 1 << number[arrow{index[e], index[f]}]
			}
		}
		if c.r.violates(only(order, 0)) || c.r.violates(only(order, 1)) {
			return
		}
		sets.each = append(sets.each, set)
		if !c.r.violates(order) {
			sets.admitted = append(sets.admitted, set)
		}
	})
	return arrows, sets
}

// only is an order without the other match.
func only(order []event, group int) (part []event) {
	for _, e := range order {
		if e.group == group {
			part = append(part, e)
		}
	}
	return part
}

// contained tells whether some order has all arrows of the set.
func contained(orders []uint64, set uint64) bool {
	return slices.ContainsFunc(orders, func(o uint64) bool { return o&set == set })
}

// inAll tells whether all orders have arrow x.
func inAll(orders []uint64, x int) bool {
	return !slices.ContainsFunc(orders, func(o uint64) bool { return o>>x&1 == 0 })
}

// mirror is the set with the two matches, of half events each, exchanged.
func mirror(set uint64, arrows []arrow, half int) (m uint64) {
	for x, a := range arrows {
		if set>>x&1 == 1 {
			n := 2 * half
			m |= 1 << slices.Index(arrows, arrow{(a.i + half) % n, (a.j + half) % n})
		}
	}
	return m
}

// derived makes a clause of a set of arrows.
func (c *compiler) derived(a, b int, events []event, arrows []arrow, set uint64) clause {
	cl := clause{derived: true, shapes: []int{a, b}}
	for g, s := range cl.shapes {
		sh := c.r.shapes[s]
		cl.forbid[g] = c.r.kinds[sh.target].writers &^ sh.writers
	}
	at := map[int]int{} // position by event
	position := func(e int) int {
		if _, ok := at[e]; !ok {
			at[e] = len(cl.pos)
			cl.pos = append(cl.pos, position{kind: events[e].kind, group: events[e].group})
		}
		return at[e]
	}
	for x := set; x != 0; x &= x - 1 {
		w := arrows[bits.TrailingZeros64(x)]
		i, j := position(w.i), position(w.j)
		if i < j {
			cl.pos[j].links = append(cl.pos[j].links, link{i, true})
		} else {
			cl.pos[i].links = append(cl.pos[i].links, link{j, false})
		}
	}
	for i := range c.r.clauses {
		if p := &c.r.clauses[i]; !p.derived && (p.speaksOf(a) && p.speaksOf(b)) {
			cl.patterns = append(cl.patterns, p.patterns...)
		}
	}
	return cl
}

func (cl *clause) speaksOf(s int) bool { return slices.Contains(cl.shapes, s) }

// implies tells whether a derived clause excludes all that pattern p does: its
// links are among those of p, through others or not.
func (cl *clause) implies(p *clause) bool {
	if len(p.shapes) != 2 {
		return false
	}
	for flip := range 2 {
		if cl.shapes[0] == p.shapes[flip] && cl.shapes[1] == p.shapes[1-flip] && cl.impliesAs(p, flip) {
			return true
		}
	}
	return false
}

func (cl *clause) impliesAs(p *clause, flip int) bool {
	at := func(q position) int {
		return slices.IndexFunc(p.pos, func(o position) bool { return o.kind == q.kind && o.group == q.group^flip })
	}
	for _, q := range cl.pos {
		j := at(q)
		if j < 0 {
			return false
		}
		for _, l := range q.links {
			i := at(cl.pos[l.from])
			if i < 0 || (i < j) != l.after {
				return false
			}
		}
	}
	return true
}
