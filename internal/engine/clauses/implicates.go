package clauses

import "slices"

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

// related reports whether some pattern speaks of two matches of these shapes.
func (c *compiler) related(a, b, patterns int) bool {
	return slices.ContainsFunc(c.r.Clauses[:patterns], func(cl Clause) bool {
		return len(cl.Shapes) == 2 && (cl.Shapes[0] == a && cl.Shapes[1] == b || cl.Shapes[0] == b && cl.Shapes[1] == a)
	})
}

// A set of arrows, "event i before event j" of n, is a bit set: bit i*n+j.

// implicatesOf derives the clauses of one pair of shapes, of matches whose keys
// are in a relation.
func (c *compiler) implicatesOf(a, b int, keys relation) {
	events := append(c.r.members(a, 0), c.r.members(b, 1)...)
	n := len(events)
	if n > maxMembers {
		return
	}
	singly, admitted := c.orders(events, keys)
	var found []uint64
	var grow func(set uint64, from, size int)
	grow = func(set uint64, from, size int) {
		if size == 0 {
			if !contained(admitted, set) && contained(singly, set) &&
				!slices.ContainsFunc(found, func(f uint64) bool { return set&f == f }) {
				found = append(found, set)
			}
			return
		}
		for x := from; x < n*n; x++ {
			if events[x/n].group != events[x%n].group && !inAll(admitted, x) {
				grow(set|1<<x, x+1, size-1)
			}
		}
	}
	for size := 1; size <= maxLinks; size++ {
		grow(0, 0, size)
	}
	for i, set := range found {
		if a == b && keys == 0 && i > slices.Index(found, mirror(set, n)) {
			continue // its mirror image says the same
		}
		cl := c.derived(a, b, events, set)
		cl.keys = keys
		c.addClause(cl)
	}
}

// orders lists orders of the operations of two matches as sets of arrows: those in
// which each match by itself shows no pattern, and of these the ones in which both
// together do not.
func (c *compiler) orders(events []event, keys relation) (singly, admitted []uint64) {
	permute(slices.Clone(events), func(order []event) {
		if c.r.violates(only(order, 0), 0) || c.r.violates(only(order, 1), 0) {
			return
		}
		var set uint64
		for x, e := range order {
			for _, f := range order[x+1:] {
				set |= 1 << (slices.Index(events, e)*len(events) + slices.Index(events, f))
			}
		}
		singly = append(singly, set)
		if !c.r.violates(order, keys) {
			admitted = append(admitted, set)
		}
	})
	return singly, admitted
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

// contained reports whether some order has all arrows of the set.
func contained(orders []uint64, set uint64) bool {
	return slices.ContainsFunc(orders, func(o uint64) bool { return o&set == set })
}

// inAll reports whether all orders have arrow x.
func inAll(orders []uint64, x int) bool {
	return !slices.ContainsFunc(orders, func(o uint64) bool { return o>>x&1 == 0 })
}

// mirror is the set with the two matches, of half of n events each, exchanged.
func mirror(set uint64, n int) (m uint64) {
	for x := range n * n {
		if set>>x&1 == 1 {
			i, j := (x/n+n/2)%n, (x%n+n/2)%n
			m |= 1 << (i*n + j)
		}
	}
	return m
}

// derived makes a clause of a set of arrows. Its events are in an order that the
// arrows allow, otherwise as they come.
func (c *compiler) derived(a, b int, events []event, set uint64) Clause {
	cl := Clause{Derived: true, Shapes: []int{a, b}}
	n := len(events)
	var mentioned, order []int
	for x := range n * n {
		if set>>x&1 == 1 {
			mentioned = append(mentioned, x/n, x%n)
		}
	}
	arrow := func(i, j int) bool { return set>>(i*n+j)&1 == 1 }
	for len(order) < len(events) {
		next := slices.IndexFunc(mentioned, func(e int) bool {
			return !slices.Contains(order, e) && !slices.ContainsFunc(mentioned, func(i int) bool { return arrow(i, e) && !slices.Contains(order, i) })
		})
		if next < 0 {
			break
		}
		e := mentioned[next]
		p := Position{Kind: events[e].kind, Group: events[e].group}
		for at, i := range order {
			if arrow(i, e) {
				p.After = append(p.After, at)
			}
		}
		order, cl.Positions = append(order, e), append(cl.Positions, p)
	}
	for i := range c.r.Clauses {
		if p := &c.r.Clauses[i]; !p.Derived && (p.speaksOf(a) && p.speaksOf(b)) {
			cl.Patterns = append(cl.Patterns, p.Patterns...)
		}
	}
	return cl
}

func (cl *Clause) speaksOf(s int) bool { return slices.Contains(cl.Shapes, s) }

// implies reports whether a derived clause excludes all that pattern p does: its
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
		for _, from := range q.After {
			if i := at(cl.Positions[from]); i < 0 || i > j {
				return false
			}
		}
	}
	return true
}
