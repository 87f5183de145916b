package clauses

import "slices"

// Pairing is a clause for two matches; swapped if the first one plays group 1.
type Pairing struct {
	Clause  int32
	Swapped bool
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

// redundant reports whether clause i is the pattern of a derived clause that says
// more with fewer links.
func (c *compiler) redundant(i int) bool {
	cl := &c.r.Clauses[i]
	return !cl.Derived && slices.ContainsFunc(c.r.Clauses, func(d Clause) bool { return d.Derived && d.implies(cl) })
}

// arrows finds the slots of a clause's links: those between matches first, which
// decide most often.
func (c *compiler) arrows(cl *Clause) {
	type slot struct{ group, slot int }
	seen := map[slot]bool{}
	at := func(i int) slot { return slot{cl.Positions[i].Group, c.r.Kinds[cl.Positions[i].Kind].Slot} }
	var between, within []SlotLink
	for i, p := range cl.Positions {
		if at(i).slot < 0 || seen[at(i)] {
			return
		}
		seen[at(i)] = true
		for _, j := range p.After {
			a, b := at(j), at(i)
			l := SlotLink{uint8(a.group), uint8(a.slot), uint8(b.group), uint8(b.slot)}
			if a.group == b.group {
				within = append(within, l)
				continue
			}
			between = append(between, l)
			cl.Cross[l.FromGroup] |= 1 << (8*l.From + l.To)
		}
	}
	cl.Arrows = append(between, within...)
}

// Pivot says where to look for matches that an operation, just returned, may
// make a pattern with although they do not overlap with its own match.
//
// All such operations are over, so they come before the new one. The last
// operation of the other match in the pattern, at the pivot, lies between two
// operations of the new one's match. Series list the operations of the pivots.
type Pivot struct {
	Series     int
	Prev, Next int // kinds of the operations around it in the pattern; prev may be -1
}

// pivots finds the pivots, by kind of the new operation and shape of its match.
func (c *compiler) pivots() {
	r := c.r
	r.Pivots = make([][]Pivot, len(r.Shapes)*len(r.Kinds))
	r.Listed = make([]int32, len(r.Shapes)*len(r.Kinds))
	for i := range r.Listed {
		r.Listed[i] = -1
	}
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		if cl.Derived || len(cl.Shapes) < 2 {
			continue
		}
		for x := range cl.Positions {
			c.pivot(cl, x)
		}
	}
}

// pivot handles position x of a pattern.
func (c *compiler) pivot(cl *Clause, x int) {
	r, g := c.r, cl.Positions[x].Group
	at := -1 // the last of the other match
	for j, p := range cl.Positions {
		if p.Group != g {
			at = j
		}
	}
	if at > x {
		return // what comes after the new operation overlaps with it
	}
	if x == len(cl.Positions)-1 && r.always(eventsOf(cl.Positions[:x]), cl.keys) {
		return // the others violate already unless a running operation helps: see saturate's match.blocked
	}
	p := Pivot{Prev: -1, Next: cl.Positions[at+1].Kind}
	for j := at - 1; j >= 0; j-- {
		if cl.Positions[j].Group == g {
			p.Prev = cl.Positions[j].Kind
			break
		}
	}
	listed := &r.Listed[cl.Shapes[1-g]*len(r.Kinds)+cl.Positions[at].Kind]
	if *listed < 0 {
		*listed = int32(r.Series)
		r.Series++
	}
	p.Series = int(*listed)
	n := cl.Shapes[g]*len(r.Kinds) + cl.Positions[x].Kind
	if !slices.Contains(r.Pivots[n], p) {
		r.Pivots[n] = append(r.Pivots[n], p)
	}
}
