// Package generics is a lock-free stack of anything.
package generics

import "sync/atomic"

// Stack is a stack.
type Stack[T any] struct{ head atomic.Pointer[node[T]] }

type node[T any] struct {
	value T
	below *node[T]
}

// Push puts v on top.
func (s *Stack[T]) Push(v T) {
	n := &node[T]{value: v}
	for {
		n.below = s.head.Load()
		if s.head.CompareAndSwap(n.below, n) {
			return
		}
	}
}

// Pop takes the value on top, or returns false.
func (s *Stack[T]) Pop() (v T, ok bool) {
	for {
		head := s.head.Load()
		if head == nil {
			return v, false
		}
		if s.head.CompareAndSwap(head, head.below) {
			return head.value, true
		}
	}
}
