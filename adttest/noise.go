package adttest

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// noise makes the goroutines of a batch meet in different ways.
type noise struct {
	spin  int // idle loops before an operation, at most
	yield int // 1 in so many operations lets another goroutine run first; 0: none
}

func newNoise(rng *rand.Rand) noise {
	return noise{
		spin:  []int{0, 20, 200, 2000}[rng.IntN(4)],
		yield: []int{0, 0, 2, 8}[rng.IntN(4)],
	}
}

// before makes noise before an operation.
func (n noise) before(rng *rand.Rand) {
	if n.yield > 0 && rng.IntN(n.yield) == 0 {
		runtime.Gosched()
	}
	if n.spin > 0 {
		idle(rng.IntN(n.spin))
	}
}

// Yield lets others go first: not at all, for a moment, or for some operations.
// Code under test that calls it between steps, through a hook that only tests
// set, shows within seconds what else takes hours: that much happens just there.
func Yield() {
	switch rand.IntN(8) {
	case 0, 1:
		runtime.Gosched()
	case 2:
		idle(rand.IntN(4000))
	case 3, 4:
		const patience = 100 // if no other goroutine is left
		until := operations.Load() + 1 + uint64(rand.IntN(6))
		for i := 0; i < patience && operations.Load() < until; i++ {
			runtime.Gosched()
		}
	}
}

// operations counts those that have ended, in all runs of the process: it is
// the clock by which Yield waits.
var operations atomic.Uint64

// sink keeps idle from being optimized away.
var sink atomic.Uint32

func idle(n int) {
	var x uint32 = 1
	for range n {
		x = x*1664525 + 1013904223
	}
	if x == 0 {
		sink.Store(x)
	}
}

// disturbance stops all goroutines now and then, wherever they are in an
// operation; a goroutine in the middle of one goes on after the others.
type disturbance struct {
	level atomic.Int32 // idle loops between stops, at most; 0: none at all
	stop  atomic.Bool
}

func (d *disturbance) run(rng *rand.Rand) {
	var m runtime.MemStats
	for !d.stop.Load() {
		level := int(d.level.Load())
		if level == 0 {
			time.Sleep(time.Millisecond)
			continue
		}
		idle(rng.IntN(level))
		runtime.ReadMemStats(&m) // of what this costs, the stop is what is wanted
		runtime.Gosched()
	}
}

// procs changes GOMAXPROCS, which all tests of the process share, and puts it
// back when the last one that changed it is done.
var procs struct {
	sync.Mutex
	users, before int
}

func acquireProcs() {
	procs.Lock()
	defer procs.Unlock()
	if procs.users++; procs.users == 1 {
		procs.before = runtime.GOMAXPROCS(0)
	}
}

// setProcs takes one of few settings: fewer than there are processors, so that
// goroutines stop in the middle of an operation, to more.
func setProcs(rng *rand.Rand) (n int) {
	procs.Lock()
	defer procs.Unlock()
	n = []int{1, procs.before, procs.before, max(2, procs.before), 2 * procs.before, 4 * procs.before}[rng.IntN(6)]
	runtime.GOMAXPROCS(n)
	return n
}

func releaseProcs() {
	procs.Lock()
	defer procs.Unlock()
	if procs.users--; procs.users == 0 {
		runtime.GOMAXPROCS(procs.before)
	}
}

// barrier is where n goroutines wait for each other. They spin, so that all of
// them go on at the same moment.
type barrier struct {
	n       int32
	arrived atomic.Int32
	phase   atomic.Uint32
	stop    atomic.Bool

	// In a bubble nobody sleeps: its clock would wait for operations that run.
	gate  atomic.Pointer[chan struct{}] // closed at the end of the phase
	ended chan struct{}                 // closed when the batch is over
	once  sync.Once
}

// inBubble prepares the barrier for goroutines of a bubble, which the caller is in.
func (b *barrier) inBubble() {
	gate := make(chan struct{})
	b.gate.Store(&gate)
	b.ended = make(chan struct{})
}

// end says that the batch is over.
func (b *barrier) end() {
	b.stop.Store(true)
	if b.ended != nil {
		b.once.Do(func() { close(b.ended) })
	}
}

// open lets everybody through who waits.
func (b *barrier) open() {
	b.arrived.Store(0)
	gate := b.gate.Load()
	if gate != nil {
		next := make(chan struct{})
		b.gate.Store(&next)
	}
	b.phase.Add(1)
	if gate != nil {
		close(*gate)
	}
}

// wait is false if the batch is over.
func (b *barrier) wait() bool {
	phase, gate := b.phase.Load(), b.gate.Load()
	if b.arrived.Add(1) == b.n {
		b.open()
		return !b.stop.Load()
	}
	for i := 0; b.phase.Load() == phase; i++ {
		if b.stop.Load() {
			return false
		}
		switch {
		case i > 1<<8 && gate != nil: // soon: the clock of the bubble stands still while we spin
			select {
			case <-*gate:
			case <-b.ended:
			}
		case i > 1<<14: // another goroutine is not running, and may want our processor
			time.Sleep(50 * time.Microsecond)
		case i&63 == 63:
			runtime.Gosched()
		}
	}
	return !b.stop.Load()
}
