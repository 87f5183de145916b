package search

import "unsafe"

// chunkBits is the binary logarithm of the elements in a chunk.
const chunkBits = 15

// chunks is a list that grows without being copied: only its first chunk is, while it is
// small.
type chunks[T any] struct {
	list [][]T
	n    int
}

func (c *chunks[T]) add(x T) {
	at := c.n >> chunkBits
	if at == len(c.list) {
		var chunk []T
		if at > 0 {
			chunk = make([]T, 0, 1<<chunkBits)
		}
		c.list = append(c.list, chunk)
	}
	c.list[at] = append(c.list[at], x)
	c.n++
}

func (c *chunks[T]) at(i int) T { return c.list[i>>chunkBits][i&(1<<chunkBits-1)] }

func (c *chunks[T]) set(i int, x T) { c.list[i>>chunkBits][i&(1<<chunkBits-1)] = x }

// bytes is the memory that it takes.
func (c *chunks[T]) bytes() int64 {
	if len(c.list) == 0 {
		return 0
	}
	var x T
	return (int64(cap(c.list[0])) + int64(len(c.list)-1)<<chunkBits) * int64(unsafe.Sizeof(x))
}

// bitset is a set of small numbers.
type bitset struct{ words chunks[uint64] }

func (b *bitset) has(i uint32) bool {
	w := int(i >> 6)
	return w < b.words.n && b.words.at(w)>>(i&63)&1 != 0
}

func (b *bitset) add(i uint32) {
	b.grow(int(i) + 1)
	w := int(i >> 6)
	b.words.set(w, b.words.at(w)|1<<(i&63))
}

// grow makes room for the numbers below n.
func (b *bitset) grow(n int) {
	for b.words.n<<6 < n {
		b.words.add(0)
	}
}

func (b *bitset) clone() (c bitset) {
	for i := range b.words.n {
		c.words.add(b.words.at(i))
	}
	return c
}
