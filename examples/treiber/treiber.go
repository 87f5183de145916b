// Package treiber is a lock-free stack in three variants: one that leaves its
// nodes to the garbage collector, one that uses them again, which is wrong, and
// one that uses them again with a tag, which is right.
//
// The second one is the ABA problem ("Monitoring refinement" §1, figure 1). A
// Pop reads the head A and its successor B, and sleeps. Others pop A and B, and
// push a value for which they take node A again. Pop wakes up, finds A at the
// head as before, and puts B there, which is not in the stack any more.
package treiber

import (
	"sync"
	"sync/atomic"
)

// Stack is a lock-free LIFO stack of integers ("Systems programming: coping with
// parallelism" §3). Its methods may be called by any goroutine.
//
// They take effect when they change the head, and a Pop that finds nothing when it reads
// the head.
type Stack struct {
	head atomic.Pointer[node]
	free *freeList // nil: nodes are never used again

	pause func() // for tests: called where Pop had better not sleep; may be nil
}

// node is a value with what lies below it.
type node struct {
	value atomic.Int64
	below atomic.Pointer[node]
}

// New makes an empty Stack. As long as a goroutine knows a node, the garbage
// collector keeps it from becoming another one, and so the head it has read
// cannot come back.
func New() *Stack { return &Stack{} }

// NewReusing makes an empty Stack that uses its nodes again. It is wrong.
func NewReusing() *Stack { return &Stack{free: &freeList{}} }

// Paused lets s call a function where Pop had better not sleep, for tests. It
// returns s.
func Paused(s *Stack, pause func()) *Stack {
	s.pause = pause
	return s
}

// Push puts v on top.
func (s *Stack) Push(v int) {
	n := s.free.take()
	n.value.Store(int64(v))
	for {
		head := s.head.Load()
		n.below.Store(head)
		if s.head.CompareAndSwap(head, n) {
			//lin: push(v)
			return
		}
	}
}

// Pop takes the value on top, or returns false if the stack is empty.
func (s *Stack) Pop() (int, bool) {
	for {
		head := s.head.Load()
		if head == nil {
			//lin: pop() = 0, false
			return 0, false
		}
		below := head.below.Load()
		if s.pause != nil {
			s.pause()
		}
		if s.head.CompareAndSwap(head, below) { // the same head, but is below still below it?
			//lin: pop() = int(head.value.Load()), true
			v := head.value.Load()
			s.free.give(head)
			return int(v), true
		}
	}
}

// freeList holds nodes that are not in use; the one that came first leaves first.
type freeList struct {
	mu    sync.Mutex
	nodes []*node
}

// take is a node that was given back, or a new one.
func (f *freeList) take() *node {
	if f == nil {
		return &node{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.nodes) == 0 {
		return &node{}
	}
	n := f.nodes[0]
	f.nodes = f.nodes[1:]
	return n
}

// give gives a node back.
func (f *freeList) give(n *node) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nodes = append(f.nodes, n)
}
