package adttest

import (
	"runtime"
	"sync/atomic"
	"time"
)

// barrier is where n goroutines wait for each other. They spin, so that all of
// them go on at the same moment.
type barrier struct {
	n       int32
	arrived atomic.Int32
	phase   atomic.Uint32
	stop    atomic.Bool
}

// wait is false if the batch is over.
func (b *barrier) wait() bool {
	phase := b.phase.Load()
	if b.arrived.Add(1) == b.n {
		b.arrived.Store(0)
		b.phase.Add(1)
		return !b.stop.Load()
	}
	for i := 0; b.phase.Load() == phase; i++ {
		if b.stop.Load() {
			return false
		}
		switch {
		case i > 1<<14: // somebody is not running, and may want our processor
			time.Sleep(50 * time.Microsecond)
		case i&63 == 63:
			runtime.Gosched()
		}
	}
	return !b.stop.Load()
}
