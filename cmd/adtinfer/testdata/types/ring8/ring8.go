// Package ring8 is a ring buffer in an array.
package ring8

// Ring holds up to eight integers.
type Ring struct {
	buf        [8]int
	head, size int
}

// Put adds v unless the ring is full.
func (r *Ring) Put(v int) bool {
	if r.size == len(r.buf) {
		return false
	}
	r.buf[(r.head+r.size)%len(r.buf)] = v
	r.size++
	return true
}

// Get takes the oldest value.
func (r *Ring) Get() (int, bool) {
	if r.size == 0 {
		return 0, false
	}
	v := r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.size--
	return v, true
}
