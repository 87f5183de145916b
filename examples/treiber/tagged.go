package treiber

import (
	"sync"
	"sync/atomic"
)

// Tagged is a lock-free stack that uses its nodes again and is right: its head
// is the number of a node and a tag that every change makes a new one. A head
// that has come back has another tag ("System/370 Principles of Operation",
// Appendix A). Its methods may be called by any goroutine, and take effect where those
// of Stack do.
type Tagged struct {
	head  atomic.Uint64            // tag in the upper half, number of a node in the lower; node 0 is none
	nodes atomic.Pointer[[]*place] // by number; grows, and keeps what it has

	mu   sync.Mutex // protects free, and is held to change nodes
	free []uint32

	pause func() // for tests: called where others may get in between; may be nil
}

// place is a node of a Tagged: a value with the number of the one below.
type place struct {
	value atomic.Int64
	below atomic.Uint32
}

// NewTagged makes an empty Tagged. If pause is not nil it is called between
// reading the head and the compare-and-swap that relies on it, for tests.
func NewTagged(pause func()) *Tagged {
	s := &Tagged{pause: pause}
	s.nodes.Store(&[]*place{nil})
	return s
}

// Push puts v on top.
func (s *Tagged) Push(v int) {
	k := s.take()
	n := s.node(k)
	n.value.Store(int64(v))
	for {
		head := s.head.Load()
		n.below.Store(uint32(head))
		s.wait()
		if s.head.CompareAndSwap(head, next(head, k)) {
			//lin: push(v)
			return
		}
	}
}

// Pop takes the value on top, or returns false if the stack is empty.
func (s *Tagged) Pop() (int, bool) {
	for {
		head := s.head.Load()
		k := uint32(head)
		if k == 0 {
			//lin: pop() = 0, false
			return 0, false
		}
		n := s.node(k)
		below := n.below.Load()
		s.wait()
		if s.head.CompareAndSwap(head, next(head, below)) {
			//lin: pop() = int(n.value.Load()), true
			v := n.value.Load()
			s.give(k)
			return int(v), true
		}
	}
}

// next is the head that comes after another one, with node k on top.
func next(head uint64, k uint32) uint64 { return (head>>32+1)<<32 | uint64(k) }

func (s *Tagged) node(k uint32) *place { return (*s.nodes.Load())[k] }

// take is the number of a node that was given back, or of a new one.
func (s *Tagged) take() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) > 0 {
		k := s.free[0]
		s.free = s.free[1:]
		return k
	}
	nodes := append((*s.nodes.Load())[:], &place{})
	s.nodes.Store(&nodes)
	return uint32(len(nodes) - 1)
}

func (s *Tagged) give(k uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, k)
}

func (s *Tagged) wait() {
	if s.pause != nil {
		s.pause()
	}
}
