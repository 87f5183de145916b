package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Item is an element of a view: a value, a key with its value, a place with
// what stands there.
type Item struct {
	Key, Value Value
}

// Bag is a view: items with how often they are there. A view of a set has each
// item once, one of a sequence has places as keys. The zero Bag is empty.
//
// A Bag remembers what changed since the checker last looked, so that two views
// are compared in time proportional to the changes.
type Bag struct {
	counts  map[Item]int64
	changed []change
}

type change struct {
	item Item
	n    int64
}

// Add adds an item n times; n may be negative.
func (b *Bag) Add(it Item, n int64) {
	if n == 0 {
		return
	}
	if b.counts == nil {
		b.counts = map[Item]int64{}
	}
	bump(b.counts, it, n)
	b.changed = append(b.changed, change{it, n})
}

// AddValue adds a value once.
func (b *Bag) AddValue(v Value) { b.Add(Item{Key: v}, 1) }

// RemoveValue takes a value out once.
func (b *Bag) RemoveValue(v Value) { b.Add(Item{Key: v}, -1) }

// Count is how often an item is there.
func (b *Bag) Count(it Item) int64 { return b.counts[it] }

// Len is the number of different items.
func (b *Bag) Len() int { return len(b.counts) }

// Clone is a copy of the bag.
func (b *Bag) Clone() *Bag { return &Bag{counts: maps.Clone(b.counts)} }

// Each hands the items to f in no particular order.
func (b *Bag) Each(f func(it Item, n int64)) {
	for it, n := range b.counts {
		f(it, n)
	}
}

// Key is the same text for bags with the same items, and for no others.
func (b *Bag) Key() string {
	items := make([]change, 0, len(b.counts))
	for it, n := range b.counts {
		items = append(items, change{it, n})
	}
	slices.SortFunc(items, func(x, y change) int {
		return cmp.Or(x.item.Key.compare(y.item.Key), x.item.Value.compare(y.item.Value))
	})
	return fmt.Sprint(items)
}

func (v Value) compare(w Value) int {
	return cmp.Or(cmp.Compare(v.typ, w.typ), cmp.Compare(v.bits, w.bits))
}

// bump changes a count and forgets it at 0.
func bump(counts map[Item]int64, it Item, n int64) {
	if n += counts[it]; n == 0 {
		delete(counts, it)
	} else {
		counts[it] = n
	}
}
