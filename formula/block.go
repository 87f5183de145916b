package formula

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
	n.orders = orders(n)
	return n
}
