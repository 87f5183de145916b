// Package ring is a ring buffer whose size is chosen when it is made.
package ring

import "errors"

// Errors of a ring.
var (
	ErrFull  = errors.New("ring: full")
	ErrEmpty = errors.New("ring: empty")
)

// Ring is a buffer of strings.
type Ring struct {
	buf        []string
	head, size int
}

// New makes a ring for capacity strings.
func New(capacity int) *Ring {
	return &Ring{buf: make([]string, capacity)}
}

// Write appends a string.
func (r *Ring) Write(s string) error {
	if r.size == len(r.buf) {
		return ErrFull
	}
	r.buf[(r.head+r.size)%len(r.buf)] = s
	r.size++
	return nil
}

// Read removes the oldest string.
func (r *Ring) Read() (string, error) {
	if r.size == 0 {
		return "", ErrEmpty
	}
	s := r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.size--
	return s, nil
}
