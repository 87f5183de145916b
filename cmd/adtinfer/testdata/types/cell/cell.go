// Package cell holds a value that may not be there yet.
package cell

import "sync"

// Cell is empty at first.
type Cell[T any] struct {
	mu  sync.Mutex
	v   T
	set bool
}

// New returns an empty cell.
func New[T any]() *Cell[T] { return &Cell[T]{} }

// Write replaces the value.
func (c *Cell[T]) Write(v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.v, c.set = v, true
}

// Read returns the value written last; false if there is none.
func (c *Cell[T]) Read() (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.v, c.set
}
