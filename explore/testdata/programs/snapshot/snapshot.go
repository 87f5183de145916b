// Package snapshot has two cells that are read one after the other.
package snapshot

import "sync/atomic"

// Pair is two numbers.
type Pair struct{ a, b atomic.Int64 }

// SetA writes the first number.
func (p *Pair) SetA(v int64) { p.a.Store(v) }

// SetB writes the second number.
func (p *Pair) SetB(v int64) { p.b.Store(v) }

// Both reads both numbers, as they have never been together.
func (p *Pair) Both() (int64, int64) { return p.a.Load(), p.b.Load() }
