// Package stack is a plain stack on a linked list.
package stack

// Stack is last in, first out.
type Stack struct {
	head *element
}

type element struct {
	value string
	next  *element
}

// Push puts a value on top.
func (s *Stack) Push(v string) {
	s.head = &element{value: v, next: s.head}
}

// Pop removes the value on top.
func (s *Stack) Pop() (v string, ok bool) {
	if s.head == nil {
		return "", false
	}
	v = s.head.value
	s.head = s.head.next
	return v, true
}
