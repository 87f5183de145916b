// Package mapfirst answers any key of a map: the specification has a choice, too.
package mapfirst

import "sync"

// Bag holds numbers.
type Bag struct {
	mu sync.Mutex
	m  map[int]bool
}

// New makes an empty Bag.
func New() *Bag { return &Bag{m: map[int]bool{}} }

// Put adds v.
func (b *Bag) Put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[v] = true
}

// Take takes any number.
func (b *Bag) Take() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for v := range b.m {
		delete(b.m, v)
		return v, true
	}
	return 0, false
}
