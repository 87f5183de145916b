// Package background has a goroutine of its own that does what is asked for, started
// by the first operation.
package background

import "sync"

// Server adds numbers up.
type Server struct {
	once     sync.Once
	requests chan request
}

type request struct {
	v      int
	answer chan int
}

// New makes a Server.
func New() *Server { return &Server{requests: make(chan request)} }

// Add adds v, and answers the sum.
func (s *Server) Add(v int) int {
	s.once.Do(func() { go s.serve() })
	r := request{v, make(chan int)}
	s.requests <- r
	return <-r.answer
}

func (s *Server) serve() {
	sum := 0
	for r := range s.requests {
		sum += r.v
		r.answer <- sum
	}
}
