// Package outofrange looks at a length, and takes an element when the length may be
// another one.
package outofrange

import "sync"

// Stack is a stack of numbers.
type Stack struct {
	mu     sync.Mutex
	values []int
}

// Push puts v on top.
func (s *Stack) Push(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = append(s.values, v)
}

// Pop takes the number on top, or returns false.
func (s *Stack) Pop() (int, bool) {
	if s.empty() {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.values) - 1
	v := s.values[last]
	s.values = s.values[:last]
	return v, true
}

func (s *Stack) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.values) == 0
}
