// Package hindsight is a set as a sorted linked list that is read without locks and
// without a look at marks: what a reader has passed was in the list at some moment since
// it began ("Verifying linearizability with hindsight").
//
// Contains takes effect at its last read if what it found is true then. Else its element
// has been added or removed since it began, and it takes effect just before the last
// time that was done: who did it announced it.
package hindsight

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

// node is an element. Its mutex protects next and marked; next is read at any time.
type node struct {
	mu     sync.Mutex
	val    int
	next   atomic.Pointer[node]
	marked bool // no element any more, and next stays as it is
}

// New makes an empty Set.
func New() *Set {
	s := &Set{head: &node{val: math.MinInt}}
	s.head.next.Store(&node{val: math.MaxInt})
	return s
}

// Add puts e into the set, and reports whether it was not there.
func (s *Set) Add(e int) bool {
	p, c := s.lock(e)
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
	p, c := s.lock(e)
	defer p.mu.Unlock()
	if c.val != e {
		//lin: remove(e) = false
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.marked = true
	p.next.Store(c.next.Load())
	//lin: remove(e) = true; broadcast removed(e)
	return true
}

// Contains reports whether e is in the set. It waits for nobody.
//
//lin:receive before added(v int) in start if v == e: contains(e) = false
//lin:receive before removed(v int) in start if v == e: contains(e) = true
func (s *Set) Contains(e int) bool {
	found := s.has(e)
	//lin: if found == s.has(e): contains(e) = found
	return found
}

// has reports whether e was in the list at some moment since it began.
func (s *Set) has(e int) bool {
	_, c := s.locate(e)
	return c.val == e
}

// locate finds two elements that were neighbours in the list at some moment since it
// began: the last one below e and the one after it. Either may be removed by now.
func (s *Set) locate(e int) (p, c *node) {
	p = s.head
	c = p.next.Load()
	for c.val < e {
		p, c = c, c.next.Load()
	}
	return p, c
}

// lock does as locate, and locks p. It begins again if the two are no neighbours any
// more once p is locked.
func (s *Set) lock(e int) (p, c *node) {
	for {
		p, c = s.locate(e)
		p.mu.Lock()
		if !p.marked && p.next.Load() == c {
			return p, c
		}
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
