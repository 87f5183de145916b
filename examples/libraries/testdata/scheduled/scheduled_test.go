package scheduled

import (
	"sync/atomic"
	"testing"

	"github.com/alphadose/haxmap"
	"github.com/bytedance/gopkg/collection/skipmap"
	"github.com/cornelk/hashmap"
	"github.com/enriquebris/goconcurrentqueue"

	"github.com/adtinfer/adtinfer/adttest"
)

func run(t *testing.T, made, plain any) { adttest.Run(t, adttest.Config{New: made, Reference: plain}) }

func TestCounters(t *testing.T) {
	run(t, func() *counters { return new(counters) }, func() plainCounters { return plainCounters{} })
}
func TestSlots(t *testing.T) { run(t, newSlots, newPlainSlots) }
func TestMaximum(t *testing.T) {
	run(t, func() *maximum { return new(maximum) }, func() *plainMaximum { return new(plainMaximum) })
}
func TestLimit(t *testing.T) {
	run(t, func() *limit { return new(limit) }, func() *plainLimit { return new(plainLimit) })
}
func TestCrowd(t *testing.T) {
	run(t, func() *crowd { return new(crowd) }, func() *plainLimit { return new(plainLimit) })
}
func TestVisits(t *testing.T) {
	run(t, func() *visits { return &visits{m: map[int]*atomic.Int64{}} }, func() plainVisits { return plainVisits{} })
}
func TestRefs(t *testing.T) { run(t, newRefs, func() *plainRefs { return &plainRefs{1} }) }
func TestStopper(t *testing.T) {
	run(t, func() *stopper { return &stopper{make(chan struct{})} }, func() *plainStopper { return new(plainStopper) })
}
func TestHits(t *testing.T) {
	run(t, func() *hits { return new(hits) }, func() *plainHits { return new(plainHits) })
}
func TestCached(t *testing.T) {
	run(t, func() *cached { return new(cached) }, func() *plainCell { return new(plainCell) })
}
func TestWeights(t *testing.T) {
	adttest.Run(t, adttest.Config{New: newWeights, Reference: func() *plainWeights { return new(plainWeights) }, MustReturn: true})
}
func TestFirst(t *testing.T) {
	run(t, func() *first { return new(first) }, func() *plainFirst { return new(plainFirst) })
}
func TestSender(t *testing.T) { run(t, newSender, func() *plainSender { return new(plainSender) }) }
func TestIdle(t *testing.T) {
	run(t, func() *idle { return new(idle) }, func() *plainIdle { return new(plainIdle) })
}

// Libraries, as sets and queues.

type set struct {
	insert, remove, contains func(v int) bool
}

func (s set) Insert(v int) bool   { return s.insert(v) }
func (s set) Remove(v int) bool   { return s.remove(v) }
func (s set) Contains(v int) bool { return s.contains(v) }

type plainSet map[int]bool

func (s plainSet) Insert(v int) bool   { was := s[v]; s[v] = true; return !was }
func (s plainSet) Remove(v int) bool   { was := s[v]; delete(s, v); return was }
func (s plainSet) Contains(v int) bool { return s[v] }

func newPlainSet() plainSet { return plainSet{} }

func TestSkipMap(t *testing.T) {
	run(t, func() set {
		m := skipmap.NewInt()
		return set{
			insert:   func(v int) bool { _, there := m.LoadOrStore(v, v); return !there },
			remove:   func(v int) bool { _, there := m.LoadAndDelete(v); return there },
			contains: func(v int) bool { _, there := m.Load(v); return there },
		}
	}, newPlainSet)
}

func TestHashMap(t *testing.T) { // the map grows at once, as in a large one
	run(t, func() set {
		m := hashmap.NewSized[int, int](8)
		for i := range 8 {
			m.Set(-i-1, 0)
		}
		m.Grow(32)
		return set{insert: func(v int) bool { return m.Insert(v, v) }, remove: m.Del, contains: func(v int) bool { _, there := m.Get(v); return there }}
	}, newPlainSet)
}

func newHaxMap() set {
	m := haxmap.New[int, int]()
	return set{
		insert:   func(v int) bool { _, there := m.GetOrSet(v, v); return !there },
		remove:   func(v int) bool { _, there := m.GetAndDel(v); return there },
		contains: func(v int) bool { _, there := m.Get(v); return there },
	}
}

func TestHaxMapTwice(t *testing.T) { run(t, newHaxMap, newPlainSet) }

func TestHaxMapLost(t *testing.T) { // neighbours, as an identity hash makes them
	run(t, func() set {
		m := haxmap.New[int, int]()
		m.SetHasher(func(v int) uintptr { return uintptr(v) })
		return set{
			insert:   func(v int) bool { _, there := m.GetOrSet(v, v); return !there },
			remove:   func(v int) bool { m.Del(v); return true },
			contains: func(v int) bool { _, there := m.Get(v); return there },
		}
	}, func() dropSet { return dropSet{plainSet{}} })
}

// dropSet does not say whether something was there.
type dropSet struct{ plainSet }

func (s dropSet) Remove(v int) bool { s.plainSet.Remove(v); return true }

func TestHaxMapGrows(t *testing.T) { // nothing is deleted
	adttest.Run(t, adttest.Config{New: newHaxMap, Reference: newPlainSet, Skip: []string{"Remove"}, Threads: 4, Calls: 8})
}

type queue struct{ q goconcurrentqueue.Queue }

func (q queue) Add(v int) { _ = q.q.Enqueue(v) }

func (q queue) Take() int {
	v, err := q.q.DequeueOrWaitForNextElement()
	if err != nil {
		return -1
	}
	return v.(int)
}

func TestFIFO(t *testing.T) {
	run(t, func() queue { return queue{goconcurrentqueue.NewFIFO()} }, func() *plainQueue { return new(plainQueue) })
}
