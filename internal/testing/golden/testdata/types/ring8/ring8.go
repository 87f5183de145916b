// Package ring8 is a ring buffer whose indices only grow, as in a driver.
package ring8

const mask = 7

// Ring has eight slots.
type Ring struct {
	slots      [mask + 1]uint32
	head, tail uint64
}

// Enqueue stores v unless all slots are taken.
func (r *Ring) Enqueue(v uint32) bool {
	if r.tail-r.head > mask {
		return false
	}
	r.slots[r.tail&mask] = v
	r.tail++
	return true
}

// Dequeue removes the oldest value.
func (r *Ring) Dequeue() (uint32, bool) {
	if r.tail == r.head {
		return 0, false
	}
	v := r.slots[r.head&mask]
	r.head++
	return v, true
}
