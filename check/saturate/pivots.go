package saturate

import "slices"

// pivot tells where to look for matches that an operation, just returned, may
// make a pattern with although they do not overlap with its own match.
//
// All such operations are over, so they come before the new one; what of the
// other match lies last in the pattern, at the pivot, lies between two
// operations of the new one's match. Series list the operations of the pivots.
type pivot struct {
	clause     int32
	series     int
	prev, next int // kinds of the operations around it in the pattern; prev may be -1
}

// series names operations of one kind in matches of one shape.
type series struct{ kind, shape int }

// pivots finds the pivots, by kind of the new operation and shape of its match.
func (c *compiler) pivots() {
	r := c.r
	r.pivots = make([][]pivot, len(r.shapes)*len(r.kinds))
	r.listed = make([]int32, len(r.shapes)*len(r.kinds))
	for i := range r.listed {
		r.listed[i] = -1
	}
	for i := range r.clauses {
		cl := &r.clauses[i]
		if cl.derived || len(cl.shapes) < 2 {
			continue
		}
		for x := range cl.pos {
			c.pivot(int32(i), cl, x)
		}
	}
}

// pivot handles position x of a pattern.
func (c *compiler) pivot(i int32, cl *clause, x int) {
	r, g := c.r, cl.pos[x].group
	at := -1 // the last of the other match
	for j, p := range cl.pos {
		if p.group != g {
			at = j
		}
	}
	if at > x {
		return // what comes after the new operation overlaps with it
	}
	if x == len(cl.pos)-1 && r.violates(eventsOf(cl.pos[:x])) {
		return // the others violate already unless a running operation helps: see match.blocked
	}
	p := pivot{clause: i, prev: -1, next: cl.pos[at+1].kind}
	for j := at - 1; j >= 0; j-- {
		if cl.pos[j].group == g {
			p.prev = cl.pos[j].kind
			break
		}
	}
	p.series = r.seriesOf(series{cl.pos[at].kind, cl.shapes[1-g]})
	n := cl.shapes[g]*len(r.kinds) + cl.pos[x].kind
	if !slices.ContainsFunc(r.pivots[n], func(q pivot) bool { return q.series == p.series && q.prev == p.prev && q.next == p.next }) {
		r.pivots[n] = append(r.pivots[n], p)
	}
}

func (r *Rules) seriesOf(s series) int {
	n := s.shape*len(r.kinds) + s.kind
	if r.listed[n] < 0 {
		r.listed[n] = int32(r.series)
		r.series++
	}
	return int(r.listed[n])
}
