// Package deque is a reference implementation of a queue with two ends: a
// slice behind a mutex.
package deque

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Deque holds values in a row. The zero Deque is empty.
type Deque struct {
	mu     sync.Mutex
	values []int
}

// PushFront puts a value before all others.
func (d *Deque) PushFront(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.values = append([]int{v}, d.values...)
}

// PushBack puts a value behind all others.
func (d *Deque) PushBack(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.values = append(d.values, v)
}

// PopFront removes the first value, or returns false if there is none.
func (d *Deque) PopFront() (v int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.values) == 0 {
		return 0, false
	}
	v = d.values[0]
	d.values = d.values[1:]
	return v, true
}

// PopBack removes the last value, or returns false if there is none.
func (d *Deque) PopBack() (v int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.values) == 0 {
		return 0, false
	}
	last := len(d.values) - 1
	v = d.values[last]
	d.values = d.values[:last]
	return v, true
}

// Spec says how the operations of a deque belong together.
var Spec = reference.Spec{
	Name: "deque",
	New:  func() *Deque { return &Deque{} },
	Language: []reference.Rule{{
		Name:    "push-once",
		Formula: `forall x:Op, y:Op. (method(x) = pushFront | method(x) = pushBack) & (method(y) = pushFront | method(y) = pushBack) & arg(x) = arg(y) -> x = y`,
		Reading: "each value is pushed at most once",
	}},
	// A pop belongs to the push of the value it returns; a push, and a pop that
	// finds the deque empty, stand for themselves.
	Target: []string{
		`(method(y) = pushFront | method(y) = pushBack) & arg(y) = ret(x)`,
		`x = y & (method(x) = pushFront | method(x) = pushBack | outcome(x) = nil)`,
	},
	ReadOnly: "outcome(x) = nil",
}
