package clauses

import "slices"

// closable finds the shapes whose matches may be forgotten once no running
// operation overlaps them (saturate.removal says why). Two things must be so:
//
// The match is closed: whatever may join it later comes after all of its
// operations, and violates, or says nothing. Then an operation that would have
// joined it finds no target, which is a violation, too, or says nothing alone.
//
// The match is settled: where another match, through operations still to come,
// would make a pattern with it, the operations that are there make one already.
// Both are decided by going through the orders of one and of two matches.
//
// Of some shapes that is so only once a later match overwrites them: a register's
// values, by those that are written later. That is decided by the orders of two
// matches, and of three.
func (c *compiler) closable() {
	r := c.r
	n := len(r.Shapes)
	r.Closable, r.Overwriters, r.Overwrites = make([]bool, n), make([][]int32, n), make([]bool, n)
	for s := range n {
		r.Closable[s] = r.closed(s, none) && r.settled(s, none)
	}
	for i := range r.Kinds {
		if k := &r.Kinds[i]; k.Role == Optional && k.ReadOnly && r.needs(i, none, false) {
			r.Early |= 1 << i
		}
	}
	if len(r.labels.Compared) > 0 {
		return // which of two matches comes later is not all that counts
	}
	for s := range n {
		for by := range n {
			if !r.Closable[s] && len(r.members(s, 0))+len(r.members(by, 1)) <= maxOverwriting && r.closed(s, by) && r.settled(s, by) {
				r.Overwriters[s] = append(r.Overwriters[s], int32(by))
				r.Overwrites[by] = true
			}
		}
	}
}

// maxOverwriting bounds the operations of two matches of which all orders are tried.
const maxOverwriting = 6

// none is no shape.
const none = -1

// closed reports whether nothing joins a match of shape s later without a violation, or
// says something there; if by is a shape, once the target of such a match came after the
// one of s, and all of its operations are over.
func (r *Rules) closed(s, by int) bool {
	k := &r.Kinds[r.Shapes[s].Target]
	late, all := each(k.Writers, 0), r.members(s, 0)
	if by != none {
		late, all = append(late, each(r.missing(by), 1)...), append(all, r.members(by, 1)...)
	}
	var joiners []int
	for j := range k.Joiners.All() {
		if !r.saysNothingAfter(j, s) {
			joiners = append(joiners, j)
		}
	}
	if len(joiners) == 0 {
		return true
	}
	closed := len(late) < maxAppended && !slices.ContainsFunc(joiners, func(j int) bool { return r.Kinds[j].Role != Other })
	admitted := by == none
	permute(all, func(order []event) {
		if closed && r.overwritten(order) && !r.violates(order, 0) {
			admitted = true
			closed = !slices.ContainsFunc(joiners, func(j int) bool { return !r.closedTo(j, order, late) })
		}
	})
	return closed && admitted
}

// closedTo reports whether an operation of kind j that joins match 0 after an order
// violates, whichever of late come after the order, too.
func (r *Rules) closedTo(j int, order, late []event) bool {
	for set := range 1 << len(late) {
		more := []event{{j, 0}}
		for i, e := range late {
			if set>>i&1 == 1 && e != more[0] {
				more = append(more, e)
			}
		}
		all := true
		permute(more, func(later []event) {
			all = all && r.violates(append(order[:len(order):len(order)], later...), 0)
		})
		if !all {
			return false
		}
	}
	return true
}

// missing are the writers that a match of shape s does not have.
func (r *Rules) missing(s int) Kinds {
	return r.Kinds[r.Shapes[s].Target].Writers &^ r.Shapes[s].Writers
}

// overwritten reports whether in an order the target of match 0 comes before that of
// match 1, if it has that.
func (r *Rules) overwritten(order []event) bool {
	for _, e := range order {
		if r.Kinds[e.kind].Slot == 0 && e.group < 2 {
			return e.group == 0
		}
	}
	return false
}

