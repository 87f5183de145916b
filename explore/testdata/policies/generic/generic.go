// Package generic is a Treiber stack of any type, with a policy.
package generic

import "sync/atomic"

// Stack is a stack.
//
//lin:invariant s.head.Load() == nil || any(s.head.Load().value) != any(*new(T))
type Stack[T any] struct{ head atomic.Pointer[node[T]] }

type node[T any] struct {
	value T
	below *node[T]
}

// Push puts v on top.
//
//lin:receive after popped(was E, n int) in helped if any(was) == any(v): push(v)
func (s *Stack[E]) Push(v E) {
	n := &node[E]{value: v}
	for {
		n.below = s.head.Load()
		if s.head.CompareAndSwap(n.below, n) {
			//lin: push(v); own n; goto helped
			return
		}
	}
}

// Pop takes the value on top; false if there is none.
func (s *Stack[_]) Pop() bool {
	for {
		head := s.head.Load()
		if head == nil {
			//lin: pop() = false
			return false
		}
		//lin: guess later
		if s.head.CompareAndSwap(head, head.below) {
			//lin: if later && !owns(head): pop() = true; broadcast popped(head.value, 3); push(head.value) for head
			//lin: assume later == (head.below != nil)
			return true
		}
	}
}
