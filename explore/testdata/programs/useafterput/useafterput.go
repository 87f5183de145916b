// Package useafterput is a stack whose nodes come from a pool, and go back while
// others still read them.
package useafterput

import (
	"sync"
	"sync/atomic"
)

// Stack is a stack of numbers.
type Stack struct {
	head atomic.Pointer[node]
	pool sync.Pool
}

type node struct {
	value int
	below atomic.Pointer[node]
}

// New makes an empty Stack.
func New() *Stack {
	return &Stack{pool: sync.Pool{New: func() any { return new(node) }}}
}

// Push puts v on top.
func (s *Stack) Push(v int) {
	n := s.pool.Get().(*node)
	n.value = v
	for {
		head := s.head.Load()
		n.below.Store(head)
		if s.head.CompareAndSwap(head, n) {
			return
		}
	}
}

// Pop takes the number on top, or returns false.
func (s *Stack) Pop() (int, bool) {
	for {
		head := s.head.Load()
		if head == nil {
			return 0, false
		}
		if s.head.CompareAndSwap(head, head.below.Load()) {
			v := head.value
			s.pool.Put(head)
			return v, true
		}
	}
}
