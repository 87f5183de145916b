package clauses

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
	patterns := len(r.Clauses)
	for a := range r.Shapes {
		for b := a; b < len(r.Shapes); b++ {
			if !c.related(a, b, patterns) {
				continue
			}
			for _, keys := range r.relations(append(r.members(a, 0), r.members(b, 1)...)) {
				if a != b || keys != larger { // else the matches change places
					c.implicatesOf(a, b, keys)
				}
			}
		}
	}
}

// related tells whether some pattern speaks of two matches of these shapes.
func (c *compiler) related(a, b, patterns int) bool {
	return slices.ContainsFunc(c.r.Clauses[:patterns], func(cl Clause) bool {
		return len(cl.Shapes) == 2 && (cl.Shapes[0] == a && cl.Shapes[1] == b || cl.Shapes[0] == b && cl.Shapes[1] == a)
	})
}

// arrow is "event i before event j"; a set of arrows is a bit set.
type arrow struct{ i, j int }

// implicatesOf derives the clauses of one pair of shapes, of matches whose keys
// are in a relation.
func (c *compiler) implicatesOf(a, b int, keys relation) {
	r := c.r
	events := append(r.members(a, 0), r.members(b, 1)...)
	n := len(events)
	if n > maxMembers {
		return
	}
	arrows, sets := c.orders(events, keys)
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
		if a == b && keys == 0 && slices.Index(found, set) > slices.Index(found, mirror(set, arrows, n/2)) {
			continue // its mirror image says the same
		}
		cl := c.derived(a, b, events, arrows, set)
		cl.keys = keys
		r.Clauses = append(r.Clauses, cl)
	}
}

// orderSets are orders of the operations of two matches, as sets of arrows:
// those in which each match by itself shows no pattern, and of those the ones
// in which both together do not.
type orderSets struct{ each, admitted []uint64 }

// orders lists all arrows and all orders.
func (c *compiler) orders(events []event, keys relation) (arrows []arrow, sets orderSets) {
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
		if c.r.violates(only(order, 0), 0) || c.r.violates(only(order, 1), 0) {
			return
		}
		sets.each = append(sets.each, set)
		if !c.r.violates(order, keys) {
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
func (c *compiler) derived(a, b int, events []event, arrows []arrow, set uint64) Clause {
	cl := Clause{Derived: true, Shapes: []int{a, b}}
	for g, s := range cl.Shapes {
		sh := c.r.Shapes[s]
		cl.Forbid[g] = c.r.Kinds[sh.Target].Writers &^ sh.Writers
	}
	var links []arrow
	for x := set; x != 0; x &= x - 1 {
		links = append(links, arrows[bits.TrailingZeros64(x)])
	}
	at := map[int]int{} // position by event
	for _, e := range inOrder(links) {
		at[e] = len(cl.Positions)
		cl.Positions = append(cl.Positions, Position{Kind: events[e].kind, Group: events[e].group})
	}
	for _, w := range links {
		p := &cl.Positions[at[w.j]]
		p.Links = append(p.Links, Link{at[w.i], true})
	}
	for i := range c.r.Clauses {
		if p := &c.r.Clauses[i]; !p.Derived && (p.speaksOf(a) && p.speaksOf(b)) {
			cl.Patterns = append(cl.Patterns, p.Patterns...)
		}
	}
	return cl
}

// inOrder lists the events of arrows so that none points backwards, otherwise as
// they come.
func inOrder(links []arrow) (order []int) {
	var events []int
	for _, w := range links {
		for _, e := range []int{w.i, w.j} {
			if !slices.Contains(events, e) {
				events = append(events, e)
			}
		}
	}
	waits := func(e int) bool {
		return slices.Contains(order, e) || slices.ContainsFunc(links, func(w arrow) bool { return w.j == e && !slices.Contains(order, w.i) })
	}
	for range events {
		order = append(order, events[slices.IndexFunc(events, func(e int) bool { return !waits(e) })])
	}
	return order
}

func (cl *Clause) speaksOf(s int) bool { return slices.Contains(cl.Shapes, s) }

// implies tells whether a derived clause excludes all that pattern p does: its
// links are among those of p, through others or not.
func (cl *Clause) implies(p *Clause) bool {
	if len(p.Shapes) != 2 {
		return false
	}
	for flip := range 2 {
		if cl.Shapes[0] == p.Shapes[flip] && cl.Shapes[1] == p.Shapes[1-flip] && cl.speaks(p.keys, flip) && cl.impliesAs(p, flip) {
			return true
		}
	}
	return false
}

func (cl *Clause) impliesAs(p *Clause, flip int) bool {
	at := func(q Position) int {
		return slices.IndexFunc(p.Positions, func(o Position) bool { return o.Kind == q.Kind && o.Group == q.Group^flip })
	}
	for _, q := range cl.Positions {
		j := at(q)
		if j < 0 {
			return false
		}
		for _, l := range q.Links {
			i := at(cl.Positions[l.From])
			if i < 0 || (i < j) != l.After {
				return false
			}
		}
	}
	return true
}
