package wgl

import (
	"math/bits"

	"github.com/adtinfer/adtinfer/internal/semantics"
)

// cache is a set of configurations: rank of the first return that did not take
// effect, slots of the running operations that did, how many pending ones of each class
// did, and the state. Of two that differ in pending operations alone, and those that may be
// left out, one that has as many of each class, or more, is of no use: whatever can follow it
// can follow the other. So it counts as one that is there, and gives way to the other.
//
// With a limit it holds that many at most and forgets the one that was seen
// least recently ("Faster linearizability checking via P-compositionality"
// §5.1). Then the search may go the same way twice, and is right nevertheless.
type cache struct {
	words   int
	fixed   int      // of the words, those of slots that must be the same
	guards  []uint64 // by word of the others: the highest bit of each lane
	limit   int      // 0: none
	entries []cacheEntry
	sets    []uint64 // words for each entry
	heads   []int32  // by hash: an entry plus one
	recent  []links  // by entry, if there is a limit
	newest  int32
	oldest  int32
}

type cacheEntry struct {
	rank, state, next int32 // next: of the same hash, plus one
}

// links holds the neighbours of an entry in order of use.
type links struct{ newer, older int32 }

const nobody = -1

// newCache makes room for n configurations.
func newCache(fixed int, guards []uint64, limit, n int) *cache {
	if limit > 0 {
		n = min(n, limit)
	}
	words := fixed + len(guards)
	return &cache{words: words, fixed: fixed, guards: guards, limit: limit, heads: make([]int32, 64<<bits.Len(uint(n/64))), newest: nobody, oldest: nobody,
		entries: make([]cacheEntry, 0, n), sets: make([]uint64, 0, n*words)}
}

// bytes is how much memory it takes.
func (c *cache) bytes() int {
	return 12*cap(c.entries) + 8*cap(c.sets) + 4*len(c.heads) + 8*cap(c.recent)
}

// add puts a configuration in; false if it, or one that is as good, was there.
func (c *cache) add(rank, state int32, set []uint64) bool {
	h := c.hash(rank, state, set)
	head := &c.heads[h&uint64(len(c.heads)-1)]
	for i := *head; i != 0; i = c.entries[i-1].next {
		e := &c.entries[i-1]
		if e.rank != rank || e.state != state || !c.same(i-1, set) {
			continue
		}
		own := c.sets[int(i-1)*c.words:][c.fixed:c.words]
		there := c.within(own, set[c.fixed:])
		if !there && !c.within(set[c.fixed:], own) {
			continue
		}
		if c.limit > 0 {
			c.unlink(i - 1)
			c.front(i - 1)
		}
		if !there {
			copy(own, set[c.fixed:])
		}
		return !there
	}
	if c.limit > 0 && len(c.entries) >= c.limit {
		i := c.evict()
		head = &c.heads[h&uint64(len(c.heads)-1)]
		c.entries[i] = cacheEntry{rank, state, *head}
		copy(c.sets[int(i)*c.words:], set)
		*head = i + 1
		c.front(i)
		return true
	}
	c.entries = append(c.entries, cacheEntry{rank, state, *head})
	c.sets = append(c.sets, set...)
	*head = int32(len(c.entries))
	if c.limit > 0 {
		c.recent = append(c.recent, links{})
		c.front(int32(len(c.entries) - 1))
	}
	if len(c.entries) > len(c.heads) {
		c.grow()
	}
	return true
}

// same reports whether entry i has the same operations that return.
func (c *cache) same(i int32, set []uint64) bool {
	at := int(i) * c.words
	for k, w := range set[:c.fixed] {
		if c.sets[at+k] != w {
			return false
		}
	}
	return true
}

// within reports whether no lane of a has more than that of b. A lane of b with its
// guard set, less that of a, keeps the guard unless a has more.
func (c *cache) within(a, b []uint64) bool {
	for k, g := range c.guards {
		if ((b[k]|g)-a[k])&g != g {
			return false
		}
	}
	return true
}

// hash depends on all of the configuration but pending operations; it costs a
// multiplication for 64 operations that run at a time.
func (c *cache) hash(rank, state int32, set []uint64) uint64 {
	h := uint64(uint32(rank))<<32 | uint64(uint32(state))
	h = semantics.Mix(h)
	for _, w := range set[:c.fixed] {
		h = semantics.Mix(h ^ w)
	}
	return h
}

func (c *cache) grow() {
	c.heads = make([]int32, 4*len(c.heads))
	for i := range c.entries {
		c.hang(int32(i))
	}
}

// hang puts entry i first in the list of its hash.
func (c *cache) hang(i int32) {
	head := c.headOf(i)
	c.entries[i].next = *head
	*head = i + 1
}

func (c *cache) headOf(i int32) *int32 {
	e := &c.entries[i]
	h := c.hash(e.rank, e.state, c.sets[int(i)*c.words:(int(i)+1)*c.words])
	return &c.heads[h&uint64(len(c.heads)-1)]
}

// evict takes the oldest entry out and returns its place.
func (c *cache) evict() int32 {
	i := c.oldest
	c.unlink(i)
	at := c.headOf(i)
	for *at != i+1 {
		at = &c.entries[*at-1].next
	}
	*at = c.entries[i].next
	return i
}

func (c *cache) unlink(i int32) {
	l := c.recent[i]
	if l.newer == nobody {
		c.newest = l.older
	} else {
		c.recent[l.newer].older = l.older
	}
	if l.older == nobody {
		c.oldest = l.newer
	} else {
		c.recent[l.older].newer = l.newer
	}
}

func (c *cache) front(i int32) {
	c.recent[i] = links{nobody, c.newest}
	if c.newest == nobody {
		c.oldest = i
	} else {
		c.recent[c.newest].newer = i
	}
	c.newest = i
}

// table maps numbers to numbers, by open addressing.
type table struct {
	keys   []uint64 // plus one; 0 is free
	values []int32
	n      int
}

func (t *table) get(key uint64) (int32, bool) {
	for i := semantics.Mix(key); ; i++ {
		switch at := i & uint64(len(t.keys)-1); t.keys[at] {
		case key + 1:
			return t.values[at], true
		case 0:
			return 0, false
		}
	}
}

// put adds a key that is not there.
func (t *table) put(key uint64, value int32) {
	if t.n++; 2*t.n > len(t.keys) {
		t.grow(4 * len(t.keys))
	}
	t.set(key+1, value)
}

func (t *table) set(key uint64, value int32) {
	i := semantics.Mix(key-1) & uint64(len(t.keys)-1)
	for t.keys[i] != 0 {
		i = (i + 1) & uint64(len(t.keys)-1)
	}
	t.keys[i], t.values[i] = key, value
}

// grow makes room; size is a power of two.
func (t *table) grow(size int) {
	old := *t
	t.keys, t.values = make([]uint64, size), make([]int32, size)
	for i, key := range old.keys {
		if key != 0 {
			t.set(key, old.values[i])
		}
	}
}
