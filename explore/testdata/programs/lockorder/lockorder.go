// Package lockorder takes two locks in two orders.
package lockorder

import "sync"

// Accounts are two accounts, each with its lock.
type Accounts struct {
	a, b     sync.Mutex
	inA, inB int
}

// Forth moves v from the first one to the second one.
func (s *Accounts) Forth(v int) {
	s.a.Lock()
	defer s.a.Unlock()
	s.b.Lock()
	defer s.b.Unlock()
	s.inA -= v
	s.inB += v
}

// Back moves v from the second one to the first one.
func (s *Accounts) Back(v int) {
	s.b.Lock()
	defer s.b.Unlock()
	s.a.Lock()
	defer s.a.Unlock()
	s.inB -= v
	s.inA += v
}
