package memory

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Guard ends work that takes too much memory. Nil guards nothing.
type Guard struct {
	limit int64
	done  chan struct{}
	idle  sync.WaitGroup
	old   int64

	mu   sync.Mutex
	uses map[*Use]bool
}

// Use is a piece of work.
type Use struct {
	guard *Guard
	end   context.CancelCauseFunc
	size  atomic.Int64
	over  bool
}

// Exceeded is why the context of a Use ends that was too large.
type Exceeded struct{ Limit int64 }

func (e *Exceeded) Error() string { return "it needs more memory than " + Size(e.Limit) }

// Said is the limit in a sentence of its own, for reports.
func (e *Exceeded) Said() string {
	return fmt.Sprintf("the limit of %s of memory was reached", Size(e.Limit))
}

// pause is the time between two looks at the memory.
const pause = 20 * time.Millisecond

// Watch ends work when the process holds more than so many bytes, the largest first. The
// garbage collector works harder before. Nothing is watched if the limit is 0.
func Watch(limit int64) *Guard {
	if limit <= 0 {
		return nil
	}
	g := &Guard{limit: limit, done: make(chan struct{}), uses: map[*Use]bool{}, old: debug.SetMemoryLimit(-1)}
	debug.SetMemoryLimit(min(limit, g.old))
	g.idle.Add(1)
	go g.watch()
	return g
}

// Close ends the watch.
func (g *Guard) Close() {
	if g != nil {
		close(g.done)
		g.idle.Wait()
		debug.SetMemoryLimit(g.old)
	}
}

// Enter begins a piece of work, which ends with the context, and with Leave.
func (g *Guard) Enter(ctx context.Context) (context.Context, *Use) {
	if g == nil {
		return ctx, nil
	}
	ctx, end := context.WithCancelCause(ctx)
	u := &Use{guard: g, end: end}
	g.mu.Lock()
	g.uses[u] = true
	g.mu.Unlock()
	return ctx, u
}

// Leave says that the work is over, and its memory free.
func (u *Use) Leave() {
	if u == nil {
		return
	}
	u.guard.mu.Lock()
	delete(u.guard.uses, u)
	u.guard.mu.Unlock()
	u.end(nil)
}

// Grow says that the work is about so many bytes more, by which works are compared.
func (u *Use) Grow(n int) {
	if u != nil {
		u.size.Add(int64(n))
	}
}

// watch looks until the guard is closed. What was ended has time to go before the next one.
func (g *Guard) watch() {
	defer g.idle.Done()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for patience := 0; ; {
		select {
		case <-g.done:
			return
		case <-tick.C:
		}
		if patience > 0 {
			patience--
		}
		if patience == 0 && g.exceeded() && g.endLargest() {
			patience = 10
			runtime.GC()
		}
	}
}

// part of the limit is what live objects may take: the garbage collector needs the rest.
const part = 0.75

// What the process holds: after the last collection, and with what was allocated since.
const (
	live    = "/gc/heap/live:bytes"
	objects = "/memory/classes/heap/objects:bytes"
)

func held(what string) float64 {
	s := []metrics.Sample{{Name: what}}
	if metrics.Read(s); s[0].Value.Kind() != metrics.KindUint64 {
		return math.Inf(-1)
	}
	return float64(s[0].Value.Uint64())
}

// exceeded reports whether what the last collection left, or what was allocated since, is too much.
func (g *Guard) exceeded() bool {
	return held(live) > part*float64(g.limit) || held(objects) > float64(g.limit)
}

// endLargest ends the largest work. It reports whether there is one that had not been ended.
func (g *Guard) endLargest() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	var largest *Use
	for u := range g.uses {
		if !u.over && (largest == nil || u.size.Load() > largest.size.Load()) {
			largest = u
		}
	}
	if largest == nil {
		return false
	}
	largest.over = true
	largest.end(&Exceeded{g.limit})
	return true
}
