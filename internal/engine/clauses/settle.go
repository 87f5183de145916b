package clauses

import "math/bits"

// settle finds the shapes whose matches may be forgotten once no running
// operation overlaps them. Two things must be so:
//
// The match is closed: whatever may join it later comes after all of its
// operations, and violates. Then an operation that would have joined it finds
// nothing, and violates just so.
//
// The match is settled: where another match, through operations still to come,
// would make a pattern with it, the operations that are there make one already.
// Both are decided by going through the orders of one and of two matches.
func (c *compiler) settle() {
	r := c.r
	r.Closable = make([]bool, len(r.Shapes))
	for s := range r.Shapes {
		r.Closable[s] = r.closed(s) && r.settled(s)
	}
}

// maxAppended bounds the operations that are tried after a match.
const maxAppended = 4

func (r *Rules) closed(s int) bool {
	k := &r.Kinds[r.Shapes[s].Target]
	if k.Joiners == 0 {
		return true
	}
	if bits.OnesCount64(uint64(k.Writers)) >= maxAppended {
		return false
	}
	closed := true
	permute(r.members(s, 0), func(order []event) {
		if closed && !r.violates(order, 0) {
			closed = r.closedAfter(order, k)
		}
	})
	return closed
}

// closedAfter tells whether every joiner after an order violates, in whatever
// company.
func (r *Rules) closedAfter(order []event, k *Kind) bool {
	for js := k.Joiners; js != 0; js &= js - 1 {
		j := bits.TrailingZeros64(uint64(js))
		for w := k.Writers; ; w = (w - 1) & k.Writers {
			later := []event{{j, 0}}
			for u := w &^ (1 << j); u != 0; u &= u - 1 {
				later = append(later, event{bits.TrailingZeros64(uint64(u)), 0})
			}
			all := true
			permute(later, func(more []event) {
				all = all && r.violates(append(order[:len(order):len(order)], more...), 0)
			})
			if !all {
				return false
			}
			if w == 0 {
				break
			}
		}
	}
	return true
}

// settled goes through the patterns of two matches: one of shape s, and one that
// ends the pattern.
func (r *Rules) settled(s int) bool {
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		if cl.Derived || len(cl.Shapes) < 2 {
			continue
		}
		for g := range 2 {
			if cl.Shapes[g] == s && !r.settledIn(cl, g) {
				return false
			}
		}
	}
	return true
}

// settledIn tells whether the pattern, without any number of the other match's
// operations at its end, still shows a pattern.
func (r *Rules) settledIn(cl *Clause, g int) bool {
	order := eventsOf(cl.Positions)
	for n := len(order); n > 0 && order[n-1].group != g; n-- {
		if !r.always(order[:n-1], cl.keys) {
			return false
		}
	}
	return true
}
