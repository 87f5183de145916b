package wgl

// table maps numbers to numbers, by open addressing.
type table struct {
	keys   []uint64 // plus one; 0 is free
	values []int32
	n      int
}

func (t *table) get(key uint64) (int32, bool) {
	for i := mix(key); ; i++ {
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
	i := mix(key-1) & uint64(len(t.keys)-1)
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
