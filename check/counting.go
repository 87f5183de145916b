package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Counting decides weakenings of the prefixes of an execution whose interval
// orders have bounded length ("Monitoring refinement" §6.2, after "Tractable
// refinement checking for concurrent objects"): of the order only the last K
// steps are kept, and everything before them overlaps. A violation of a
// weakening is one of the execution; where none is found, nothing is known.
type Counting struct {
	K int // at least 1
}

// DefaultK is the K of the engine that Engines lists.
const DefaultK = 4

// Name is "counting".
func (Counting) Name() string { return "counting" }

// Check decides one execution. It grounds a prefix at each return, and takes
// time about quadratic in the operations where few overlap.
func (k Counting) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, k, t, e)
}

func (k Counting) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	if err := c.sequential("counting"); err != nil {
		return Result{}, err
	}
	if k.K < 1 {
		return Result{}, fmt.Errorf("check: counting keeps at least 1 step of the order, not %d", k.K)
	}
	if _, err := newInstance(ctx, c, e); err != nil && ctx.Err() == nil { // of labels outside the theory
		return unlessOverlap(err)
	}
	p := prefixes{ctx: ctx, e: e}
	ends := p.returns()
	if c.whole {
		ends = ends[len(ends)-1:]
	}
	for _, n := range ends {
		w := symbolicRun{ctx, c, weaken(e.Prefix(n), k.K)}
		a, err := w.decide(w.e.Events)
		switch {
		case ctx.Err() != nil:
			return Result{Verdict: Inconclusive, Detail: stopped(ctx)}, nil
		case err != nil:
			return unlessOverlap(err)
		case !a.sat && a.excluded == "":
			detail := "a shorter prefix may violate, too"
			if c.whole {
				detail = notSought
			}
			return Result{Verdict: Violation, Prefix: n, Patterns: w.explain(w.e.Events), Detail: detail}, nil
		}
	}
	return Result{Verdict: NoViolationFound,
		Detail: fmt.Sprintf("of the order of operations only the last %d steps were looked at", k.K)}, nil
}

// unlessOverlap turns the error of an execution with too much overlap into a
// result.
func unlessOverlap(err error) (Result, error) {
	if err == errOverlap {
		return Result{Verdict: Inconclusive, Detail: err.Error()}, nil
	}
	return Result{}, err
}

// weaken is the execution with an order of at most k steps. Operations begin
// and end in columns, the fewest that show the order; columns are merged from
// the left until k+1 remain. That only forgets order: if one operation still
// ends in an earlier column than another begins, it did before.
func weaken(e *history.Execution, k int) *history.Execution {
	start, end, last := columns(e)
	merge := max(last-k, 0)
	w := *e
	w.Ops = slices.Clone(e.Ops)
	type event struct {
		column int
		ret    bool
		at     int // in e
		op     int
	}
	var events []event
	for i := range w.Ops {
		events = append(events, event{max(start[i]-merge, 0), false, w.Ops[i].Call, i})
		if w.Ops[i].Completed() {
			events = append(events, event{max(end[i]-merge, 0), true, w.Ops[i].Return, i})
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		if a.column == b.column && a.ret != b.ret {
			if b.ret {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.column, b.column), cmp.Compare(a.at, b.at))
	})
	for i, ev := range events {
		if ev.ret {
			w.Ops[ev.op].Return = i
		} else {
			w.Ops[ev.op].Call = i
		}
	}
	w.Events = len(events)
	slices.SortFunc(w.Ops, func(a, b history.Operation) int { return cmp.Compare(a.Call, b.Call) })
	return &w
}

// columns are where operations begin and end: a new column begins with a call
// that follows a return. Pending operations have no end.
func columns(e *history.Execution) (start, end []int, last int) {
	type event struct{ at, op int }
	var events []event
	for i := range e.Ops {
		events = append(events, event{e.Ops[i].Call, i})
		if e.Ops[i].Completed() {
			events = append(events, event{e.Ops[i].Return, i})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	start, end = make([]int, len(e.Ops)), make([]int, len(e.Ops))
	returned := false
	for _, ev := range events {
		if e.Ops[ev.op].Return == ev.at {
			end[ev.op], returned = last, true
			continue
		}
		if returned {
			last, returned = last+1, false
		}
		start[ev.op] = last
	}
	return start, end, last
}
