// Package maphash is what hash/maphash is to the explorer: one hash function, whatever
// the seed, that takes all values alike but numbers, bools and strings.
package maphash

type Seed struct{ s uint64 }

func MakeSeed() Seed { return Seed{1} }

// text is the hash of a string, value that of another value.
func text(s string) uint64
func value(v any) uint64

func Bytes(seed Seed, b []byte) uint64  { return String(seed, string(b)) }
func String(seed Seed, s string) uint64 { check(seed); return text(s) }

func check(seed Seed) {
	if seed.s == 0 {
		panic("maphash: use of uninitialized Seed")
	}
}

func Comparable[T comparable](seed Seed, v T) uint64 {
	check(seed)
	return value(v)
}

func WriteComparable[T comparable](h *Hash, x T) { h.text += string(rune(value(x) % 0xd000)) }

// Hash keeps what was written.
type Hash struct {
	text string
	seed Seed
}

func (h *Hash) BlockSize() int { return 128 }
func (h *Hash) Size() int      { return 8 }
func (h *Hash) Reset()         { h.text = "" }

func (h *Hash) Seed() Seed {
	h.seed = Seed{1}
	return h.seed
}

func (h *Hash) SetSeed(seed Seed) {
	check(seed)
	h.seed, h.text = seed, ""
}

func (h *Hash) Sum64() uint64 { return text(h.text) }

func (h *Hash) Sum(b []byte) []byte {
	x := h.Sum64()
	return append(b, byte(x>>56), byte(x>>48), byte(x>>40), byte(x>>32), byte(x>>24), byte(x>>16), byte(x>>8), byte(x))
}

func (h *Hash) Write(b []byte) (int, error) {
	h.text += string(b)
	return len(b), nil
}

func (h *Hash) WriteByte(b byte) error {
	h.text += string([]byte{b})
	return nil
}

func (h *Hash) WriteString(s string) (int, error) {
	h.text += s
	return len(s), nil
}
