package saturate

import "math/bits"

// prefixClosed refuses a theory that admits an execution but not a prefix of it:
// facts about a prefix would not hold of the whole. No implementation is like
// that; a theory with a pattern too few may be.
//
// What has to be so is that a violation stays one whatever operations follow.
// Only operations that change the shape of its matches matter, or bring the
// target that an operation did not have.
func (c *compiler) prefixClosed() {
	for i := range c.r.clauses {
		cl := &c.r.clauses[i]
		if cl.derived {
			continue
		}
		var later []event
		for g := range cl.shapes {
			later = append(later, each(cl.forbid[g], g)...)
		}
		c.stays("pattern "+c.r.names[cl.patterns[0]], eventsOf(cl.pos), nil, later)
	}
	for i := range c.r.kinds {
		if k := &c.r.kinds[i]; k.role == other {
			later := each(c.r.kinds[k.target].writers, 0)
			c.stays("pattern "+c.r.names[k.alone], []event{{i, 0}}, []event{{k.target, 0}}, later)
		}
	}
}

// each is one event of each kind.
func each(ks kinds, group int) (all []event) {
	for ; ks != 0; ks &= ks - 1 {
		all = append(all, event{bits.TrailingZeros64(uint64(ks)), group})
	}
	return all
}

// stays fails unless the order violates with must and any of may after it.
func (c *compiler) stays(what string, order, must, may []event) {
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
			if len(later) > 0 && !c.r.violates(append(order[:len(order):len(order)], later...)) {
				c.fail(what, "what shows it is admitted again when more operations follow")
			}
		})
	}
}
