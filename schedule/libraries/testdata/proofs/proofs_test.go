// Package proofs has a test for each finding, as short as it can be. Package raced beside it has those that the race detector sees.
package proofs

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alitto/pond/v2"
	"github.com/alphadose/haxmap"
	pubsub "github.com/cskr/pubsub/v2"
	mapset "github.com/deckarep/golang-set/v2"
	"github.com/dgraph-io/ristretto/v2"
	"github.com/eapache/channels"
	"github.com/golang/groupcache/singleflight"
	"github.com/jellydator/ttlcache/v3"
)

// together runs functions at the same time, and waits for all.
func together(fs ...func()) {
	var all sync.WaitGroup
	for _, f := range fs {
		all.Go(f)
	}
	all.Wait()
}

// TestRistrettoClose: Set asks whether the cache is closed, and sends on its channel when that is closed.
func TestRistrettoClose(t *testing.T) {
	c, err := ristretto.NewCache(&ristretto.Config[int, int]{NumCounters: 10, MaxCost: 10, BufferItems: 64})
	if err != nil {
		t.Fatal(err)
	}
	together(func() { c.Set(1, 1, 1) }, c.Close)
}

// TestRistrettoCloseTwice: Close asks whether the cache is closed, and closes its channels later.
func TestRistrettoCloseTwice(t *testing.T) {
	c, err := ristretto.NewCache(&ristretto.Config[int, int]{NumCounters: 10, MaxCost: 10, BufferItems: 64})
	if err != nil {
		t.Fatal(err)
	}
	together(c.Close, c.Close)
}

// TestSetUnion: both sets are locked for reading in the order of the arguments, and who wants to write comes in between.
func TestSetUnion(t *testing.T) {
	a, b := mapset.NewSet(1), mapset.NewSet(2)
	together(
		func() { a.Union(b) },
		func() { b.Union(a) },
		func() { a.Add(3) },
		func() { b.Add(4) },
	)
}

// TestTTLCacheStop: Stop comes before the goroutine that starts has begun, does nothing, and Start never ends.
func TestTTLCacheStop(t *testing.T) {
	c := ttlcache.New(ttlcache.WithTTL[int, int](time.Minute))
	ended := make(chan bool)
	go func() {
		c.Start()
		close(ended)
	}()
	c.Stop()
	select {
	case <-ended:
	case <-time.After(time.Hour):
		t.Error("the cache was stopped, and Start still runs after an hour")
		c.Stop()
	}
}

// TestPubSubShutdown: who subscribes while it shuts down waits for ever.
func TestPubSubShutdown(t *testing.T) {
	ps := pubsub.New[string, int](1)
	together(ps.Shutdown, func() { ps.Sub("topic") })
}

// TestResizableClose: Resize sends on a channel that Close lets close.
func TestResizableClose(t *testing.T) {
	c := channels.NewResizableChannel()
	together(c.Close, func() { c.Resize(2) })
}

// TestPondCompleted: a task is done before it is counted.
func TestPondCompleted(t *testing.T) {
	p := pond.NewPool(1)
	if err := p.Submit(func() {}).Wait(); err != nil {
		t.Fatal(err)
	}
	if n := p.CompletedTasks(); n != 1 {
		t.Errorf("the task was waited for, and %d are completed", n)
	}
	p.StopAndWait()
}

// TestHaxmapDelete: two delete the same entry.
func TestHaxmapDelete(t *testing.T) {
	m := haxmap.New[int, int]()
	m.Set(1, 1)
	var got [2]bool
	together(
		func() { _, got[0] = m.GetAndDel(1) },
		func() { _, got[1] = m.GetAndDel(1) },
	)
	if got[0] && got[1] {
		t.Error("both got and deleted what is there once")
	}
}

// TestHaxmapInsert: what is inserted behind an entry that is being deleted is lost.
func TestHaxmapInsert(t *testing.T) {
	m := haxmap.New[int, int]()
	m.SetHasher(func(k int) uintptr { return uintptr(k) })
	m.Set(1, 1)
	together(func() { m.Del(1) }, func() { m.Set(2, 2) })
	if _, ok := m.Get(2); !ok {
		t.Error("2 was inserted, and is not there")
	}
}

// TestHaxmapGrow: what was inserted while the map grows is not there.
func TestHaxmapGrow(t *testing.T) {
	m := haxmap.New[int, int](2)
	m.SetHasher(func(k int) uintptr { return uintptr(k) })
	var got [2]bool
	together(
		func() { m.Set(3, 3); m.Set(4, 4); m.Set(5, 5) },
		func() { _, got[0] = m.GetOrSet(6, 1) },
		func() { _, got[1] = m.GetOrSet(6, 2) },
	)
	if !got[0] && !got[1] {
		t.Error("both inserted 6")
	}
}

// TestHaxmapCompute: two GetOrCompute of one key that is not there both compute.
func TestHaxmapCompute(t *testing.T) {
	m := haxmap.New[int, int](2)
	var ran atomic.Int32
	compute := func() { m.GetOrCompute(1, func() int { return int(ran.Add(1)) }) }
	together(compute, compute)
	if n := ran.Load(); n != 1 {
		t.Errorf("one key was computed %d times", n)
	}
}

// TestHaxmapOldValue: Get says that the key is not there, and answers the value that it had.
func TestHaxmapOldValue(t *testing.T) {
	m := haxmap.New[int, int](2)
	m.Set(1, 7)
	together(
		func() { m.Del(1) },
		func() {
			if v, present := m.Get(1); !present && v != 0 {
				t.Errorf("%d, and not there", v)
			}
		},
	)
}

// TestSingleflightPanic: after a call that panicked, all others of the key wait.
func TestSingleflightPanic(t *testing.T) {
	var g singleflight.Group
	func() {
		defer func() { _ = recover() }()
		_, _ = g.Do("a", func() (any, error) { panic("no answer") })
	}()
	_, _ = g.Do("a", func() (any, error) { return 1, nil })
}
