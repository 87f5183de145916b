// Package initialized has a table that is made before everything else.
package initialized

import (
	"math/bits"
	"sync/atomic"
)

var squares = func() (t [8]int) {
	for i := range t {
		t[i] = i * i
	}
	return t
}()

var zero int

func init() { zero = squares[3] - 9 }

// Cell holds a number.
type Cell struct{ v atomic.Uint64 }

// Add adds v to the number, and answers the square of how many bits it has then.
func (c *Cell) Add(v uint64) int {
	return squares[bits.Len64(c.v.Add(v))&7] + zero
}
