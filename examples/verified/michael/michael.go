// Package michael is a lock-free set as a sorted linked list: an element is removed
// by marking its link to the next one, and whoever comes along unlinks each removed
// element on its own, before going on ("High performance dynamic lock-free hash tables
// and list-based sets").
//
// Add and Remove take effect when they link and mark. An operation that finds its element
// takes effect when find reads that it is not marked; one that does not, when find sees that
// p and c are neighbours. If find begins again, that counts which it finds last.
package michael

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
	next atomic.Pointer[link]
}

// link is what comes after an element, and whether the element is removed. It does not
// change: an element gets another link.
type link struct {
	to     *node
	marked bool
}

// New makes an empty Set.
func New() *Set {
	last := &node{val: math.MaxInt}
	last.next.Store(&link{})
	s := &Set{head: &node{val: math.MinInt}}
	s.head.next.Store(&link{to: last})
	return s
}

// Add puts e into the set, and reports whether it was not there.
//
//lin:op add
func (s *Set) Add(e int) bool {
	n := &node{val: e}
	for {
		p, before, c, _ := s.find(e)
		if c.val == e {
			return false
		}
		n.next.Store(&link{to: c})
		if p.next.CompareAndSwap(before, &link{to: n}) {
			//lin: add(e) = true
			return true
		}
	}
}

// Remove takes e out of the set, and reports whether it was there.
//
//lin:op remove
func (s *Set) Remove(e int) bool {
	for {
		p, before, c, after := s.find(e)
		if c.val != e {
			return false
		}
		if !c.next.CompareAndSwap(after, &link{to: after.to, marked: true}) {
			continue
		}
		//lin: remove(e) = true; goto removed
		if !p.next.CompareAndSwap(before, &link{to: after.to}) {
			s.find(e) // unlinks it, unless others did
		}
		return true
	}
}

// Contains reports whether e is in the set.
//
//lin:op contains
func (s *Set) Contains(e int) bool {
	_, _, c, _ := s.find(e)
	return c.val == e
}

// find finds the last element p below e and the one after it, c, with the links
// before and after c, neither of them marked. It unlinks removed elements that it
// meets.
func (s *Set) find(e int) (p *node, before *link, c *node, after *link) {
again:
	for {
		p = s.head
		before = p.next.Load()
		for {
			c = before.to
			after = c.next.Load()
			//lin: if c.val == e && !after.marked: add(e) = false; contains(e) = true
			switch {
			case p.next.Load() != before: // p is removed, or c not after it any more
				continue again
			case after.marked:
				unlinked := &link{to: after.to}
				if !p.next.CompareAndSwap(before, unlinked) {
					continue again
				}
				before = unlinked
			case c.val >= e:
				//lin: in start if c.val > e: remove(e) = false; contains(e) = false
				return p, before, c, after
			default:
				p, before = c, after
			}
		}
	}
}

// sorted reports whether the list ascends, and ends.
func (s *Set) sorted() bool {
	n := s.head
	for next := n.next.Load().to; next != nil; n, next = next, next.next.Load().to {
		if n.val >= next.val {
			return false
		}
	}
	return n.val == math.MaxInt
}
