package history

import "math/bits"

// eight is eight bytes of a text, the first one lowest. Looking at them at once
// takes fewer steps than one by one.
type eight uint64

// each is the same byte eight times.
const each eight = 0x0101010101010101

// eightOf are the eight bytes of s at i.
func eightOf(s string, i int) eight {
	s = s[i : i+8]
	return eight(s[0]) | eight(s[1])<<8 | eight(s[2])<<16 | eight(s[3])<<24 |
		eight(s[4])<<32 | eight(s[5])<<40 | eight(s[6])<<48 | eight(s[7])<<56 // one load
}

// digits counts the decimal digits at the start.
func (w eight) digits() int {
	w ^= '0' * each // digits become 0 to 9, others more
	return bits.TrailingZeros64(uint64((w+(0x7f-9)*each|w)&(0x80*each))) / 8
}

// decimal is the number that the first n bytes are, which are digits.
func (w eight) decimal(n int) int {
	w = (w ^ '0'*each) << (64 - 8*n) // zeros before it, the last digit highest
	w = w*10 + w>>8                  // of two digits each, in every other byte
	const pairs = 0xff | 0xff<<32
	return int((w&pairs*(100+1000000<<32) + w>>16&pairs*(1+10000<<32)) >> 32)
}
