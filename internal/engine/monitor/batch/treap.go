package batch

import "github.com/adtinfer/adtinfer/internal/engine/monitor/columns"

// treap is sequences of steps, each a tree whose nodes are in the order of the
// sequence, and in that of a random rank from the root down. A sequence is its
// root; 0 is the one without steps. All that is done to it takes O(log n) expected,
// but for cutting by side, which takes that for each place where the sides change.
type treap struct {
	nodes []treapNode // by step, from 1
}

type treapNode struct {
	left, right int32
	is          span // the operation, from call to return
	side        int32
	within      bounds // of the steps of the tree
}

// bounds is the first return, the last call, and the first and last side.
type bounds struct{ ret, call, first, last int32 }

func (b bounds) and(c bounds) bounds {
	return bounds{min(b.ret, c.ret), max(b.call, c.call), min(b.first, c.first), max(b.last, c.last)}
}

// leaf is a sequence of one step.
func (t *treap) leaf(step int32, is span, side int32) int32 {
	t.nodes[step+1] = treapNode{is: is, side: side, within: bounds{is.e, is.s, side, side}}
	return step + 1
}

// bounds of the sequence that has no steps say nothing.
func (t *treap) bounds(x int32) bounds {
	if x == 0 {
		return bounds{columns.Never, 0, columns.Never, 0}
	}
	return t.nodes[x].within
}

// with is the sequence that a node roots, with other subtrees.
func (t *treap) with(x, left, right int32) int32 {
	n := &t.nodes[x]
	n.left, n.right = left, right
	n.within = bounds{n.is.e, n.is.s, n.side, n.side}.and(t.bounds(left)).and(t.bounds(right))
	return x
}

func rank(x int32) uint32 {
	h := uint32(x) * 0x9e3779b1
	h = (h ^ h>>15) * 0x85ebca77
	return h ^ h>>13
}

// join is sequences one behind the other.
func (t *treap) join(xs ...int32) (all int32) {
	for _, x := range xs {
		all = t.concat(all, x)
	}
	return all
}

func (t *treap) concat(x, y int32) int32 {
	switch {
	case x == 0:
		return y
	case y == 0:
		return x
	case rank(x) > rank(y):
		return t.with(x, t.nodes[x].left, t.concat(t.nodes[x].right, y))
	}
	return t.with(y, t.concat(x, t.nodes[y].left), t.nodes[y].right)
}

// after cuts right behind the last step that returned by some position: all
// before that place were called there, and all behind it had not returned.
func (t *treap) after(x, at int32) (before, behind int32) {
	if x == 0 {
		return 0, 0
	}
	n := t.nodes[x]
	if n.is.e <= at || t.bounds(n.right).ret <= at {
		mid, behind := t.after(n.right, at)
		return t.with(x, n.left, mid), behind
	}
	before, mid := t.after(n.left, at)
	return before, t.with(x, mid, n.right)
}

// before cuts right before the first step that was called at some position or
// later.
func (t *treap) before(x, at int32) (before, behind int32) {
	if x == 0 {
		return 0, 0
	}
	n := t.nodes[x]
	if n.is.s >= at || t.bounds(n.left).call >= at {
		before, mid := t.before(n.left, at)
		return before, t.with(x, mid, n.right)
	}
	mid, behind := t.before(n.right, at)
	return t.with(x, n.left, mid), behind
}

// bySide takes a sequence apart: the steps whose side is a gap or before it, and
// the others.
func (t *treap) bySide(x, gap int32) (left, right int32) {
	switch b := t.bounds(x); {
	case b.last <= gap:
		return x, 0
	case b.first > gap:
		return 0, x
	}
	n := t.nodes[x]
	l1, r1 := t.bySide(n.left, gap)
	l2, r2 := t.bySide(n.right, gap)
	t.with(x, 0, 0)
	if n.side <= gap {
		return t.join(l1, x, l2), t.concat(r1, r2)
	}
	return t.concat(l1, l2), t.join(r1, x, r2)
}

// List appends the steps of a sequence.
func (t *treap) List(x int32, steps []int32) []int32 {
	if x == 0 {
		return steps
	}
	steps = append(t.List(t.nodes[x].left, steps), x-1)
	return t.List(t.nodes[x].right, steps)
}
