package wgl

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
)

// Options bound and divide a search. The zero Options do neither.
type Options struct {
	// LRU is how many configurations the cache holds; 0 is no limit.
	LRU int

	// Partition checks the keys of a Keyed model apart, some at a time.
	Partition bool
}

// Result is the answer of a search.
type Result struct {
	Linearizable bool
	Prefix       int // events of the shortest prefix that is not linearizable; 0 if all are
	Parts        int // keys that were checked apart; 0 if the whole was checked
}

// Check decides whether an execution is linearizable with respect to a model,
// and if not finds the shortest prefix that is not. Calls that did not return
// may have taken effect or not.
//
// The error is the context's. The time is exponential in the number of
// operations that run at a time at worst; the memory is proportional to the
// configurations cached.
func Check(ctx context.Context, m Model, e *history.Execution, o Options) (Result, error) {
	labels := newLabeling(m, e)
	r := run{ctx, e, newMemory(m, labels), o.LRU}
	keyed, ok := m.(Keyed)
	if !o.Partition || !ok {
		prefix, err := r.shortest(everything(e), e.Events)
		return Result{Linearizable: prefix == 0, Prefix: prefix}, err
	}
	parts := split(keyed, e)
	prefix, err := checkParts(r, parts)
	return Result{Linearizable: prefix == 0, Prefix: prefix, Parts: len(parts)}, err
}

// split lists the operations of each key.
func split(m Keyed, e *history.Execution) (parts [][]int32) {
	number := map[history.Value]int{}
	for i := range e.Ops {
		k := m.Key(&e.Ops[i].Label)
		n, ok := number[k]
		if !ok {
			n = len(parts)
			number[k] = n
			parts = append(parts, nil)
		}
		parts[n] = append(parts[n], int32(i))
	}
	return parts
}

// checkParts is the shortest violating prefix of any part: the parts of a
// prefix are the prefixes of the parts.
func checkParts(r run, parts [][]int32) (int, error) {
	var next, best atomic.Int64
	best.Store(int64(r.e.Events) + 1)
	var wg sync.WaitGroup
	errs := make([]error, min(len(parts), runtime.GOMAXPROCS(0)))
	for w := range errs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				errs[w] = r.part(parts[i], &best)
			}
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	if b := int(best.Load()); b <= r.e.Events {
		return b, nil
	}
	return 0, nil
}

// run is a check of parts of one execution.
type run struct {
	ctx    context.Context
	e      *history.Execution
	memory *memory
	limit  int
}

// part looks for a violation in a part that is shorter than the best so far.
func (r run) part(ops []int32, best *atomic.Int64) error {
	r.memory = newMemory(r.memory.model, r.memory.labels.share())
	bound := int(best.Load())
	prefix, err := r.shortest(ops, min(bound, r.e.Events))
	for err == nil && prefix > 0 && prefix < bound && !best.CompareAndSwap(int64(bound), int64(prefix)) {
		bound = int(best.Load())
	}
	return err
}

// decide searches the prefix of n events. lower is 0 if it is linearizable;
// otherwise no prefix of fewer events than lower violates.
func (r run) decide(ops []int32, n int) (lower int, err error) {
	t := newTimeline(r.e, ops, n)
	found, reach, err := search(r.ctx, t, newMachine(r.memory, r.e, ops, n), r.limit)
	if found || err != nil {
		return 0, err
	}
	return t.ends[reach], nil
}

// shortest finds the shortest violating prefix of at most n events, or 0.
//
// The search of a violating prefix says where it got stuck, and mostly that is
// where the shortest one ends. But what it could not complete there had the
// answers that came later; with other answers it may go on. So the end is
// searched, too, and if that is linearizable, the ends after it.
func (r run) shortest(ops []int32, n int) (int, error) {
	low, err := r.decide(ops, n)
	if low == 0 || err != nil {
		return 0, err
	}
	ends := r.returns(ops, n)
	for step := 1; ; step *= 2 {
		i, _ := slices.BinarySearch(ends, low)
		i = min(i+step-1, len(ends)-1)
		if ends[i] == n || i == len(ends)-1 {
			return r.bisect(ops, ends, low, i)
		}
		lower, err := r.decide(ops, ends[i])
		if err != nil {
			return 0, err
		}
		if lower > 0 {
			return r.bisect(ops, ends, max(low, lower), i)
		}
		low = ends[i] + 1
	}
}

// bisect finds the shortest violating prefix among ends, of which ends[last] is
// one and none before low is.
func (r run) bisect(ops []int32, ends []int, low, last int) (int, error) {
	first, _ := slices.BinarySearch(ends, low)
	for first < last {
		middle := (first + last) / 2
		lower, err := r.decide(ops, ends[middle])
		if err != nil {
			return 0, err
		}
		if lower > 0 {
			last = middle
		} else {
			first = middle + 1
		}
	}
	return ends[last], nil
}

// returns lists the prefixes of at most n events that end with a return.
func (r run) returns(ops []int32, n int) []int {
	var ends []int
	for _, op := range ops {
		if o := &r.e.Ops[op]; completedIn(o, n) {
			ends = append(ends, o.Return+1)
		}
	}
	slices.Sort(ends)
	return ends
}
