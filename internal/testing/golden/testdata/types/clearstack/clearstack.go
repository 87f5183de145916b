// Package clearstack is a stack that can be emptied at once.
package clearstack

// Stack is last in, first out.
type Stack struct {
	values []int
}

// Push puts a value on top.
func (s *Stack) Push(v int) {
	s.values = append(s.values, v)
}

// Pop removes the value on top.
func (s *Stack) Pop() (int, bool) {
	n := len(s.values) - 1
	if n < 0 {
		return 0, false
	}
	v := s.values[n]
	s.values = s.values[:n]
	return v, true
}

// Clear empties the stack.
func (s *Stack) Clear() {
	s.values = s.values[:0]
}
