package wgl

import (
	"context"
	"slices"

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

	// Upper says that the context ended before it was known whether a prefix
	// shorter than Prefix is a violation, too.
	Upper bool
}

// Check decides whether an execution is linearizable with respect to a model,
// and if not finds the shortest prefix that is not. Calls that did not return
// may have taken effect or not.
//
// The error is the context's, if it ended before a violation was found. The time is exponential in the number of
// operations that run at a time at worst; the memory is proportional to the
// configurations cached.
func Check(ctx context.Context, m Model, e *history.Execution, o Options) (Result, error) {
	labels := newLabeling(m, e)
	r := run{e, newMemory(m, labels), o.LRU, ctx.Err}
	keyed, ok := m.(Keyed)
	if !o.Partition || !ok {
		prefix, err := r.shortest(everything(e), e.Events)
		return result(prefix, 0, err)
	}
	parts := split(keyed, e)
	prefix, err := checkParts(ctx, r, parts)
	return result(prefix, len(parts), err)
}

// result is the answer where a violating prefix was found, or none, before the
// error came up.
func result(prefix, parts int, err error) (Result, error) {
	r := Result{Linearizable: prefix == 0 && err == nil, Prefix: prefix, Parts: parts}
	if prefix > 0 && err != nil {
		r.Upper, err = true, nil
	}
	return r, err
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

// run is a check of operations of one execution.
type run struct {
	e      *history.Execution
	memory *memory
	limit  int
	halt   func() error // says why a search must end, if it must
}

// decide searches the prefix of n events. lower is 0 if it is linearizable;
// otherwise no prefix of fewer events than lower violates.
func (r run) decide(ops []int32, n int) (lower int, err error) {
	t := newTimeline(r.e, ops, n)
	found, reach, err := search(r.halt, t, newMachine(r.memory, r.e, ops, n), r.limit)
	if found || err != nil {
		return 0, err
	}
	return t.ends[reach], nil
}

// shortest finds the shortest violating prefix of at most n events, or 0. With
// an error, what it returns is a violating prefix, or 0 if none was found.
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
			return n, err
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
			return ends[last], err
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
