package linear

import (
	"math/bits"
	"sync/atomic"
)

// memo is moves that were computed, by key: a hash table that is read without a
// lock. It is written by one goroutine at a time.
type memo struct {
	slots atomic.Pointer[[]slot]
	used  int
}

// slot is a move. Its key is written last, and never changes.
type slot struct {
	key  atomic.Uint64 // 0: none
	next atomic.Int32
}

func (m *memo) init() {
	slots := make([]slot, 1<<10)
	m.used = 0
	m.slots.Store(&slots)
}

func (m *memo) get(key uint64) (int32, bool) {
	slots := *m.slots.Load()
	s := find(slots, key)
	ok := s.key.Load() == key // and if so what follows is its move
	return s.next.Load(), ok
}

// find is the slot of a key, or the free one that is to be its.
func find(slots []slot, key uint64) *slot {
	for at := mix(key); ; at++ {
		s := &slots[at&uint64(len(slots)-1)]
		if k := s.key.Load(); k == key || k == 0 {
			return s
		}
	}
}

// put notes a move, and returns it.
func (m *memo) put(key uint64, next int32) int32 {
	slots := *m.slots.Load()
	if 2*m.used >= len(slots) {
		more := make([]slot, 2*len(slots))
		for i := range slots {
			if k := slots[i].key.Load(); k != 0 {
				write(more, k, slots[i].next.Load())
			}
		}
		m.slots.Store(&more)
		slots = more
	}
	if write(slots, key, next) {
		m.used++
	}
	return next
}

// write reports whether the key is new.
func write(slots []slot, key uint64, next int32) bool {
	s := find(slots, key)
	known := s.key.Load() == key
	s.next.Store(next)
	s.key.Store(key)
	return !known
}

// mix multiplies to 128 bits and folds the halves.
func mix(h uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}
