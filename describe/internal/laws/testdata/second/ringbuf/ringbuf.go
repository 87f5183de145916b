// Package ringbuf is a fixed-size buffer that overwrites its oldest items.
package ringbuf

// Ring keeps the last items pushed.
type Ring[T any] struct {
	buf   []T
	start int
	n     int
	lost  int
}

// New returns a ring for size items; size must be at least 1.
func New[T any](size int) *Ring[T] {
	return &Ring[T]{buf: make([]T, max(size, 1))}
}

// Push appends an item and reports whether the oldest was overwritten.
func (r *Ring[T]) Push(v T) bool {
	if r.n < len(r.buf) {
		r.buf[(r.start+r.n)%len(r.buf)] = v
		r.n++
		return false
	}
	r.buf[r.start] = v
	r.start = (r.start + 1) % len(r.buf)
	r.lost++
	return true
}

// Pop removes and returns the oldest item.
func (r *Ring[T]) Pop() (T, bool) {
	var zero T
	if r.n == 0 {
		return zero, false
	}
	v := r.buf[r.start]
	r.buf[r.start] = zero
	r.start = (r.start + 1) % len(r.buf)
	r.n--
	return v, true
}

// Items returns the items from oldest to newest.
func (r *Ring[T]) Items() []T {
	out := make([]T, 0, r.n)
	for i := range r.n {
		out = append(out, r.buf[(r.start+i)%len(r.buf)])
	}
	return out
}

// Len returns the number of items held.
func (r *Ring[T]) Len() int { return r.n }

// Lost returns the number of items overwritten so far.
func (r *Ring[T]) Lost() int { return r.lost }
