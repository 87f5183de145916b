// Package undostack remembers what can be undone.
package undostack

import "sync"

// Action is the name of an action.
type Action string

type node struct {
	action Action
	next   *node
}

// Stack is empty at first.
type Stack struct {
	mu  sync.Mutex
	top *node
}

// New returns an empty stack.
func New() *Stack { return &Stack{} }

// Do remembers an action.
func (s *Stack) Do(a Action) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top = &node{a, s.top}
}

// Undo returns the latest action and forgets it; nil if there is none.
func (s *Stack) Undo() *Action {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top == nil {
		return nil
	}
	a := s.top.action
	s.top = s.top.next
	return &a
}

// Clear forgets all actions.
func (s *Stack) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.top = nil
}
