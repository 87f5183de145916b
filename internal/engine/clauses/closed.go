package clauses

// prefixClosed refuses a theory that admits an execution but not a prefix of it:
// facts about a prefix would not hold of the whole. No implementation is like
// that; a theory with a pattern too few may be.
//
// What has to be so is that a violation stays one whatever operations follow.
// Only operations that change the shape of its matches matter, or bring the
// target that an operation did not have.
func (c *compiler) prefixClosed() {
	for i := range c.r.Clauses {
		cl := &c.r.Clauses[i]
		if cl.Derived {
			continue
		}
		var later []event
		for g := range cl.Shapes {
			later = append(later, each(cl.Forbid[g], g)...)
		}
		c.stays("pattern "+c.r.Names[cl.Patterns[0]], eventsOf(cl.Positions), cl.keys, nil, later)
	}
	for i := range c.r.Kinds {
		if k := &c.r.Kinds[i]; k.Role == Other {
			later := each(c.r.Kinds[k.Target].Writers, 0)
			c.stays("pattern "+c.r.Names[k.WithoutTarget], []event{{i, 0}}, 0, []event{{k.Target, 0}}, later)
		}
	}
}

// stays fails unless the order violates with must and any of may after it.
func (c *compiler) stays(what string, order []event, keys relation, must, may []event) {
	if len(may) > maxAppended {
		c.fail(what, "too many kinds of operations may join its matches")
		return
	}
	for set := range 1 << len(may) {
		more := append([]event(nil), must...)
		for i, e := range may {
			if set>>i&1 == 1 {
				more = append(more, e)
			}
		}
		permute(more, func(later []event) {
			if len(later) > 0 && !c.r.always(append(order[:len(order):len(order)], later...), keys) {
				c.fail(what, "what shows it is admitted again when more operations follow")
			}
		})
	}
}

// closable finds the shapes whose matches may be forgotten once no running
// operation overlaps them (docs/proofs/removal.md). Two things must be so:
//
// The match is closed: whatever may join it later comes after all of its
// operations, and violates. Then an operation that would have joined it finds
// no target, which is a violation, too.
//
// The match is settled: where another match, through operations still to come,
// would make a pattern with it, the operations that are there make one already.
// Both are decided by going through the orders of one and of two matches.
func (c *compiler) closable() {
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
	closed := k.Writers.Len() < maxAppended
	permute(r.members(s, 0), func(order []event) {
		if closed && !r.violates(order, 0) {
			closed = r.closedAfter(order, k)
		}
	})
	return closed
}

// closedAfter reports whether every joiner after an order violates, whatever else
// joins.
func (r *Rules) closedAfter(order []event, k *Kind) bool {
	for j := range k.Joiners.All() {
		for w := range k.Writers.subsets() {
			all := true
			permute(append(each(w&^(1<<j), 0), event{j, 0}), func(more []event) {
				all = all && r.violates(append(order[:len(order):len(order)], more...), 0)
			})
			if !all {
				return false
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

// settledIn reports whether the pattern, without any number of the other match's
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
