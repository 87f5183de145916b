// Package optimistic is a set as a sorted linked list: operations look for their
// place without locks, lock it, and walk the list a second time to see that it is
// still there ("The Art of Multiprocessor Programming" §9.6).
//
// An operation takes effect once it has seen that: as the two elements around its place
// are locked, it stays true.
package optimistic

import (
	"math"
	"sync"
	"sync/atomic"
)

// Set is a set of integers between math.MinInt and math.MaxInt, without these two. Its
// methods may be called by any goroutine.
//
//lin:invariant s.sorted()
type Set struct {
	head *node // below all elements; the last node is above them
}

// node is an element. Its mutex protects next, which others read at any time.
type node struct {
	mu   sync.Mutex
	val  int
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
	p, c := s.locate(e)
	defer c.mu.Unlock()
	defer p.mu.Unlock()
	if c.val == e {
		//lin: add(e) = false
		return false
	}
	n := &node{val: e}
	n.next.Store(c)
	p.next.Store(n)
	//lin: add(e) = true
	return true
}

// Remove takes e out of the set, and reports whether it was there.
func (s *Set) Remove(e int) bool {
	p, c := s.locate(e)
	defer c.mu.Unlock()
	defer p.mu.Unlock()
	if c.val != e {
		//lin: remove(e) = false
		return false
	}
	p.next.Store(c.next.Load())
	//lin: remove(e) = true
	return true
}

// Contains reports whether e is in the set.
func (s *Set) Contains(e int) bool {
	p, c := s.locate(e)
	defer c.mu.Unlock()
	defer p.mu.Unlock()
	//lin: contains(e) = c.val == e
	return c.val == e
}

// locate finds the last element below e and the one after it, and locks both.
func (s *Set) locate(e int) (p, c *node) {
	for {
		p = s.head
		c = p.next.Load()
		for c.val < e {
			p, c = c, c.next.Load()
		}
		p.mu.Lock()
		c.mu.Lock()
		if s.linked(p) && p.next.Load() == c {
			return p, c
		}
		c.mu.Unlock()
		p.mu.Unlock()
	}
}

// linked reports whether the list has node p.
func (s *Set) linked(p *node) bool {
	n := s.head
	for n.val < p.val {
		n = n.next.Load()
	}
	return n == p
}

// sorted reports whether the list ascends, and ends.
func (s *Set) sorted() bool {
	n := s.head
	for next := n.next.Load(); next != nil; n, next = next, next.next.Load() {
		if n.val >= next.val {
			return false
		}
	}
	return n.val == math.MaxInt
}
