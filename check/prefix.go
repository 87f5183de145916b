package check

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/adtinfer/adtinfer/history"
)

// prefixes decides an execution and finds its shortest violating prefix, for
// engines that decide one prefix at a time.
type prefixes struct {
	ctx     context.Context
	e       *history.Execution
	decide  func(n int) (answer, error) // the prefix of n events
	explain func(n int) []string        // the patterns that exclude it; may be nil
	whole   bool                        // the shortest violating prefix is not sought
}

// answer is what is known of a prefix. Not sat means violation, unless a
// completion was excluded.
type answer struct {
	sat      bool
	excluded string
}

func (r *prefixes) check() (Result, error) {
	a, err := r.decide(r.e.Events)
	switch {
	case err != nil:
		return r.failed(err)
	case a.sat:
		return Result{Verdict: Linearizable}, nil
	case r.whole && a.excluded != "":
		return Result{Verdict: Inconclusive, Detail: a.excluded}, nil
	case r.whole:
		return Result{Verdict: Violation, Prefix: r.e.Events, Detail: notSought}, nil
	}
	return r.shortest(a)
}

// notSought is the detail of violations whose prefix is the whole execution
// because nobody asked for the shortest one.
const notSought = "the shortest violating prefix was not sought"

// failed is the result where the whole execution could not be decided.
func (r *prefixes) failed(err error) (Result, error) {
	switch {
	case r.ctx.Err() != nil:
		return Result{Verdict: Inconclusive, Detail: stopped(r.ctx)}, nil
	case errors.Is(err, errOverlap):
		return Result{Verdict: Inconclusive, Detail: err.Error()}, nil
	}
	return Result{}, err
}

// stopped says why the context ended.
func stopped(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "the time limit was reached"
	}
	return "the check was interrupted"
}

// decidePrefix decides an execution by instances of it. With many completions
// of pending operations a linearization is first looked for among the few that
// completed operations need, then among all that are possible.
func decidePrefix(ctx context.Context, c *compiled, e *history.Execution, satisfiable func(*instance) (bool, error)) (answer, error) {
	in, err := newInstance(ctx, c, e)
	if err != nil {
		return answer{}, err
	}
	if in.hasMany() {
		few, err := in.with(ctx, in.needed())
		if err != nil {
			return answer{}, err
		}
		if sat, err := satisfiable(few); sat || err != nil {
			return answer{sat: sat}, err
		}
		if in, err = in.prune(ctx); err != nil {
			return answer{}, err
		}
	}
	sat, err := satisfiable(in)
	return answer{sat, in.excluded}, err
}

// shortest finds the shortest violating prefix, given that the whole execution
// is not satisfiable.
//
// Satisfiability of prefixes is monotone, but an unsatisfiable prefix is only a
// violation if no completion was excluded there. If the shortest unsatisfiable
// prefix is not, the next one that is counts.
func (r *prefixes) shortest(whole answer) (Result, error) {
	ends := r.returns()
	found := map[int]answer{len(ends) - 1: whole}
	var stop error
	i := sort.Search(len(ends)-1, func(i int) bool {
		if stop != nil {
			return true
		}
		a, err := r.decide(ends[i])
		if err != nil {
			stop = err
			return true
		}
		found[i] = a
		return !a.sat
	})
	if stop != nil {
		return r.notShortest(whole, found, ends)
	}
	for k := i; k < len(ends); k++ {
		a, ok := found[k]
		if !ok {
			var err error
			if a, err = r.decide(ends[k]); err != nil {
				return r.notShortest(whole, found, ends)
			}
		}
		if !a.sat && a.excluded == "" {
			res := Result{Verdict: Violation, Prefix: ends[k], Patterns: r.patterns(ends[k])}
			if k > i {
				res.Detail = fmt.Sprintf("the violation may begin earlier, after %d events: %s", ends[i], found[i].excluded)
			}
			return res, nil
		}
	}
	return Result{Verdict: Inconclusive, Detail: whole.excluded}, nil
}

// notShortest is the result when the search ended early: the shortest
// violating prefix known so far.
func (r *prefixes) notShortest(whole answer, found map[int]answer, ends []int) (Result, error) {
	best := len(ends)
	for k, a := range found {
		if !a.sat && a.excluded == "" {
			best = min(best, k)
		}
	}
	if best == len(ends) {
		detail := whole.excluded
		if r.ctx.Err() != nil {
			detail = stopped(r.ctx)
		}
		return Result{Verdict: Inconclusive, Detail: detail}, nil
	}
	detail := "a shorter prefix may violate, too"
	if r.ctx.Err() != nil {
		detail = stopped(r.ctx) + " before the shortest violating prefix was found"
	}
	return Result{Verdict: Violation, Prefix: ends[best], Detail: detail}, nil
}

// returns lists the prefixes that end with a return, by number of events; and
// the whole.
func (r *prefixes) returns() []int {
	var ends []int
	for i := range r.e.Ops {
		if o := &r.e.Ops[i]; o.Completed() && o.Return+1 < r.e.Events {
			ends = append(ends, o.Return+1)
		}
	}
	sort.Ints(ends)
	return append(ends, r.e.Events)
}

func (r *prefixes) patterns(n int) []string {
	if r.explain == nil {
		return nil
	}
	return r.explain(n)
}
