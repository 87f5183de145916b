package batch

import (
	"math/bits"
)

// gapSet is a set of gaps that only shrinks: words of 64 gaps, and above them
// words that say which words are not empty, up to a single one. To find the
// next gap takes a few words; to take a range out takes as many words as become
// empty, and a few.
type gapSet struct{ levels [][]uint64 }

// fill makes it the set of all gaps below n.
func (s *gapSet) fill(n int) {
	for k := 0; ; k++ {
		if k == len(s.levels) {
			s.levels = append(s.levels, nil)
		}
		words := (n + 63) / 64
		level := room(s.levels[k], words)[:words]
		for i := range level {
			level[i] = ^uint64(0)
		}
		if n%64 != 0 {
			level[words-1] = 1<<(n%64) - 1
		}
		s.levels[k] = level
		if n = words; n == 1 {
			s.levels = s.levels[:k+1]
			return
		}
	}
}

// next is the first gap of the set at g or later, or never.
func (s *gapSet) next(g int32) int32 {
	at := uint(g)
	for k := 0; k < len(s.levels); k++ {
		level := s.levels[k]
		if at/64 >= uint(len(level)) {
			return Never
		}
		if w := level[at/64] >> (at % 64); w != 0 {
			at += uint(bits.TrailingZeros64(w))
			for ; k > 0; k-- {
				at = at*64 + uint(bits.TrailingZeros64(s.levels[k-1][at]))
			}
			return int32(at)
		}
		at = at/64 + 1
	}
	return Never
}

// remove takes the gaps from..to-1 out.
func (s *gapSet) remove(from, to int32) {
	for g := s.next(from); g < to; g = s.next(g) {
		word := uint(g) / 64
		gone := ^uint64(0) << (uint(g) % 64)
		if end := (word + 1) * 64; uint(to) < end {
			gone &= 1<<(uint(to)%64) - 1
		}
		for k, at := 0, word; ; k, at = k+1, at/64 {
			s.levels[k][at] &^= gone
			if s.levels[k][at] != 0 || k+1 == len(s.levels) {
				break
			}
			gone = 1 << (at % 64)
		}
	}
}

// prev is the last gap of the set at g or earlier, or -1.
func (s *gapSet) prev(g int32) int32 {
	at := int(g)
	for k := 0; k < len(s.levels) && at >= 0; k++ {
		if w := s.levels[k][at/64] << (63 - at%64); w != 0 {
			at -= bits.LeadingZeros64(w)
			for ; k > 0; k-- {
				at = at*64 + 63 - bits.LeadingZeros64(s.levels[k-1][at])
			}
			return int32(at)
		}
		at = at/64 - 1
	}
	return -1
}
