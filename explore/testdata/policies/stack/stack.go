// Package stack is a stack with a lock.
package stack

import "sync"

type Stack struct {
	mu  sync.Mutex
	top *node
}

type node struct {
	value int
	below *node
}

func New() *Stack { return &Stack{} }

func (s *Stack) Push(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	//lin: push(v)
	s.top = &node{v, s.top}
}

func (s *Stack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.top
	if n == nil {
		//lin: pop() = 0, false
		return 0, false
	}
	s.top = n.below
	//lin: pop() = n.value, true
	return n.value, true
}
