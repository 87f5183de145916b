package search

// table holds the hashes of states with their numbers. It is an extendible hash table: a
// directory of segments, each an open addressing table with linear probing. A full
// segment splits in two by one more bit of the hash, the others stay.
type table struct {
	depth    uint       // the directory has 1<<depth entries, by the first bits of a hash
	dir      []*segment // several entries may have the same segment
	segments int
	n        int
}

// The slots of a segment, at first and later. At most 13 in 16 are in use.
const (
	fewSlots  = 1 << 8
	manySlots = 1 << 12
)

type segment struct {
	depth uint // bits of the hash that its entries share
	n     int
	slots []slot
}

// slot is a hash and 1 more than the state's number; 0 is free.
type slot [5]uint32

func newSlot(h sum, number uint32) slot {
	return slot{uint32(h.a >> 32), uint32(h.a), uint32(h.b >> 32), uint32(h.b), number + 1}
}

func (s *slot) sum() sum {
	return sum{uint64(s[0])<<32 | uint64(s[1]), uint64(s[2])<<32 | uint64(s[3])}
}

func newTable() *table {
	return &table{dir: []*segment{{slots: make([]slot, fewSlots)}}, segments: 1}
}

// find looks for a hash, and reports whether it is there. If it is not, it is added
// with the number next.
func (t *table) find(h sum, next uint32) (number uint32, found bool) {
	for {
		seg := t.dir[h.a>>(64-t.depth)]
		i, found := seg.look(h)
		if found {
			return seg.slots[i][4] - 1, true
		}
		if seg.n*16 < len(seg.slots)*13 {
			seg.slots[i] = newSlot(h, next)
			seg.n++
			t.n++
			return next, false
		}
		t.grow(seg, h)
	}
}

// get is the number of a hash.
func (t *table) get(h sum) (number uint32, found bool) {
	seg := t.dir[h.a>>(64-t.depth)]
	i, found := seg.look(h)
	return seg.slots[i][4] - 1, found
}

// look is where a hash is, or where it belongs.
func (s *segment) look(h sum) (at uint32, found bool) {
	mask := uint32(len(s.slots) - 1)
	want := newSlot(h, 0)
	for i := uint32(h.b) & mask; ; i = (i + 1) & mask {
		x := &s.slots[i]
		if x[4] == 0 {
			return i, false
		}
		if x[3] == want[3] && x[2] == want[2] && x[1] == want[1] && x[0] == want[0] {
			return i, true
		}
	}
}

// grow makes room in the segment of a hash.
func (t *table) grow(seg *segment, h sum) {
	if len(seg.slots) < manySlots {
		old := seg.slots
		seg.slots, seg.n = make([]slot, 2*len(old)), 0
		seg.addAll(old, 0, 0)
		return
	}
	if seg.depth == t.depth {
		dir := make([]*segment, 2*len(t.dir))
		for i := range dir {
			dir[i] = t.dir[i>>1]
		}
		t.dir, t.depth = dir, t.depth+1
	}
	t.segments++
	first := int(h.a>>(64-seg.depth)) << (t.depth - seg.depth)
	n := 1 << (t.depth - seg.depth - 1) // directory entries of each half
	shift := 63 - seg.depth
	for half := range uint64(2) {
		s := &segment{depth: seg.depth + 1, slots: make([]slot, manySlots)}
		s.addAll(seg.slots, 1<<shift, half<<shift)
		for i := range n {
			t.dir[first+int(half)*n+i] = s
		}
	}
}

// addAll adds those slots whose hash has the given bits.
func (s *segment) addAll(slots []slot, mask, bits uint64) {
	for i := range slots {
		if x := &slots[i]; x[4] != 0 && x.sum().a&mask == bits {
			at, _ := s.look(x.sum())
			s.slots[at] = *x
			s.n++
		}
	}
}

// each calls f with all slots that are in use.
func (t *table) each(f func(*slot)) {
	var last *segment
	for _, seg := range t.dir {
		for i := range seg.slots {
			if seg != last && seg.slots[i][4] != 0 {
				f(&seg.slots[i])
			}
		}
		last = seg
	}
}

// bytes is the memory that it takes.
func (t *table) bytes() int64 {
	return int64(t.segments)*int64(len(t.dir[0].slots))*20 + int64(len(t.dir))*8
}
