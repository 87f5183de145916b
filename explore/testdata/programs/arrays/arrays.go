// Package arrays is a bounded stack in an array of structs.
package arrays

import "sync"

// Stack holds three pairs at most.
type Stack struct {
	mu     sync.Mutex
	places [3]place
	n      int
}

type place struct {
	value int
	times uint8
}

// Push puts v on top, and reports whether there was room.
func (s *Stack) Push(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n > 0 && s.places[s.n-1].value == v {
		s.places[s.n-1].times++
		return true
	}
	if s.n == len(s.places) {
		return false
	}
	s.places[s.n] = place{v, 1}
	s.n++
	return true
}

// Pop takes what is on top.
func (s *Stack) Pop() (v, times int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n == 0 {
		return 0, 0, false
	}
	s.n--
	p := s.places[s.n]
	s.places[s.n] = place{}
	return p.value, int(p.times), true
}
