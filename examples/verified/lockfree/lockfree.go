// Package lockfree is Herlihy and Shavit's lock-free set as a sorted linked list: an
// element is removed by marking it, and unlinked by whoever looks for a place later;
// contains does neither, and so it waits for nobody ("The Art of Multiprocessor
// Programming", LockFreeList).
//
// Add and Remove take effect when they link and mark; where they find nothing to do, they do
// so when they read the link that says it, or unlink removed elements there. A Contains that
// does not find its element takes effect just before an Add that puts it in meanwhile, or
// else with its last read.
package lockfree

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

// link is what comes after an element, and whether the element is removed. Links do not
// change, so that both are compared at once.
type link struct {
	next   *node
	marked bool
}

// New makes an empty Set.
func New() *Set {
	s := &Set{head: &node{val: math.MinInt}}
	last := &node{val: math.MaxInt}
	last.link.Store(&link{})
	s.head.link.Store(&link{next: last})
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
		n.link.Store(&link{next: c})
		if p.change(c, &link{next: n}) {
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
		next := c.link.Load().next
		if c.change(next, &link{next: next, marked: true}) {
			//lin: remove(e) = true
			p.change(c, &link{next: next}) // if that fails, others do it later
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
		c = c.link.Load().next
	}
	if c.val == e && !c.link.Load().marked {
		//lin: contains(e) = true
		return true
	}
	//lin: in start: contains(e) = false
	return false
}

// locate finds the last element below e and the one after it. It unlinks the removed
// elements that it meets, one by one, and begins again if others change the list there.
func (s *Set) locate(e int) (p, c *node) {
again:
	for {
		p, c = s.head, s.head
		for {
			after := c.link.Load()
			switch {
			case after.marked:
				if !p.change(c, &link{next: after.next}) {
					continue again
				}
				c = after.next
				//lin: if c.val > e: remove(e) = false
			case c.val < e:
				p, c = c, after.next
				//lin: if c.val > e: remove(e) = false
			default:
				//lin: if c.val == e: add(e) = false
				return p, c
			}
		}
	}
}

// change gives n another link, if c comes after n and n is not removed.
func (n *node) change(c *node, to *link) bool {
	was := n.link.Load()
	return was.next == c && !was.marked && n.link.CompareAndSwap(was, to)
}

// sorted reports whether the list ascends, and ends.
func (s *Set) sorted() bool {
	n := s.head
	for next := n.link.Load().next; next != nil; n, next = next, next.link.Load().next {
		if n.val >= next.val {
			return false
		}
	}
	return n.val == math.MaxInt
}
