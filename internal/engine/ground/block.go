package ground

import "math/bits"

// connect flattens nested operands of the same kind.
func connect(op nodeOp, kids []*node) *node {
	n := &node{op: op}
	for _, k := range kids {
		if k.op == op {
			n.kids = append(n.kids, k.kids...)
		} else {
			n.kids = append(n.kids, k)
		}
		n.free |= k.free
	}
	if len(n.kids) == 1 {
		return n.kids[0]
	}
	return n
}

// negate pushes the negation of a conjunction or disjunction of blocks inwards.
func negate(n *node) *node {
	if n.op == opAnd || n.op == opOr {
		kids := make([]*node, len(n.kids))
		for i, k := range n.kids {
			kids[i] = negate(k)
		}
		return connect(opAnd+opOr-n.op, kids)
	}
	m := *n
	m.neg = !n.neg
	return &m
}

// exists quantifies body. It distributes over disjunction, takes nested
// existential blocks in, and splits what shares no variable.
func exists(vars []int, body *node) *node {
	if body.op == opOr {
		var kids []*node
		for _, k := range body.kids {
			kids = append(kids, exists(vars, k))
		}
		return connect(opOr, kids)
	}
	conj := operands(body)
	for i := 0; i < len(conj); i++ {
		if k := conj[i]; k.op == opExists && !k.neg {
			vars = append(vars[:len(vars):len(vars)], k.vars...)
			conj = append(append(conj[:i:i], k.kids...), conj[i+1:]...)
			i--
		}
	}
	return split(vars, conj)
}

// operands are the parts of a conjunction, or the node itself.
func operands(n *node) []*node {
	if n.op == opAnd {
		return n.kids
	}
	return []*node{n}
}

// split makes one block of each connected part of the conjuncts, where two
// conjuncts touch if they share one of vars.
func split(vars []int, conj []*node) *node {
	var bound uint64
	for _, v := range vars {
		bound |= 1 << v
	}
	var parts []*node
	for left := bound; left != 0; {
		mask := left & -left
		for grown := uint64(0); grown != mask; {
			grown = mask
			for _, k := range conj {
				if k.free&mask != 0 {
					mask |= k.free & bound
				}
			}
		}
		left &^= mask
		parts = append(parts, newBlock(mask, conj))
	}
	for _, k := range conj {
		if k.free&bound == 0 {
			parts = append(parts, k)
		}
	}
	return connect(opAnd, parts)
}

// newBlock quantifies the slots of mask over the conjuncts that mention one.
func newBlock(mask uint64, conj []*node) *node {
	n := &node{op: opExists}
	for v := range maxSlots {
		if mask>>v&1 == 1 {
			n.vars = append(n.vars, v)
		}
	}
	for _, k := range conj {
		if k.free&mask != 0 {
			n.kids = append(n.kids, k)
			n.free |= k.free &^ mask
		}
	}
	n.orders = joinOrders(n)
	return n
}

// A step of a join binds one variable.
type step struct {
	slot  int
	paths []*node // equations that give candidates for slot from what is bound
	kinds []*node // constants its method and outcome must have
	after int     // a bound slot it must come after, or -1
	until int     // a bound slot it must come before, or -1
	conj  []*node // conjuncts to evaluate once slot is bound
}

// joinOrder chooses the join order of a block, given what is bound: first what an
// equation ties to it, then what lies in time between bound variables, and so on.
func joinOrder(n *node, bound uint64, left []int) []step {
	reach := precedence(n.kids)
	left = append([]int(nil), left...)
	var steps []step
	for len(left) > 0 {
		best, at := step{}, -1
		for i, v := range left {
			if s := newStep(n, v, bound, reach); at < 0 || s.rank() < best.rank() {
				best, at = s, i
			}
		}
		bound |= 1 << best.slot
		left = append(left[:at], left[at+1:]...)
		steps = append(steps, best)
	}
	return steps
}

// joinOrders are the join orders of a block, one for each variable to begin with;
// a block with free variables has one, which begins with them.
func joinOrders(n *node) [][]step {
	if n.free != 0 {
		return [][]step{joinOrder(n, n.free, n.vars)}
	}
	reach := precedence(n.kids)
	var all [][]step
	for i, v := range n.vars {
		rest := append(append([]int(nil), n.vars[:i]...), n.vars[i+1:]...)
		all = append(all, append([]step{newStep(n, v, 0, reach)}, joinOrder(n, 1<<v, rest)...))
	}
	return all
}

// rank says how few candidates a step has: an equation is best, then a window
// in time, a half-open one, and constants.
func (s *step) rank() int {
	switch {
	case len(s.paths) > 0:
		return 0
	case s.after >= 0 && s.until >= 0:
		return 1
	case s.after >= 0 || s.until >= 0:
		return 2
	}
	return 5 - min(len(s.kinds), 2)
}

// newStep binds v next, when the slots of bound are bound.
func newStep(n *node, v int, bound uint64, reach map[int]uint64) step {
	s := step{slot: v, after: nearest(reach, bound, v, true), until: nearest(reach, bound, v, false)}
	for _, k := range n.kids {
		if k.free>>v&1 == 0 {
			continue
		}
		if k.free&^(bound|1<<v) == 0 {
			s.conj = append(s.conj, k)
			if !k.neg && k.gives(v) {
				s.paths = append(s.paths, k)
			}
			if !k.neg && (k.op == opMethod || k.op == opOutcome) {
				s.kinds = append(s.kinds, k)
			}
		}
	}
	return s
}

// gives reports whether an equation yields few candidates for v.
func (n *node) gives(v int) bool {
	switch n.op {
	case opSame, opMatch, opMatches:
		return n.a != n.b
	case opValue:
		return (n.left.slot == v) != (n.right.slot == v)
	}
	return false
}

// precedence is the transitive closure of the positive before-conjuncts: by
// slot, the slots that must come later.
func precedence(conj []*node) map[int]uint64 {
	reach := map[int]uint64{}
	for _, k := range conj {
		if k.op == opBefore && !k.neg {
			reach[k.a] |= 1 << k.b
		}
	}
	for changed := true; changed; {
		changed = false
		for a, m := range reach {
			grown := m
			for r := m; r != 0; r &= r - 1 {
				grown |= reach[bits.TrailingZeros64(r)]
			}
			if grown != m {
				reach[a], changed = grown, true
			}
		}
	}
	return reach
}

// nearest is a bound slot that v must follow (or precede), with no other such
// slot known to lie between; -1 if there is none.
func nearest(reach map[int]uint64, bound uint64, v int, below bool) int {
	best := -1
	for r := bound; r != 0; r &= r - 1 {
		u := bits.TrailingZeros64(r)
		lo, hi := u, v
		if !below {
			lo, hi = v, u
		}
		if reach[lo]>>hi&1 == 0 {
			continue
		}
		if best < 0 || below && reach[best]>>u&1 == 1 || !below && reach[u]>>best&1 == 1 {
			best = u
		}
	}
	return best
}
