package check

import "hash/maphash"

// keySet is a set of texts. Whole numbers that lie close together take a few bits
// each; of others there is a hash, of 63 bits.
type keySet struct {
	words  map[uint64]uint64
	at     uint64 // the word that was used last
	bits   uint64
	hashes []uint64 // by the last bits of the hash, or at the next free place; 0: free
	count  int
}

var keySeed = maphash.MakeSeed()

// add reports whether the key is new, and remembers it.
func (s *keySet) add(key string) bool {
	n, ok := numeral(key)
	if !ok {
		return s.addHash(maphash.String(keySeed, key) | 1)
	}
	if n>>6 != s.at {
		if s.words == nil {
			s.words = map[uint64]uint64{}
		}
		s.words[s.at] = s.bits
		s.at, s.bits = n>>6, s.words[n>>6]
	}
	before := s.bits
	s.bits |= 1 << (n & 63)
	return s.bits != before
}

// has reports whether the key was added.
func (s *keySet) has(key string) bool {
	n, ok := numeral(key)
	if !ok {
		return s.count > 0 && *s.place(maphash.String(keySeed, key) | 1) != 0
	}
	bits := s.bits
	if n>>6 != s.at {
		bits = s.words[n>>6]
	}
	return bits>>(n&63)&1 == 1
}

func (s *keySet) addHash(h uint64) bool {
	if 4*s.count >= 3*len(s.hashes) {
		old := s.hashes
		s.hashes = make([]uint64, max(64, 2*len(old)))
		for _, h := range old {
			if h != 0 {
				*s.place(h) = h
			}
		}
	}
	p := s.place(h)
	if *p != 0 {
		return false
	}
	*p = h
	s.count++
	return true
}

// place is where a hash is, or would be.
func (s *keySet) place(h uint64) *uint64 {
	mask := uint64(len(s.hashes) - 1)
	for i := h >> 1 & mask; ; i = (i + 1) & mask {
		if p := &s.hashes[i]; *p == 0 || *p == h {
			return p
		}
	}
}

// numeral is the number that a text is the shortest numeral of, if it is not long.
func numeral(s string) (n uint64, ok bool) {
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
