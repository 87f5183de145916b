package logs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// answers are random answers for the prefixes of an execution, by number of
// events: from some length on none is satisfiable, and of those some exclude a
// completion.
func answers(r *rand.Rand, ends []int) map[int]logs.Answer {
	all := map[int]logs.Answer{}
	first, often := r.IntN(len(ends)+1), r.IntN(4)
	for i, n := range ends {
		a := logs.Answer{Sat: i < first}
		if i >= first && r.IntN(4) < often {
			a.Excluded = fmt.Sprintf("excluded at %d", n)
		}
		all[n] = a
	}
	return all
}

// want is the result by definition: the first prefix of all that violates.
func want(ends []int, all map[int]logs.Answer) logs.Result {
	unsat := -1
	for _, n := range ends {
		a := all[n]
		if unsat < 0 && !a.Sat {
			unsat = n
		}
		if a.Violates() {
			r := logs.Result{Violation: n, Finished: true}
			if n != unsat {
				r.Detail = fmt.Sprintf("the violation may begin earlier, after %d events: %s", unsat, all[unsat].Excluded)
			}
			return r
		}
	}
	last := all[ends[len(ends)-1]]
	return logs.Result{Linearizable: last.Sat, Detail: last.Excluded}
}

// TestSearch compares the search with the definition on random answers.
func TestSearch(t *testing.T) {
	linearizable, violating, delayed, inconclusive := 0, 0, 0, 0
	n, queue := testsize.Samples(5_000), historytest.Queue()
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 3))
		e := queue.Execution(r, 1+r.IntN(12), 1+r.IntN(3), 0)
		ends := logs.Ends(e)
		all := answers(r, ends)
		decide := func(n int) (logs.Answer, error) {
			a, ok := all[n]
			if !ok {
				historytest.Fatal(t, e, "seed %d: asked about %d events, where no return is last", seed, n)
			}
			return a, nil
		}
		got, err := logs.Search(t.Context(), e, decide)
		if want := want(ends, all); err != nil || got != want {
			historytest.Fatal(t, e, "seed %d: got %+v, %v, want %+v; the answers are %v", seed, got, err, want, all)
		}
		whole, err := logs.Whole(t.Context(), e, decide)
		last := all[e.Events]
		w := logs.Result{Linearizable: last.Sat, Detail: last.Excluded}
		if last.Violates() {
			w = logs.Result{Violation: e.Events, Detail: logs.NotSought}
		}
		if err != nil || whole != w {
			t.Fatalf("seed %d: the whole is %+v, %v, want %+v", seed, whole, err, w)
		}
		switch {
		case got.Linearizable:
			linearizable++
		case got.Violation == 0:
			inconclusive++
		case got.Detail != "":
			delayed++
		default:
			violating++
		}
	}
	for _, k := range []int{linearizable, violating, delayed, inconclusive} {
		if k < int(n)/50 {
			t.Errorf("too one-sided a sample: %d linearizable, %d violating, %d of them late, %d inconclusive",
				linearizable, violating, delayed, inconclusive)
		}
	}
}

// sequence is a sequential execution of n operations.
func sequence(n int) *history.Execution {
	labels := make([]history.Label, n)
	for i := range labels {
		labels[i].Kind = history.Kind{Method: "add", Outcome: history.None}
	}
	return history.Sequential(labels...)
}

// TestFew: with a thousand operations some ten prefixes are decided.
func TestFew(t *testing.T) {
	e, asked := sequence(1000), 0
	got, err := logs.Search(t.Context(), e, func(n int) (logs.Answer, error) {
		asked++
		return logs.Answer{Sat: n < 777}, nil
	})
	if want := (logs.Result{Violation: 778, Finished: true}); err != nil || got != want || asked > 12 {
		t.Errorf("got %+v, %v after %d questions, want %+v", got, err, asked, want)
	}
}

// TestEarlyEnd: what is known when a decision fails, or the context ends, is the
// result; a failure at the whole execution is an error.
func TestEarlyEnd(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name     string
		after    int // decisions that end well
		canceled bool
		excluded string // why the whole is no violation
		err      error
		want     logs.Result
		fails    bool
	}{
		{name: "at once", err: broken, fails: true},
		{name: "too many overlap", err: logs.ErrTooMany, want: logs.Result{Detail: logs.ErrTooMany.Error()}},
		{name: "interrupted at once", canceled: true, err: context.Canceled, want: logs.Result{Detail: "the check was interrupted"}},
		{name: "later", after: 2, err: broken, want: logs.Result{Violation: 10, Detail: "a shorter prefix may violate, too"}},
		{name: "interrupted later", after: 2, canceled: true, err: context.Canceled,
			want: logs.Result{Violation: 10, Detail: "the check was interrupted before the shortest violating prefix was found"}},
		{name: "nothing is known", after: 1, excluded: "excluded", err: broken, want: logs.Result{Detail: "excluded"}},
		{name: "interrupted and nothing is known", after: 1, canceled: true, excluded: "excluded", err: context.Canceled,
			want: logs.Result{Detail: "the check was interrupted"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			e, asked := sequence(10), 0
			got, err := logs.Search(ctx, e, func(n int) (logs.Answer, error) {
				if asked++; asked <= tt.after {
					return logs.Answer{Sat: n < 9, Excluded: map[bool]string{true: tt.excluded}[n == e.Events]}, nil
				}
				if tt.canceled {
					cancel()
				}
				return logs.Answer{}, tt.err
			})
			if (err != nil) != tt.fails || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

// TestDeadline: a time limit is named as such.
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	got, err := logs.Whole(ctx, sequence(1), func(int) (logs.Answer, error) { return logs.Answer{}, ctx.Err() })
	if err != nil || !strings.Contains(got.Detail, "time limit") || got.Linearizable || got.Violation != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}
