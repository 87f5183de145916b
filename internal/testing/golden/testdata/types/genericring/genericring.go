// Package genericring is a generic ring buffer.
package genericring

// Ring holds values of type T.
type Ring[T any] struct {
	values      []T
	read, write int
	full        bool
}

// New makes a ring that holds up to n values.
func New[T any](n int) *Ring[T] {
	return &Ring[T]{values: make([]T, n)}
}

// Offer stores a value if there is room.
func (r *Ring[T]) Offer(v T) bool {
	if r.full {
		return false
	}
	r.values[r.write] = v
	r.write = (r.write + 1) % len(r.values)
	r.full = r.write == r.read
	return true
}

// Poll removes the oldest value.
func (r *Ring[T]) Poll() (v T, ok bool) {
	if r.read == r.write && !r.full {
		return v, false
	}
	v = r.values[r.read]
	r.read = (r.read + 1) % len(r.values)
	r.full = false
	return v, true
}
