// Package pqmin is a priority queue as a sorted slice.
package pqmin

import "slices"

// Queue gives the smallest number first.
type Queue struct {
	sorted []int
}

// Insert adds a number.
func (q *Queue) Insert(v int) {
	i, _ := slices.BinarySearch(q.sorted, v)
	q.sorted = slices.Insert(q.sorted, i, v)
}

// Min returns the smallest number.
func (q *Queue) Min() (int, bool) {
	if len(q.sorted) == 0 {
		return 0, false
	}
	return q.sorted[0], true
}

// DeleteMin removes the smallest number.
func (q *Queue) DeleteMin() (int, bool) {
	if len(q.sorted) == 0 {
		return 0, false
	}
	v := q.sorted[0]
	q.sorted = q.sorted[1:]
	return v, true
}
