// Package harris is a lock-free set as a sorted linked list: an element is removed
// by marking its link to the next one, and unlinked by whoever comes along ("A
// pragmatic implementation of non-blocking linked-lists").
//
// Add and Remove take effect when they link and mark; where they find nothing to do, they do
// so when they read the link that says it, or unlink removed elements there. A Contains that
// does not find its element takes effect just before an Add that puts it in meanwhile, or
// else with its last read.
package harris

import (
	"math"
	"sync/atomic"
)

// Set is a set of integers between math.MinInt and math.MaxInt, without these two. Its
// methods may be called by any goroutine.
//
//lin:invariant s.sorted()
type Set struct {
	head *node // below all elements; the last node is above them
}

// node is an element, or a mark. A mark comes after an element that is removed, and
// before what comes after that; neither link changes again.
type node struct {
	val  int
	mark bool
	next atomic.Pointer[node]
}

// New makes an empty Set.
func New() *Set {
	s := &Set{head: &node{val: math.MinInt}}
	s.head.next.Store(&node{val: math.MaxInt})
	return s
}

// Add puts e into the set, and reports whether it was not there.
//
//lin:op add
func (s *Set) Add(e int) bool {
	n := &node{val: e}
	for {
		p, c := s.locate(e)
		if c.val == e {
			return false
		}
		n.next.Store(c)
		if p.next.CompareAndSwap(c, n) {
			//lin: add(e) = true; broadcast added(e)
			return true
		}
	}
}

// Remove takes e out of the set, and reports whether it was there.
//
//lin:op remove
func (s *Set) Remove(e int) bool {
	for {
		p, c := s.locate(e)
		if c.val != e {
			return false
		}
		next, removed := c.after()
		if removed {
			continue
		}
		mark := &node{mark: true}
		mark.next.Store(next)
		if c.next.CompareAndSwap(next, mark) {
			//lin: remove(e) = true
			p.next.CompareAndSwap(c, next) // if that fails, others do it later
			return true
		}
	}
}

// Contains reports whether e is in the set. It waits for nobody, and writes nothing.
//
//lin:op contains
//lin:receive before added(v int) in start if v == e: contains(e) = false; goto helped
func (s *Set) Contains(e int) bool {
	c := s.head
	for c.val < e {
		c, _ = c.after()
	}
	if c.val == e {
		if _, removed := c.after(); !removed {
			//lin: contains(e) = true
			return true
		}
	}
	//lin: in start: contains(e) = false
	return false
}

// locate finds the last element below e and the one after it. It unlinks all
// removed elements between them.
func (s *Set) locate(e int) (p, c *node) {
	for {
		var first *node // after p
		p, c = s.head, s.head
		for {
			next, removed := c.after()
			if !removed {
				//lin: if c.val == e: add(e) = false
				if c.val >= e {
					break
				}
				p, first = c, next
				//lin: if first.val > e: remove(e) = false
			}
			c = next
		}
		if first == c {
			return p, c
		}
		if p.next.CompareAndSwap(first, c) {
			//lin: if c.val > e: remove(e) = false
			return p, c
		}
	}
}

// after is what comes after element n, and reports whether n is removed.
func (n *node) after() (next *node, removed bool) {
	next = n.next.Load()
	if next != nil && next.mark {
		return next.next.Load(), true
	}
	return next, false
}

// sorted reports whether the list ascends, and ends.
func (s *Set) sorted() bool {
	n := s.head
	for next, _ := n.after(); next != nil; next, _ = n.after() {
		if n.val >= next.val {
			return false
		}
		n = next
	}
	return n.val == math.MaxInt
}
