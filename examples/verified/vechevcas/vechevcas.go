// Package vechevcas is Vechev and Yahav's set as a sorted linked list with
// compare-and-swap: an element is marked so that nothing changes behind it, and is
// there until it is unlinked ("Deriving linearizable fine-grained concurrent objects").
//
// What an operation finds may be over when it finds it. Then its element has been added or
// removed since it began, and unless it changes something, it takes effect just before the
// last time that was done: who did it announced it.
package vechevcas

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

// node is an element.
type node struct {
	val  int
	link atomic.Pointer[link]
}

// link is what comes after an element, and whether somebody is about to remove the
// element. Links do not change, so that both are compared at once; a node with a mark
// keeps its link.
type link struct {
	next   *node
	marked bool
}

// New makes an empty Set.
func New() *Set {
	s := &Set{head: &node{val: math.MinInt}}
	s.head.link.Store(&link{next: &node{val: math.MaxInt}})
	return s
}

// Add puts e into the set, and reports whether it was not there. While the element before
// is being removed, it waits for that.
//
//lin:receive before removed(v int) in start if v == e: add(e) = false
func (s *Set) Add(e int) bool {
	n := &node{val: e}
	for {
		p, c := s.locate(e)
		if c.val == e {
			//lin: if s.has(e): add(e) = false
			return false
		}
		n.link.Store(&link{next: c})
		if p.change(c, n) {
			//lin: add(e) = true; broadcast added(e)
			return true
		}
	}
}

// Remove takes e out of the set, and reports whether it was there. Of several calls that
// mark an element, the one that unlinks it has removed it.
//
//lin:receive before added(v int) in start if v == e: remove(e) = false
func (s *Set) Remove(e int) bool {
	for {
		p, c := s.locate(e)
		if c.val != e {
			//lin: if !s.has(e): remove(e) = false
			return false
		}
		was := c.link.Load()
		if !was.marked && !c.link.CompareAndSwap(was, &link{next: was.next, marked: true}) {
			continue
		}
		if p.change(c, was.next) {
			//lin: remove(e) = true; broadcast removed(e)
			return true
		}
	}
}

// Contains reports whether e is in the set. It waits for nobody: marks do not matter
// to it.
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

// locate finds the last element below e and the one after it.
func (s *Set) locate(e int) (p, c *node) {
	p = s.head
	c = p.link.Load().next
	for c.val < e {
		p, c = c, c.link.Load().next
	}
	return p, c
}

// change lets next come after n, if c does and n has no mark.
func (n *node) change(c, next *node) bool {
	was := n.link.Load()
	return was.next == c && !was.marked && n.link.CompareAndSwap(was, &link{next: next})
}

// sorted reports whether the list ascends, and ends.
func (s *Set) sorted() bool {
	n := s.head
	for l := n.link.Load(); l != nil; l = n.link.Load() {
		if n.val >= l.next.val {
			return false
		}
		n = l.next
	}
	return n.val == math.MaxInt
}
