// Package harris is a lock-free set as a sorted linked list: an element is removed
// by marking its link to the next one, and unlinked by whoever comes along ("A
// pragmatic implementation of non-blocking linked-lists").
package harris

import (
	"math"
	"sync/atomic"
)

// Set is a set of integers between math.MinInt and math.MaxInt, without these two. Its
// methods may be called by any goroutine.
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
func (s *Set) Add(e int) bool {
	n := &node{val: e}
	for {
		p, c := s.locate(e)
		if c.val == e {
			return false
		}
		n.next.Store(c)
		if p.next.CompareAndSwap(c, n) {
			return true
		}
	}
}

// Remove takes e out of the set, and reports whether it was there.
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
			p.next.CompareAndSwap(c, next) // if that fails, others do it later
			return true
		}
	}
}

// Contains reports whether e is in the set. It waits for nobody, and writes nothing.
func (s *Set) Contains(e int) bool {
	c := s.head
	for c.val < e {
		c, _ = c.after()
	}
	if c.val != e {
		return false
	}
	_, removed := c.after()
	return !removed
}

// locate finds the last element below e and the one after it. It unlinks all
// removed elements between them.
func (s *Set) locate(e int) (p, c *node) {
	for {
		p = s.head
		first := p.next.Load()
		c = first
		for {
			next, removed := c.after()
			if !removed {
				if c.val >= e {
					break
				}
				p, first = c, next
			}
			c = next
		}
		if first == c || p.next.CompareAndSwap(first, c) {
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
