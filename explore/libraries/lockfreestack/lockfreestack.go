// Package lockfreestack is the stack of golang.design/x/lockfree.
package lockfreestack

import "golang.design/x/lockfree"

// Stack is a stack of numbers.
type Stack struct{ s *lockfree.Stack }

// New makes an empty Stack.
func New() *Stack { return &Stack{lockfree.NewStack()} }

// Push puts v on top.
func (s *Stack) Push(v int) { s.s.Push(v) }

// Pop takes the number on top, or returns false.
func (s *Stack) Pop() (int, bool) {
	v, ok := s.s.Pop().(int)
	return v, ok
}
