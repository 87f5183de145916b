// Package hsy is a lock-free stack with elimination: a push and a pop that get in the way of each
// other may meet beside the stack, where one hands its value to the other ("A scalable
// lock-free stack algorithm"). Goroutines have no numbers here: who waits is in a slot of the
// collision array itself.
//
// Operations that meet take effect together, when the second one becomes the partner of the
// first: the push, and at once the pop. The others take effect at the top, as in a stack without
// elimination.
package hsy

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// slots is how many goroutines can wait for a partner at once.
const slots = 2

// Stack is a LIFO stack of integers. Its methods may be called by any goroutine.
type Stack struct {
	top       atomic.Pointer[node]
	collision [slots]atomic.Pointer[offer] // who waits there for a partner
}

// node is a value with what lies below it.
type node struct {
	value int
	below *node
}

// offer is an operation that may meet another one.
type offer struct {
	node    *node                 // what is pushed; nil for a pop
	partner atomic.Pointer[offer] // the operation that it has met, withdrawn if it meets none any more
}

// withdrawn is the partner of offers that meet nobody.
var withdrawn = &offer{}

// New makes an empty Stack.
func New() *Stack { return &Stack{} }

// Push puts v on top.
func (s *Stack) Push(v int) {
	n := &node{value: v}
	//lin: own n
	for {
		n.below = s.top.Load()
		if s.top.CompareAndSwap(n.below, n) {
			//lin: push(v)
			return
		}
		if s.eliminate(&offer{node: n}) != nil {
			return
		}
	}
}

// Pop takes the value on top, or returns false if the stack is empty.
func (s *Stack) Pop() (int, bool) {
	for {
		top := s.top.Load()
		if top == nil {
			//lin: pop() = 0, false
			return 0, false
		}
		if s.top.CompareAndSwap(top, top.below) {
			//lin: pop() = top.value, true
			return top.value, true
		}
		if push := s.eliminate(&offer{}); push != nil {
			return push.node.value, true
		}
	}
}

// eliminate looks for an operation of the other kind, and returns it: the push comes
// just before the pop. It returns nil if there is none, and then mine has not happened.
func (s *Stack) eliminate(mine *offer) *offer {
	//lin: own mine
	slot := &s.collision[rand.IntN(slots)]
	other := slot.Load()
	if other != nil {
		if (other.node == nil) != (mine.node == nil) && other.partner.CompareAndSwap(nil, mine) {
			//lin: push(mine.node.value); pop() = mine.node.value, true for other
			//lin: push(other.node.value) for other; pop() = other.node.value, true
			slot.CompareAndSwap(other, nil) // if that fails, another offer is there already
			return other
		}
		if other.partner.Load() == nil { // of the same kind: it may stay
			return nil
		}
	}
	if !slot.CompareAndSwap(other, mine) {
		return nil
	}
	runtime.Gosched() // somebody may come
	if mine.partner.CompareAndSwap(nil, withdrawn) {
		slot.CompareAndSwap(mine, nil)
		return nil
	}
	return mine.partner.Load()
}
