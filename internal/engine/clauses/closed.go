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

// maxAppended bounds the operations that are tried after a match.
const maxAppended = 4
