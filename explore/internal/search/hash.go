package search

import (
	"encoding/binary"
	"math/bits"
)

// sum is 128 bits that stand for a state.
type sum struct{ a, b uint64 }

// Odd constants with about as many ones as zeros.
const (
	k0 = 0x9e3779b97f4a7c15
	k1 = 0xd1b54a32d192ed03
	k2 = 0x8bb84b93962eacc9
	k3 = 0x4b33a62ed433d4a3
	k4 = 0xaef17502108ef2d9
	k5 = 0xe7037ed1a0b428db
)

// fold multiplies, and folds the 128 bits of the product.
func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo
}

// hash hashes bytes in two lanes, which pair the words differently.
func hash(p []byte) sum {
	n := uint64(len(p))
	a, b := n^k4, n*k5
	for ; len(p) >= 16; p = p[16:] {
		x, y := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
		a, b = fold(x^k0, y^a), fold(y^k1, x^b)
	}
	if len(p) > 0 {
		var tail [16]byte
		copy(tail[:], p)
		x, y := binary.LittleEndian.Uint64(tail[:]), binary.LittleEndian.Uint64(tail[8:])
		a, b = fold(x^k0, y^a), fold(y^k1, x^b)
	}
	return sum{a, b}.with(0)
}

// with takes a number in. It is one to one for each number.
func (s sum) with(n int32) sum {
	x := uint64(uint32(n))
	s.a ^= fold(s.b^x^k2, k3)
	s.b ^= fold(s.a+x*k5, k4)
	s.a ^= fold(s.b+x, k0)
	return s
}
