package blinktree

import (
	"math"
	"slices"

	"github.com/adtinfer/adtinfer/record"
)

// Compress looks at all leaves once, from left to right, and merges those that
// fit into one. Each merge is recorded as an operation, which changes nothing.
func (s *Session) Compress() {
	n := s.t.root.Load()
	if n.level == 0 {
		return
	}
	for n = s.reach(math.MinInt, 1, true); n != nil; {
		for i := 0; i+1 < len(n.kids); {
			if !s.merge(n, i) {
				i++
			}
		}
		right := n.right
		s.unlock(n)
		if n = right; n != nil {
			s.lock(n)
		}
	}
}

// merge merges children i and i+1 of a node, whose lock is held. It takes the
// locks downwards and to the right, and all others hold one at a time.
func (s *Session) merge(parent *node, i int) bool {
	left, right := parent.kids[i], parent.kids[i+1]
	var early node
	if s.t.defect == MergesStale {
		early = s.snapshot(right)
	}
	s.lock(left)
	defer s.unlock(left)
	s.lock(right)
	defer s.unlock(right)
	if left.right != right || len(left.keys)+len(right.keys) > width {
		return false // a split that the parent does not know of yet, or too much
	}
	s.h.Call(s.t.compress)
	from := right
	if s.t.defect == MergesStale && len(left.keys)+len(early.keys) <= width {
		from = &early
	}
	left.keys = slices.Concat(left.keys, from.keys)
	left.data = slices.Concat(left.data, from.data)
	left.high, left.right = right.high, right.right
	right.keys, right.data, right.into = nil, nil, left
	parent.keys = slices.Delete(parent.keys, i, i+1)
	parent.kids = slices.Delete(parent.kids, i+1, i+2)
	s.h.Begin()
	s.write(left, right)
	s.h.Commit()
	s.h.Return(record.None)
	return true
}

// snapshot copies the pairs of a leaf.
func (s *Session) snapshot(n *node) node {
	s.lock(n)
	defer s.unlock(n)
	return node{keys: slices.Clone(n.keys), data: slices.Clone(n.data)}
}
