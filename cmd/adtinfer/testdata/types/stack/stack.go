// Package stack is a last-in, first-out stack.
package stack

// Stack is empty at first.
type Stack []int

// Push adds v on top.
func (s *Stack) Push(v int) { *s = append(*s, v) }

// Pop removes what is on top.
func (s *Stack) Pop() (v int, ok bool) {
	n := len(*s)
	if n == 0 {
		return 0, false
	}
	v, *s = (*s)[n-1], (*s)[:n-1]
	return v, true
}

// IsEmpty reports whether there is nothing on the stack.
func (s *Stack) IsEmpty() bool { return len(*s) == 0 }
