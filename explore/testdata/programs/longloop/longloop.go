// Package longloop draws numbers, each by many rounds of a loop.
package longloop

import "sync"

// Source is a source of numbers.
type Source struct {
	mu sync.Mutex
	s  uint64
}

// New makes a source.
func New() *Source {
	s := &Source{}
	for i := range uint64(250_000) {
		s.s += i
	}
	return s
}

// Next is the next number.
func (s *Source) Next() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 300_000 {
		s.s = s.s*6364136223846793005 + 1442695040888963407
	}
	return s.s
}
