package laws

import (
	"math/bits"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// rowset is a set of rows.
type rowset []uint64

func newRows(n int) rowset { return make(rowset, (n+63)/64) }

func fullRows(n int) rowset {
	s := newRows(n)
	for i := range n {
		s.add(i)
	}
	return s
}

func (s rowset) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s rowset) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

func (s rowset) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// both counts the rows in both sets.
func (s rowset) both(t rowset) (n int) {
	for i, w := range s {
		n += bits.OnesCount64(w & t[i])
	}
	return n
}

// both3 counts the rows in three sets.
func (s rowset) both3(t, u rowset) (n int) {
	for i, w := range s {
		n += bits.OnesCount64(w & t[i] & u[i])
	}
	return n
}

// within reports whether all rows of s that are in t are in u.
func (s rowset) within(t, u rowset) bool {
	for i, w := range s {
		if w&t[i]&^u[i] != 0 {
			return false
		}
	}
	return true
}

func (s rowset) and(t rowset) rowset {
	out := make(rowset, len(s))
	for i, w := range s {
		out[i] = w & t[i]
	}
	return out
}

func (s rowset) minus(t rowset) rowset {
	out := make(rowset, len(s))
	for i, w := range s {
		out[i] = w &^ t[i]
	}
	return out
}

func (s rowset) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// hashOf tells columns apart; some: a value is defined.
func hashOf(vs []eq.Value) (h uint64, some bool) {
	h = uint64(len(vs))
	for _, v := range vs {
		some = some || v != eq.Undefined
		h = folded(h, uint64(v))
	}
	return h, some
}

// folded adds a word to a hash: the product of both and an odd constant, so that all bits
// of the word count.
func folded(h, word uint64) uint64 {
	high, low := bits.Mul64(h^word^0x2545f4914f6cdd1d, 0x9e3779b97f4a7c15)
	return high ^ low + 0x632be59bd9b4e019
}

// hash tells sets apart.
func (s rowset) hash() (h uint64) {
	for _, w := range s {
		h = folded(h, w)
	}
	return h
}
