// Package register is a reference implementation of a register: one value,
// behind a mutex.
package register

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Register holds the value written last. The zero Register holds none.
type Register struct {
	mu      sync.Mutex
	value   int
	written bool
}

// Write stores v.
func (r *Register) Write(v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value, r.written = v, true
}

// Read returns the value written last, or false if there is none.
func (r *Register) Read() (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value, r.written
}

// Spec says how the operations of a register belong together.
var Spec = reference.Spec{
	Name: "register",
	New:  func() *Register { return &Register{} },
	Language: []reference.Rule{{
		Name:    "write-once",
		Formula: "forall x:Op, y:Op. method(x) = write & method(y) = write & arg(x) = arg(y) -> x = y",
		Reading: "each value is written at most once",
	}},
	// A read belongs to the write of the value it returns; a write, and a read
	// that finds nothing, stand for themselves.
	Target: []string{
		"method(y) = write & arg(y) = ret(x)",
		"x = y & (method(x) = write | outcome(x) = nil)",
	},
	ReadOnly: "method(x) = read",
}
