// Package unordered is a lock-free set as a list without an order: each Add and Remove
// puts a request in front of all others, looks for its answer behind it, and becomes an
// element or nothing ("Practical non-blocking unordered lists").
//
// Add and Remove take effect when their request comes in: from then on it decides whether the
// value is in the set, and the list behind it settles what they will answer. Contains takes
// effect when it reads the first request; but if a Remove that comes later takes the value out
// before Contains gets there, after that one. Which it is, only the future shows: a guess.
package unordered

import "sync/atomic"

// Set is a set of integers. Its methods may be called by any goroutine.
type Set struct {
	head atomic.Pointer[node]
}

// node is a request, an element, or neither any more.
type node struct {
	val   int
	state atomic.Int32
	next  atomic.Pointer[node]
}

// What a node is. The first one with a value that is not invalid says whether the value is
// in the set: it is if that is an insertion or data.
const (
	insertion int32 = iota // an Add that does not know its answer yet
	removal                // a Remove, too
	data                   // an element
	invalid                // nothing, to be unlinked
)

// New makes an empty Set.
func New() *Set {
	return &Set{}
}

// Add puts e into the set, and reports whether it was not there.
//
//lin:op add
func (s *Set) Add(e int) bool {
	n := s.enlist(e, insertion)
	added := n.absent()
	state := invalid
	if added {
		state = data
	}
	if !n.state.CompareAndSwap(insertion, state) {
		// It is removed already, and who did it left the removal to this node.
		n.takeOut()
		n.state.Store(invalid)
	}
	return added
}

// Remove takes e out of the set, and reports whether it was there.
//
//lin:op remove
func (s *Set) Remove(e int) bool {
	n := s.enlist(e, removal)
	removed := n.takeOut()
	n.state.Store(invalid)
	return removed
}

// Contains reports whether e is in the set. It waits for nobody, and writes nothing.
//
//lin:op contains
//lin:receive after removed(v int) in late if v == e: contains(e) = false
func (s *Set) Contains(e int) bool {
	//lin: guess found
	first := s.head.Load()
	//lin: contains(e) = first.holds(e)
	//lin: if !found: goto late
	is := first.holds(e)
	//lin: assume found == is
	return is
}

// holds reports whether e is in the set, if n is the first node.
func (n *node) holds(e int) bool {
	for c := n; c != nil; c = c.next.Load() {
		if c.val != e {
			continue
		}
		if state := c.state.Load(); state != invalid {
			return state != removal
		}
	}
	return false
}

// enlist puts a node in front of all others.
func (s *Set) enlist(e int, state int32) *node {
	n := &node{val: e}
	//lin: own n
	n.state.Store(state)
	for {
		first := s.head.Load()
		n.next.Store(first)
		if s.head.CompareAndSwap(first, n) {
			//lin: add(e) = !first.holds(e)
			//lin: remove(e) = first.holds(e); broadcast removed(e)
			return n
		}
	}
}

// absent reports whether the value of n is not in the set as it was when n came.
func (n *node) absent() bool {
	_, state := n.behind()
	return state == removal || state == invalid
}

// takeOut takes the value of n out of the set as it was when n came, and reports whether
// it was there. Behind a removal it is not, or will not be.
func (n *node) takeOut() bool {
	for {
		c, state := n.behind()
		switch state {
		case removal, invalid:
			return false
		case insertion:
			if c.state.CompareAndSwap(insertion, removal) {
				return true
			}
		case data:
			c.state.Store(invalid) // nobody else gets here while n is a removal
			return true
		}
	}
}

// behind is the first node with the value of n after n, and what it is: invalid if there
// is none. It unlinks invalid nodes before it.
func (n *node) behind() (*node, int32) {
	p := n
	for c := p.next.Load(); c != nil; c = p.next.Load() {
		state := c.state.Load()
		switch {
		case state == invalid:
			p.next.Store(c.next.Load())
		case c.val == n.val:
			return c, state
		default:
			p = c
		}
	}
	return nil, invalid
}
