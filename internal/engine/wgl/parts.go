package wgl

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
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
// prefix are the prefixes of the parts. With an error the prefix is violating if it is not 0, and may not be the shortest.
//
// The time that parts take differs by orders of magnitude, and a violation in
// one of them, which bounds the prefix of all others, may be found soon. So no
// part waits for another's end: each gets a number of steps, and those that
// need more get four times as many when all others had their turn.
func checkParts(r run, parts []*part) (int, error) {
	var best atomic.Int64
	none := int64(r.e.Events) + 1
	best.Store(none)
	var err error
	for budget := firstBudget; len(parts) > 0 && err == nil; budget *= 4 {
		parts, err = round(r, parts, budget, &best)
	}
	if b := best.Load(); b < none {
		return int(b), err
	}
	return 0, err
}

// round gives every part its steps and returns those that need more.
func round(r run, parts []*part, budget int, best *atomic.Int64) (more []*part, err error) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	workers := min(len(parts), runtime.GOMAXPROCS(0))
	r.most /= workers
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := next.Add(1); int(i) <= len(parts); i = next.Add(1) {
				failed := r.part(parts[i-1], budget, best)
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
func (r run) part(p *part, budget int, best *atomic.Int64) error {
	if p.labels == nil {
		p.labels = newLabeling(r.model, r.labels, p.ops)
	}
	for {
		bound := min(int(best.Load()), r.e.Events)
		r.memory = newMemory(r.model, p.labels)
		r.halt = func(bytes int) error {
			budget--
			switch err := r.bounded(bytes); {
			case err != nil:
				return err
			case int(best.Load()) < bound:
				return errStale
			case budget < 0:
				return errBudget
			}
			return nil
		}
		prefix, err := r.shortest(p, bound)
		if prefix > 0 {
			p.prefix = prefix
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

// merge makes one linearization of the prefix of n events out of those of parts.
// One of a longer prefix is cut behind the last operation that returned in this
// one: all before it were called by then. Then every operation has a moment between its
// call and its return, the latest call of those up to it, and these are in order.
func merge(parts []*part, e *history.Execution, n int) []int32 {
	type moment struct{ at, op int32 }
	all, latest := make([]moment, 0, len(e.Ops)), int32(0)
	for _, p := range parts {
		last := int32(-1)
		keep := len(all)
		for _, op := range p.order {
			last = max(last, int32(e.Ops[op].Call))
			all = append(all, moment{last, op})
			if p.events <= n || completedIn(&e.Ops[op], n) {
				keep = len(all)
			}
		}
		all, latest = all[:keep], max(latest, last)
	}
	first := make([]int32, int(latest)+2) // by moment: the place of its first operation
	for _, m := range all {
		first[m.at+1]++
	}
	for i := range first[1:] {
		first[i+1] += first[i]
	}
	order := make([]int32, len(all))
	for _, m := range all {
		order[first[m.at]] = m.op
		first[m.at]++
	}
	return order
}
