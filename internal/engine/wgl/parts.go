package wgl

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// errBudget ends a search that took more steps than it was given, errStale one
// for a prefix longer than a violation that was found meanwhile.
var (
	errBudget = errors.New("wgl: out of steps")
	errStale  = errors.New("wgl: a shorter violation is known")
)

// firstBudget is how many steps each part is given at first, in units of haltSteps.
const firstBudget = 16

// checkParts is the shortest violating prefix of any part: the parts of a
// prefix are the prefixes of the parts. With an error, which is the context's,
// the prefix is violating if it is not 0, and may not be the shortest.
//
// The time that parts take differs by orders of magnitude, and a violation in
// one of them, which bounds the prefix of all others, may be found soon. So no
// part waits for another's end: each gets a number of steps, and those that
// need more get four times as many when all others had their turn.
func checkParts(ctx context.Context, r run, parts [][]int32) (int, error) {
	var best atomic.Int64
	none := int64(r.e.Events) + 1
	best.Store(none)
	var err error
	for budget := firstBudget; len(parts) > 0 && err == nil; budget *= 4 {
		parts, err = round(ctx, r, parts, budget, &best)
	}
	if b := best.Load(); b < none {
		return int(b), err
	}
	return 0, err
}

// round gives every part its steps and returns those that need more.
func round(ctx context.Context, r run, parts [][]int32, budget int, best *atomic.Int64) (more [][]int32, err error) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range min(len(parts), runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := next.Add(1); int(i) <= len(parts); i = next.Add(1) {
				failed := r.part(ctx, parts[i-1], budget, best)
				mu.Lock()
				if failed == errBudget {
					more = append(more, parts[i-1])
				} else if err == nil {
					err = failed
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return more, err
}

// part looks for a violation in a part that is shorter than the best so far.
func (r run) part(ctx context.Context, ops []int32, budget int, best *atomic.Int64) error {
	labels := r.memory.labels
	for {
		bound := min(int(best.Load()), r.e.Events)
		r.memory = newMemory(r.memory.model, labels.share())
		r.halt = func() error {
			switch budget--; {
			case ctx.Err() != nil:
				return ctx.Err()
			case int(best.Load()) < bound:
				return errStale
			case budget < 0:
				return errBudget
			}
			return nil
		}
		prefix, err := r.shortest(ops, bound)
		if prefix > 0 {
			lessen(best, int64(prefix))
		}
		if err != errStale {
			return err
		}
	}
}

// lessen makes a number the least of itself and n.
func lessen(least *atomic.Int64, n int64) {
	for old := least.Load(); n < old && !least.CompareAndSwap(old, n); old = least.Load() {
	}
}
