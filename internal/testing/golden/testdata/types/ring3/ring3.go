// Package ring3 is a ring buffer of three integers in an array.
package ring3

// Ring holds up to three integers.
type Ring struct {
	data  [3]int
	first int
	count int
}

// Push appends v and reports whether there was room.
func (r *Ring) Push(v int) bool {
	if r.count == len(r.data) {
		return false
	}
	r.data[(r.first+r.count)%len(r.data)] = v
	r.count++
	return true
}

// Pop removes the oldest integer.
func (r *Ring) Pop() (int, bool) {
	if r.count == 0 {
		return 0, false
	}
	v := r.data[r.first]
	r.first = (r.first + 1) % len(r.data)
	r.count--
	return v, true
}
