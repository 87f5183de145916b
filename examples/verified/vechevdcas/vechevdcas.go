// Package vechevdcas is Vechev and Yahav's set as a sorted linked list with a
// compare-and-swap of two words: an element is unlinked, and cut off from what comes
// after it, at once, so that no marks are needed ("Deriving linearizable fine-grained
// concurrent objects").
//
// Operations take effect at their last read, or their swap. What they read is true at that
// moment, for nothing comes after elements that are removed.
package vechevdcas

import (
	"math"

	"github.com/adtinfer/adtinfer/examples/verified/dcas"
)

// Set is a set of integers between math.MinInt and math.MaxInt, without these two. Its
// methods may be called by any goroutine.
type Set struct {
	head *node // below all elements; the last node is above them
}

// node is an element. Nothing comes after one that is removed.
type node struct {
	val  int
	next dcas.Word[*node]
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
			//lin: add(e) = false
			return false
		}
		n.next.Store(c)
		if p.next.CompareAndSwap(c, n) {
			//lin: add(e) = true
			return true
		}
	}
}

// Remove takes e out of the set, and reports whether it was there.
func (s *Set) Remove(e int) bool {
	for {
		p, c := s.locate(e)
		if c.val != e {
			//lin: remove(e) = false
			return false
		}
		next := c.next.Load()
		if dcas.Swap(
			dcas.Change[*node]{Word: &p.next, Expected: c, Value: next},
			dcas.Change[*node]{Word: &c.next, Expected: next, Value: nil},
		) {
			//lin: remove(e) = true
			return true
		}
	}
}

// Contains reports whether e is in the set.
func (s *Set) Contains(e int) bool {
	_, c := s.locate(e)
	//lin: contains(e) = c.val == e
	return c.val == e
}

// locate finds the last element below e and the one after it. It begins again if it comes
// to the end of an element that is removed.
func (s *Set) locate(e int) (p, c *node) {
	p, c = s.head, s.head.next.Load()
	for c.val < e {
		p, c = c, c.next.Load()
		if c == nil {
			p, c = s.head, s.head.next.Load()
		}
	}
	return p, c
}
