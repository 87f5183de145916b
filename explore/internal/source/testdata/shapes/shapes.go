// Package shapes calls functions of other packages, and instances of generic ones.
package shapes

import (
	"container/list"
	"slices"
	"sync"
)

type Bag struct {
	mu sync.Mutex
	l  list.List
}

func (b *Bag) Put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.l.PushBack(v)
}

func (b *Bag) Most() int {
	var all []int
	for e := b.l.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(int))
	}
	slices.Sort(all)
	return slices.Max(all)
}
