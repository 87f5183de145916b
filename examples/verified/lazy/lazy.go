// Package lazy is a set as a sorted linked list that is read without locks: an
// element is marked before it is unlinked, and who finds the mark does not find the
// element ("A lazy concurrent list-based set algorithm").
package lazy

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

// node is an element. Its mutex protects next and marked, which others read at any
// time.
type node struct {
	mu     sync.Mutex
	val    int
	next   atomic.Pointer[node]
	marked atomic.Bool // no element any more
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
	//lin: add(e) = true; broadcast added(e)
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
	c.marked.Store(true)
	//lin: remove(e) = true
	p.next.Store(c.next.Load())
	return true
}

// Contains reports whether e is in the set. It waits for nobody. If it finds a mark, or
// no e, an Add of e may have come in between: then e was not there just before that.
//
//lin:receive before added(v int) in start if v == e: contains(e) = false; goto helped
func (s *Set) Contains(e int) bool {
	c := s.head
	for c.val < e {
		c = c.next.Load()
	}
	gone := c.marked.Load()
	//lin: if c.val == e && !gone: contains(e) = true
	//lin: in start if c.val != e || gone: contains(e) = false
	return c.val == e && !gone
}

// locate finds the last element below e and the one after it, and locks both. It
// looks for them without locks, so that it has to begin again if they are no
// neighbours any more once they are locked.
func (s *Set) locate(e int) (p, c *node) {
	for {
		p = s.head
		c = p.next.Load()
		for c.val < e {
			p, c = c, c.next.Load()
		}
		p.mu.Lock()
		c.mu.Lock()
		if !p.marked.Load() && !c.marked.Load() && p.next.Load() == c {
			return p, c
		}
		c.mu.Unlock()
		p.mu.Unlock()
	}
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
