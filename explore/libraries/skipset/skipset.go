// Package skipset is the set of github.com/zhangyunhao116/skipset.
package skipset

import (
	"github.com/zhangyunhao116/fastrand"
	"github.com/zhangyunhao116/skipset"
)

// Each element is on the lowest level alone: how many levels it is on is random, and
// not bounded.
func init() { fastrand.Uint32 = func() uint32 { return 1 << 31 } }

// Set is a set of numbers.
type Set struct{ s *skipset.IntSet }

// New makes an empty Set.
func New() *Set { return &Set{skipset.NewInt()} }

// Add puts v into the set, and reports whether it was not there.
func (s *Set) Add(v int) bool { return s.s.Add(v) }

// Remove takes v out of the set, and reports whether it was there.
func (s *Set) Remove(v int) bool { return s.s.Remove(v) }

// Contains reports whether v is in the set.
func (s *Set) Contains(v int) bool { return s.s.Contains(v) }
