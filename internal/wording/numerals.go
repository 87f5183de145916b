package wording

// This file finds things by texts, most of which are whole numbers.
//
//	type  is
//	Key   a text, ready to be looked for
//	Map   things by their texts

import (
	"hash/maphash"
	"math/bits"
	"strconv"
	"strings"
)

// ParseNumber is the number that a text is the usual numeral of, if it is not long.
func ParseNumber[T ~string](s T) (n uint64, ok bool) {
	if len(s) == 0 || len(s) > 18 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return n, true
}

// Key is a text. That of a number takes no memory of its own.
type Key struct {
	number uint64 // or noNumber
	text   string // if it is no number
}

const noNumber = 1<<64 - 1

// KeyOf is the key of a text, of which it may be a part.
func KeyOf[T ~string](s T) Key {
	if n, ok := ParseNumber(s); ok {
		return Key{number: n}
	}
	return Key{noNumber, string(s)}
}

// Numeral is the key of a number below 10^18.
func Numeral(n int) Key { return Key{number: uint64(n)} }

// Own is a key that is no part of another text.
func (k Key) Own() Key {
	k.text = strings.Clone(k.text)
	return k
}

// String is the text.
func (k Key) String() string {
	if k.number != noNumber {
		return strconv.FormatUint(k.number, 10)
	}
	return k.text
}

// Map has things by their keys. Those of numbers are in a table with open addressing,
// in which numbers that follow each other are mostly neighbours.
type Map[T any] struct {
	slots   []slot[T] // a power of two of them, or none
	numbers int
	texts   map[string]*T
}

type slot[T any] struct {
	number uint64
	of     *T // nil: free
}

// Len counts the keys.
func (m *Map[T]) Len() int { return m.numbers + len(m.texts) }

// Get is what was put there, or nil.
func (m *Map[T]) Get(k Key) *T {
	if k.number == noNumber {
		return m.texts[k.text]
	}
	if m.numbers == 0 {
		return nil
	}
	return m.slots[m.place(k.number)].of
}

// Put puts a thing at a key that has none.
func (m *Map[T]) Put(k Key, x *T) {
	if k.number == noNumber {
		if m.texts == nil {
			m.texts = map[string]*T{}
		}
		m.texts[k.text] = x
		return
	}
	if m.numbers++; 4*m.numbers > 3*len(m.slots) {
		old := m.slots
		m.slots = make([]slot[T], max(16, 2*len(old)))
		for _, s := range old {
			if s.of != nil {
				m.slots[m.place(s.number)] = s
			}
		}
	}
	m.slots[m.place(k.number)] = slot[T]{k.number, x}
}

// Delete forgets what is at a key.
func (m *Map[T]) Delete(k Key) {
	if k.number == noNumber {
		delete(m.texts, k.text)
		return
	}
	if m.Get(k) == nil {
		return
	}
	m.numbers--
	mask := len(m.slots) - 1
	free := m.place(k.number)
	for i := (free + 1) & mask; m.slots[i].of != nil; i = (i + 1) & mask {
		if (i-m.home(m.slots[i].number))&mask >= (i-free)&mask { // it may move up
			m.slots[free], free = m.slots[i], i
		}
	}
	m.slots[free] = slot[T]{}
}

// place is where a number is, or would be.
func (m *Map[T]) place(number uint64) int {
	i := m.home(number)
	for m.slots[i].of != nil && m.slots[i].number != number {
		i = (i + 1) & (len(m.slots) - 1)
	}
	return i
}

// seed makes the places of numbers unknown to who writes a log.
var seed = maphash.String(maphash.MakeSeed(), "")

// home is where the search for a number begins: at the same place of a group of slots as
// the number has in its group.
func (m *Map[T]) home(number uint64) int {
	const group = 4
	hi, lo := bits.Mul64(number/group^seed, 0x9e3779b97f4a7c15)
	return int((hi^lo)*group|number%group) & (len(m.slots) - 1)
}
