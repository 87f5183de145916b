package libraries

import (
	"os"
	"sync"
	"testing"

	"github.com/alphadose/haxmap"
	"github.com/bytedance/gopkg/collection/skipmap"
	"github.com/bytedance/gopkg/collection/skipset"
	"github.com/cornelk/hashmap"

	"github.com/adtinfer/adtinfer/adttest"
)

func newSkipMap() set {
	m := skipmap.NewInt()
	return set{
		insert:   func(v int) bool { _, present := m.LoadOrStore(v, v); return present },
		remove:   func(v int) bool { _, present := m.LoadAndDelete(v); return present },
		contains: func(v int) bool { _, present := m.Load(v); return present },
	}
}

// TestSkipMap: LoadOrStore says that a key is there, then Load says that it is
// not. Load ignores an entry until all levels have it.
func TestSkipMap(t *testing.T) {
	look := times(4, with("Insert"), with("Contains"))
	finds(t, only(adttest.Config{New: newSkipMap, Theory: aSet}, adttest.Scenario{Threads: [][]adttest.Call{look, look}}))
}

func TestSkipSet(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{Theory: aSet, New: func() set {
		s := skipset.NewInt()
		return set{insert: func(v int) bool { return !s.Add(v) }, remove: s.Remove, contains: s.Contains}
	}})
}

// TestHashMap: an entry that was inserted is not there. The map grows meanwhile;
// growing begins in the constructor, in a goroutine of the library's own.
func TestHashMap(t *testing.T) {
	const entries = 500
	c := adttest.Config{Theory: aSet, New: func() set {
		m := hashmap.NewSized[int, int](2 * entries)
		for i := range entries {
			m.Set(-i-1, 0)
		}
		m.Grow(4 * entries)
		return set{
			insert:   func(v int) bool { return !m.Insert(v, v) },
			remove:   m.Del,
			contains: func(v int) bool { _, present := m.Get(v); return present },
		}
	}}
	finds(t, only(c, adttest.Scenario{Threads: [][]adttest.Call{
		times(8, with("Insert"), with("Contains")),
		times(8, plus("Insert", 8), plus("Contains", 8)),
	}}))
}

// TestHashMapOverwrite keeps to what the library does well: entries stay, and
// there is room.
func TestHashMapOverwrite(t *testing.T) {
	t.Parallel()
	c := adttest.Config{Theory: aRegister, New: func() register {
		m := hashmap.New[int, int]()
		return register{func(v int) { m.Set(1, v) }, func() (int, bool) { return m.Get(1) }}
	}}
	c.Scenarios, c.Fixed = overwrites(), true
	adttest.Run(t, c)
}

// overwrites are scenarios in which a register is written before all others.
func overwrites() (all []adttest.Scenario) {
	for n := 1; n <= 3; n++ {
		all = append(all, adttest.Scenario{
			Before: []adttest.Call{adttest.Do("Write", 100)},
			Threads: [][]adttest.Call{
				times(n, with("Write"), bare("Read")),
				times(n, bare("Read"), plus("Write", 10)),
				times(n, bare("Read"), bare("Read")),
			},
			After: []adttest.Call{adttest.Do("Read")},
		})
	}
	return all
}

func newHaxMap() set { return haxMap(func(*haxmap.Map[int, int]) {}) }

func haxMap(prepare func(m *haxmap.Map[int, int])) set {
	m := haxmap.New[int, int]()
	prepare(m)
	return set{
		insert:   func(v int) bool { _, present := m.GetOrSet(v, v); return present },
		remove:   func(v int) bool { _, present := m.GetAndDel(v); return present },
		contains: func(v int) bool { _, present := m.Get(v); return present },
	}
}

// TestHaxMapTwice: two GetAndDel of one key both say that it was there.
func TestHaxMapTwice(t *testing.T) {
	remove := times(6, with("Remove"))
	finds(t, only(adttest.Config{New: newHaxMap, Theory: aSet}, adttest.Scenario{
		Before:  times(6, with("Insert")),
		Threads: [][]adttest.Call{remove, remove},
	}))
}

// TestHaxMapLost: what was inserted is not there, because it was put behind an
// entry that was being deleted. The hash says which entries are neighbours: two
// threads insert behind those that a third one deletes.
func TestHaxMapLost(t *testing.T) {
	const n = 4
	key := func(method string, k int) call {
		return func(i int) adttest.Call { return adttest.Do(method, 3*i+k) }
	}
	c := adttest.Config{Theory: aSet, New: func() set {
		return haxMap(func(m *haxmap.Map[int, int]) { m.SetHasher(func(v int) uintptr { return uintptr(v) }) })
	}}
	finds(t, only(c, adttest.Scenario{
		Before:  times(n, key("Insert", 0)),
		Threads: [][]adttest.Call{times(n, key("Remove", 0)), times(n, key("Insert", 1)), times(n, key("Insert", 2))},
		After:   times(n, key("Contains", 1), key("Contains", 2)),
	}))
}

// TestHaxMapGrows deletes nothing: while the map grows, two inserts of one key both
// succeed, or what was inserted is not there. That takes seconds to show.
func TestHaxMapGrows(t *testing.T) {
	if os.Getenv("ADTINFER_LONG") == "" {
		t.Skip("takes long: set ADTINFER_LONG=1")
	}
	finds(t, adttest.Config{New: newHaxMap, Theory: aSet, Skip: []string{"Remove"}, Threads: 4, Calls: 8})
}

func TestSyncMapSet(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{Theory: aSet, New: func() set {
		var m sync.Map
		return set{
			insert:   func(v int) bool { _, present := m.LoadOrStore(v, v); return present },
			remove:   func(v int) bool { _, present := m.LoadAndDelete(v); return present },
			contains: func(v int) bool { _, present := m.Load(v); return present },
		}
	}})
}

func TestSyncMapRegister(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{Theory: aRegister, New: func() register {
		var m sync.Map
		return register{
			write: func(v int) { m.Store("x", v) },
			read: func() (int, bool) {
				v, ok := m.Load("x")
				if !ok {
					return 0, false
				}
				return v.(int), true
			},
		}
	}})
}
