package blinktree

import (
	"math"
	"slices"
	"sync"
)

const (
	width  = 4 // pairs in a leaf, at most
	fanout = 4 // children of an inner node, at most
)

// node is a leaf or an inner node. Its lock protects it, but for id and level,
// which never change.
type node struct {
	mu    sync.Mutex
	id    int64 // of a leaf: the index of what is recorded about it
	level int   // leaves are at level 0

	keys  []int // of a leaf: in order; of an inner node: the largest keys of the children
	data  []int
	kids  []*node
	high  int   // the largest key that belongs here
	right *node // of the same level, with the keys above high; nil at the end
	into  *node // the left neighbour with which this leaf was merged, or nil
}

func (t *Tree) leaf(high int) *node {
	return &node{id: t.leaves.Add(1) - 1, high: high}
}

// index is where a key is or belongs.
func (n *node) index(key int) (int, bool) { return slices.BinarySearch(n.keys, key) }

func (n *node) put(i, key, data int) {
	n.keys = slices.Insert(n.keys, i, key)
	n.data = slices.Insert(n.data, i, data)
}

func (n *node) remove(i int) {
	n.keys = slices.Delete(n.keys, i, i+1)
	n.data = slices.Delete(n.data, i, i+1)
}

// aside is the node of the same level where an operation that looks for a key
// goes on, or nil if this is the one.
func (n *node) aside(key int, moves bool) *node {
	switch {
	case n.into != nil:
		return n.into
	case key > n.high && moves:
		return n.right
	}
	return nil
}

// split moves the upper half of a leaf or an inner node, whose lock is held, to
// a new node on its right.
func (t *Tree) split(n *node) *node {
	half := len(n.keys) / 2
	r := &node{level: n.level, high: n.high, right: n.right}
	if n.level == 0 {
		r.id = t.leaf(0).id
		r.data, n.data = slices.Clone(n.data[half:]), n.data[:half:half]
	} else {
		r.kids, n.kids = slices.Clone(n.kids[half:]), n.kids[:half:half]
	}
	r.keys, n.keys = slices.Clone(n.keys[half:]), n.keys[:half:half]
	n.high, n.right = n.keys[half-1], r
	return r
}

func (s *Session) lock(n *node) {
	if s.yield == nil {
		n.mu.Lock()
		return
	}
	s.yield()
	for !n.mu.TryLock() {
		s.yield()
	}
	s.yield()
}

func (s *Session) unlock(n *node) {
	n.mu.Unlock()
	if s.yield != nil {
		s.yield()
	}
}

// reach is the node at a level where a key belongs, locked. It follows right
// links at that level only if moves is true.
func (s *Session) reach(key, level int, moves bool) *node {
	n := s.t.root.Load()
	for n.level > level {
		s.lock(n)
		next := n.aside(key, true)
		if next == nil {
			i, _ := n.index(key)
			next = n.kids[i]
		}
		s.unlock(n)
		n = next
	}
	s.lock(n)
	for next := n.aside(key, moves); next != nil; next = n.aside(key, moves) {
		s.unlock(n)
		n = next
		s.lock(n)
	}
	return n
}

// link tells the level above that a node was split: keys up to separator stay
// where they were, those above are in right.
func (s *Session) link(separator int, right *node) {
	level := right.level + 1
	for s.t.root.Load().level < level {
		if s.grow(separator, right) {
			return
		}
	}
	n := s.reach(separator, level, true)
	i, _ := n.index(separator)
	n.keys = slices.Insert(n.keys, i, separator)
	n.kids = slices.Insert(n.kids, i+1, right)
	if len(n.kids) <= fanout {
		s.unlock(n)
		return
	}
	upper := s.t.split(n)
	separator = n.high
	s.unlock(n)
	s.link(separator, upper)
}

// grow makes a new root over the old one and right, unless somebody else was
// faster.
func (s *Session) grow(separator int, right *node) bool {
	s.t.grows.Lock()
	defer s.t.grows.Unlock()
	old := s.t.root.Load()
	if old.level > right.level {
		return false
	}
	s.t.root.Store(&node{level: right.level + 1, keys: []int{separator, math.MaxInt}, kids: []*node{old, right}, high: math.MaxInt})
	return true
}
