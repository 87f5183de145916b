// Package stackempty is a stack that says when it is empty.
package stackempty

// Stack is last in, first out.
type Stack struct {
	top *node
}

type node struct {
	value int
	below *node
}

// Push puts a value on top.
func (s *Stack) Push(v int) {
	s.top = &node{v, s.top}
}

// Pop removes the value on top. It panics if there is none.
func (s *Stack) Pop() int {
	if s.top == nil {
		panic("stack: empty")
	}
	v := s.top.value
	s.top = s.top.below
	return v
}

// IsEmpty reports whether there is nothing on the stack.
func (s *Stack) IsEmpty() bool {
	return s.top == nil
}
