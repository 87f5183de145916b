// Package handoverhand is a set as a sorted linked list with a lock for each
// element: who walks along the list locks the next element before it unlocks the last
// one ("Concurrency of operations on B-trees", for lists).
//
// An operation takes effect while the two elements around its place are locked, as
// nobody else can come there.
package handoverhand

import (
	"math"
	"sync"
)

// Set is a set of integers between math.MinInt and math.MaxInt, without these two. Its
// methods may be called by any goroutine.
//
//lin:invariant s.sorted()
type Set struct {
	head *node // below all elements; the last node is above them
}

// node is an element. Its mutex protects next.
type node struct {
	mu   sync.Mutex
	val  int
	next *node
}

// New makes an empty Set.
func New() *Set {
	return &Set{head: &node{val: math.MinInt, next: &node{val: math.MaxInt}}}
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
	p.next = &node{val: e, next: c}
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
	p.next = c.next
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
	p = s.head
	p.mu.Lock()
	c = p.next
	c.mu.Lock()
	for c.val < e {
		p.mu.Unlock()
		p, c = c, c.next
		c.mu.Lock()
	}
	return p, c
}

// sorted reports whether the list ascends, and ends.
func (s *Set) sorted() bool {
	n := s.head
	for next := n.next; next != nil; n, next = next, next.next {
		if n.val >= next.val {
			return false
		}
	}
	return n.val == math.MaxInt
}
