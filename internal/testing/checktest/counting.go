// # Counting
//
// Counting decides weakenings of the prefixes of an execution whose interval
// orders have bounded length ("Monitoring refinement" §6.2, after "Tractable
// refinement checking for concurrent objects"): of the order only the last k
// steps are kept, and everything before them overlaps. A violation of a
// weakening is one of the execution; where none is found, nothing is known. It is for
// the experiments that repeat those of the paper.
package checktest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/theory"
)

// Counting is a theory made ready. It is safe for concurrent use.
type Counting struct {
	k       int
	checker *check.Checker
}

// NewCounting makes a theory ready; k is at least 1.
func NewCounting(t *theory.Theory, k int) (*Counting, error) {
	if k < 1 {
		return nil, fmt.Errorf("counting: at least 1 step of the order is kept, not %d", k)
	}
	if err := ground.Sequential(t, "counting"); err != nil {
		return nil, err
	}
	c, err := check.New(t, check.Options{Engine: "symbolic", Whole: true})
	return &Counting{k, c}, err
}

// Check decides one execution. It decides a prefix at each return, and takes time
// about quadratic in the operations where few overlap. The result names no patterns.
func (n *Counting) Check(ctx context.Context, e *history.Execution) (check.Result, error) {
	r := check.Result{Engine: "counting", Events: e.Events}
	for _, end := range logs.Ends(e) {
		found, err := n.checker.Check(ctx, weaken(e.Prefix(end), n.k))
		switch {
		case err != nil:
			return check.Result{}, err
		case ctx.Err() != nil:
			r.Verdict, r.Detail = check.Inconclusive, found.Detail
			return r, nil
		case found.Verdict == check.Violation:
			r.Verdict, r.Prefix, r.Detail = check.Violation, end, "a shorter prefix may violate, too"
			return r, nil
		}
	}
	r.Verdict = check.NoViolationFound
	r.Detail = fmt.Sprintf("of the order of operations only the last %d steps were looked at", n.k)
	return r, nil
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
