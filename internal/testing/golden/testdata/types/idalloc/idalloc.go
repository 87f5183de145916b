// Package idalloc gives out numbers, and takes them back.
package idalloc

import "slices"

// Allocator gives out the smallest free number.
type Allocator struct {
	next int
	free []int // sorted
}

// Alloc returns a number that nobody has.
func (a *Allocator) Alloc() int {
	if len(a.free) > 0 {
		id := a.free[0]
		a.free = a.free[1:]
		return id
	}
	a.next++
	return a.next
}

// Free takes a number back and reports whether it was given out.
func (a *Allocator) Free(id int) bool {
	i, found := slices.BinarySearch(a.free, id)
	if found || id < 1 || id > a.next {
		return false
	}
	a.free = slices.Insert(a.free, i, id)
	return true
}
