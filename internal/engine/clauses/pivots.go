package clauses

import "slices"

// Pivot tells where to look for matches that an operation, just returned, may
// make a pattern with although they do not overlap with its own match.
//
// All such operations are over, so they come before the new one; what of the
// other match lies last in the pattern, at the pivot, lies between two
// operations of the new one's match. Series list the operations of the pivots.
type Pivot struct {
	clause     int32
	Series     int
	Prev, Next int // kinds of the operations around it in the pattern; prev may be -1
}

// series names operations of one kind in matches of one shape.
type series struct{ kind, shape int }

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
			c.pivot(int32(i), cl, x)
		}
	}
}

// pivot handles position x of a pattern.
func (c *compiler) pivot(i int32, cl *Clause, x int) {
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
		return // the others violate already unless a running operation helps: see match.blocked
	}
	p := Pivot{clause: i, Prev: -1, Next: cl.Positions[at+1].Kind}
	for j := at - 1; j >= 0; j-- {
		if cl.Positions[j].Group == g {
			p.Prev = cl.Positions[j].Kind
			break
		}
	}
	p.Series = r.seriesOf(series{cl.Positions[at].Kind, cl.Shapes[1-g]})
	n := cl.Shapes[g]*len(r.Kinds) + cl.Positions[x].Kind
	if !slices.ContainsFunc(r.Pivots[n], func(q Pivot) bool { return q.Series == p.Series && q.Prev == p.Prev && q.Next == p.Next }) {
		r.Pivots[n] = append(r.Pivots[n], p)
	}
}

func (r *Rules) seriesOf(s series) int {
	n := s.shape*len(r.Kinds) + s.kind
	if r.Listed[n] < 0 {
		r.Listed[n] = int32(r.Series)
		r.Series++
	}
	return int(r.Listed[n])
}