// saysNothingAfter reports whether an operation of kind j that joins a match of shape s
// after all of its operations is in no pattern, and needs no target: all patterns that
// have one like it go on with an operation that the match has before it.
func (r *Rules) saysNothingAfter(j, s int) bool {
	k := &r.Kinds[j]
	return k.Role == Optional && k.ReadOnly && r.needs(j, s, true)
}

// needs reports whether in every pattern about a match of shape s, or of any, each
// operation of kind j stands before the target or a writer of its match, or after one.
func (r *Rules) needs(j, s int, before bool) bool {
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		for x, p := range cl.Positions {
			if cl.Derived || p.Kind != j || s != none && cl.Shapes[p.Group] != s {
				continue
			}
			others := cl.Positions[:x]
			if before {
				others = cl.Positions[x+1:]
			}
			if !slices.ContainsFunc(others, func(q Position) bool { return q.Group == p.Group && r.Kinds[q.Kind].Slot >= 0 }) {
				return false
			}
		}
	}
	return true
}

// settled goes through the patterns of two matches: one of shape s, and one that
// ends the pattern. If by is a shape, a match of it overwrites the one of s.
func (r *Rules) settled(s, by int) bool {
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		if cl.Derived || len(cl.Shapes) < 2 {
			continue
		}
		for g := range 2 {
			if cl.Shapes[g] == s && !r.settledIn(cl, g, by) {
				return false
			}
		}
	}
	return true
}

// settledIn reports whether the pattern, without any number of the other match's
// operations at its end, still shows a pattern; or else, whether the other match, when
// it gets them, shows one with the match that overwrites.
func (r *Rules) settledIn(cl *Clause, g, by int) bool {
	order := eventsOf(cl.Positions)
	for n := len(order); n > 0 && order[n-1].group != g; n-- {
		if !r.always(order[:n-1], cl.keys) && (by == none || !r.inPlace(order[:n-1], order[n-1:], g, by)) {
			return false
		}
	}
	return true
}

// inPlace reports whether a match of shape by that overwrites match g of an order shows a
// pattern with the other match when later operations of that follow, in every order of
// the three that shows none without them.
func (r *Rules) inPlace(order, later []event, g, by int) bool {
	regroup := func(all []event) (out []event) {
		for _, e := range all {
			e.group = (e.group ^ g) * other
			out = append(out, e)
		}
		return out
	}
	order, later = regroup(order), regroup(later)
	all := slices.ContainsFunc(order, func(e event) bool { return e.group == 0 && r.Kinds[e.kind].Slot == 0 })
	permute(append(r.members(by, 1), order...), func(o []event) {
		if all && r.overwritten(o) && subsequence(order, o) && !r.violatesIn(o, 0, 1) && !r.violatesIn(o, 0, other) && !r.violatesIn(o, 1, other) {
			all = r.followed(o, later, r.missing(by))
		}
	})
	return all
}

// other is the group of a third match.
const other = 2

// followed reports whether matches 1 and other show a pattern after an order with later
// operations, whichever writers match 1 gets meanwhile.
func (r *Rules) followed(order, later []event, writers Kinds) bool {
	all := len(later)+writers.Len() <= maxAppended
	for w := range writers.subsets() {
		if !all {
			break
		}
		permute(append(each(w, 1), later...), func(more []event) {
			all = all && (!subsequence(later, more) || r.violatesIn(append(order[:len(order):len(order)], more...), 1, other))
		})
	}
	return all
}

// violatesIn reports whether two of the matches in an order show a pattern.
func (r *Rules) violatesIn(order []event, a, b int) bool {
	var two []event
	for _, e := range order {
		switch e.group {
		case a:
			two = append(two, event{e.kind, 0})
		case b:
			two = append(two, event{e.kind, 1})
		}
	}
	return r.violates(two, 0)
}

// subsequence reports whether the events of part stand in all, in their order.
func subsequence(part, all []event) bool {
	for _, e := range all {
		if len(part) > 0 && part[0] == e {
			part = part[1:]
		}
	}
	return len(part) == 0
}
