// Package multiset counts how often it has each value.
package multiset

// Bag is a multiset of strings.
type Bag struct {
	counts map[string]int
}

// New makes an empty bag.
func New() *Bag {
	return &Bag{counts: map[string]int{}}
}

// Add puts one more v into the bag.
func (b *Bag) Add(v string) {
	b.counts[v]++
}

// Remove takes one v out of the bag, if there is one.
func (b *Bag) Remove(v string) bool {
	if b.counts[v] == 0 {
		return false
	}
	b.counts[v]--
	return true
}

// Count says how many v there are.
func (b *Bag) Count(v string) int {
	return b.counts[v]
}
