// Package histogram sorts integer measurements into buckets.
package histogram

import (
	"errors"
	"slices"
)

// ErrEmpty is returned when nothing has been recorded.
var ErrEmpty = errors.New("histogram: empty")

// Histogram counts values by upper bound.
type Histogram struct {
	bounds []int
	counts []int // one more than bounds, the last is the overflow
	n, sum int
	max    int
}

// New returns a histogram with the given inclusive upper bounds and an
// overflow bucket after the highest one.
func New(bounds ...int) *Histogram {
	b := slices.Clone(bounds)
	slices.Sort(b)
	b = slices.Compact(b)
	return &Histogram{bounds: b, counts: make([]int, len(b)+1)}
}

// Record adds a value.
func (h *Histogram) Record(v int) {
	i, _ := slices.BinarySearch(h.bounds, v)
	h.counts[i]++
	if h.n == 0 || v > h.max {
		h.max = v
	}
	h.n++
	h.sum += v
}

// Count returns how many values fell into the bucket that v belongs to.
func (h *Histogram) Count(v int) int {
	i, _ := slices.BinarySearch(h.bounds, v)
	return h.counts[i]
}

// Mean returns the average of the values, rounded toward zero.
func (h *Histogram) Mean() (int, error) {
	if h.n == 0 {
		return 0, ErrEmpty
	}
	return h.sum / h.n, nil
}

// Max returns the largest value.
func (h *Histogram) Max() (int, error) {
	if h.n == 0 {
		return 0, ErrEmpty
	}
	return h.max, nil
}

// Reset forgets all values and keeps the bounds.
func (h *Histogram) Reset() {
	clear(h.counts)
	h.n, h.sum, h.max = 0, 0, 0
}
