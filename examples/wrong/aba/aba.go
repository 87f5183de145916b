// Package aba has the lock-free stack of the tutorial, which uses its nodes again. It is wrong: the ABA problem.
package aba

import (
	"sync"
	"sync/atomic"
)

// Stack is a stack that may lose values, and pop some twice.
type Stack struct {
	head atomic.Pointer[node]
	free freeList
}

type node struct {
	value atomic.Int64
	below atomic.Pointer[node]
}

// New makes an empty Stack.
func New() *Stack { return &Stack{} }

// Push puts v on top.
func (s *Stack) Push(v int) {
	n := s.free.take()
	n.value.Store(int64(v))
	for {
		head := s.head.Load()
		n.below.Store(head)
		if s.head.CompareAndSwap(head, n) {
			return
		}
	}
}

// Pop takes what is on top, false if there is nothing.
func (s *Stack) Pop() (int, bool) {
	for {
		head := s.head.Load()
		if head == nil {
			return 0, false
		}
		below := head.below.Load()
		pause()
		if s.head.CompareAndSwap(head, below) {
			v := int(head.value.Load())
			s.free.give(head)
			return v, true
		}
	}
}

// pause does nothing, but for tests.
var pause = func() {}

// freeList holds nodes for the next use.
type freeList struct {
	mu    sync.Mutex
	nodes []*node
}

func (f *freeList) take() *node {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.nodes) == 0 {
		return &node{}
	}
	n := f.nodes[0]
	f.nodes = f.nodes[1:]
	return n
}

func (f *freeList) give(n *node) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nodes = append(f.nodes, n)
}
