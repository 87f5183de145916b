// Package unsafepointer is a stack in the old style, without generic atomics.
package unsafepointer

import (
	"sync/atomic"
	"unsafe"
)

// Stack is a stack of numbers.
type Stack struct{ head unsafe.Pointer } // *node

type node struct {
	value int
	below unsafe.Pointer
}

// Push puts v on top.
func (s *Stack) Push(v int) {
	n := &node{value: v}
	for {
		n.below = atomic.LoadPointer(&s.head)
		if atomic.CompareAndSwapPointer(&s.head, n.below, unsafe.Pointer(n)) {
			return
		}
	}
}

// Pop takes the number on top, or returns false.
func (s *Stack) Pop() (int, bool) {
	for {
		head := (*node)(atomic.LoadPointer(&s.head))
		if head == nil {
			return 0, false
		}
		if atomic.CompareAndSwapPointer(&s.head, unsafe.Pointer(head), head.below) {
			return head.value, true
		}
	}
}
