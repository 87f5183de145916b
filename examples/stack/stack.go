// Package stack is a reference implementation of a LIFO stack: a slice behind
// a mutex.
package stack

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Stack holds values; the one added last leaves first. The zero Stack is empty.
type Stack struct {
	mu     sync.Mutex
	values []int
}

// Add puts v on top.
func (s *Stack) Add(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = append(s.values, v)
}

// Remove takes the value on top, or returns false if the stack is empty.
func (s *Stack) Remove() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.values) == 0 {
		return 0, false
	}
	last := len(s.values) - 1
	v := s.values[last]
	s.values = s.values[:last]
	return v, true
}

// Spec says how the operations of a stack belong together.
var Spec = reference.Spec{
	Name: "stack",
	New:  func() *Stack { return &Stack{} },
	Language: []reference.Rule{{
		Name:    "add-once",
		Formula: "forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y",
		Reading: "each value is added at most once",
	}},
	// A remove belongs to the add of the value it returns; an add, and a remove
	// that finds the stack empty, stand for themselves.
	Target: []string{
		"method(y) = add & arg(y) = ret(x)",
		"x = y & (method(x) = add | outcome(x) = nil)",
	},
	ReadOnly: "outcome(x) = nil",
	Aliases: map[string][]string{
		"add":    {"enqueue", "offer", "push", "put"},
		"remove": {"dequeue", "get", "poll", "pop"},
	},
}
