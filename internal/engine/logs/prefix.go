package logs

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/memory"
)

// Answer is what is known of an execution. Not Sat means violation, unless a
// completion of a pending operation was excluded; Excluded then says why in one
// sentence.
type Answer struct {
	Sat      bool
	Excluded string
}

// Violates reports whether the execution is a violation.
func (a Answer) Violates() bool { return !a.Sat && a.Excluded == "" }

// Result is what is known of an execution and its prefixes. It is inconclusive if
// the execution is neither linearizable nor has a violating prefix.
type Result struct {
	Linearizable bool
	Violation    int    // events of the shortest prefix known to violate; 0 if there is none
	Finished     bool   // the search for that prefix did not end early
	Detail       string // one sentence about what limits the answer
}

// NotSought is the detail of violations whose prefix is the whole execution
// because nobody asked for the shortest one.
const NotSought = "the shortest violating prefix was not sought"

// Stopped says why the context ended.
func Stopped(ctx context.Context) string {
	if over := (*memory.Exceeded)(nil); errors.As(context.Cause(ctx), &over) {
		return over.Said()
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "the time limit was reached"
	}
	return "the check was interrupted"
}

// Whole decides the execution alone.
func Whole(ctx context.Context, e *history.Execution, decide func(n int) (Answer, error)) (Result, error) {
	a, err := decide(e.Events)
	switch {
	case err != nil:
		return Failed(ctx, err)
	case a.Sat:
		return Result{Linearizable: true}, nil
	case a.Excluded != "":
		return Result{Detail: a.Excluded}, nil
	}
	return Result{Violation: e.Events, Detail: NotSought}, nil
}

// Search decides an execution and finds its shortest violating prefix. Decide
// decides the prefix of n events; it is asked about few.
//
// Satisfiability of prefixes is monotone, but an unsatisfiable prefix is only a
// violation if no completion was excluded there. If the shortest unsatisfiable
// prefix is not, the next one that is counts.
func Search(ctx context.Context, e *history.Execution, decide func(n int) (Answer, error)) (Result, error) {
	whole, err := decide(e.Events)
	switch {
	case err != nil:
		return Failed(ctx, err)
	case whole.Sat:
		return Result{Linearizable: true}, nil
	}
	s := &search{ctx: ctx, ends: Ends(e), decide: decide, known: map[int]Answer{}}
	last := len(s.ends) - 1
	s.known[last] = whole
	first := sort.Search(last, func(i int) bool { return s.err != nil || !s.at(i).Sat })
	for k := first; s.err == nil && k <= last; k++ {
		if a := s.at(k); s.err != nil || !a.Violates() {
			continue
		}
		r := Result{Violation: s.ends[k], Finished: true}
		if k > first {
			r.Detail = fmt.Sprintf("the violation may begin earlier, after %d events: %s", s.ends[first], s.known[first].Excluded)
		}
		return r, nil
	}
	if s.err != nil {
		return s.unfinished(), nil
	}
	return Result{Detail: whole.Excluded}, nil
}

// Failed is the result where the whole execution could not be decided.
func Failed(ctx context.Context, err error) (Result, error) {
	switch {
	case ctx.Err() != nil:
		return Result{Detail: Stopped(ctx)}, nil
	case errors.Is(err, ErrTooMany):
		return Result{Detail: err.Error()}, nil
	}
	return Result{}, err
}

// search is a search among the prefixes that end with a return, and the whole.
type search struct {
	ctx    context.Context
	ends   []int // events
	decide func(n int) (Answer, error)
	known  map[int]Answer
	err    error // the first one; the search is over
}

// at decides prefix i.
func (s *search) at(i int) Answer {
	a, ok := s.known[i]
	if !ok {
		if a, s.err = s.decide(s.ends[i]); s.err == nil {
			s.known[i] = a
		}
	}
	return a
}

// unfinished is the result when the search ended early: the shortest violating
// prefix known so far.
func (s *search) unfinished() Result {
	last := len(s.ends) - 1
	best := last + 1
	for k, a := range s.known {
		if a.Violates() {
			best = min(best, k)
		}
	}
	switch {
	case best <= last && s.ctx.Err() != nil:
		return Result{Violation: s.ends[best], Detail: Stopped(s.ctx) + " before the shortest violating prefix was found"}
	case best <= last:
		return Result{Violation: s.ends[best], Detail: "a shorter prefix may violate, too"}
	case s.ctx.Err() != nil:
		return Result{Detail: Stopped(s.ctx)}
	}
	return Result{Detail: s.known[last].Excluded}
}
