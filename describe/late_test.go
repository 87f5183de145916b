package describe_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

func seen(id int, found bool) history.Label {
	o := history.False
	if found {
		o = history.True
	}
	return history.Label{Kind: history.Kind{Method: "seen", Outcome: o}, Args: []history.Value{history.Value("v" + strconv.Itoa(id))}}
}

// TestWindow: a window of n values forgets the first after n more, and no description may
// say that it does not.
func TestWindow(t *testing.T) {
	for _, n := range testsize.Some([]int{16, 3, 4, 5, 20}, 5) {
		th, impl, err := infer(t, func() *window { return &window{n: n} }, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 16, Words: 2_000}})
		if err != nil {
			t.Fatal(err)
		}
		var right []history.Label
		for i := range n + 1 {
			right = append(right, seen(i, false))
		}
		for _, found := range []bool{false, true} {
			c, err := check.New(th, check.Options{Reference: impl})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Check(t.Context(), history.Sequential(append(right[:n+1:n+1], seen(0, found))...))
			if err != nil || (got.Verdict == check.Violation) != found {
				t.Errorf("window of %d, by %s: the first value is found again: %t: %v, %v", n, descriptions(th), found, got.Verdict, err)
			}
		}
	}
}

// notices counts what Wait takes.
type notices struct{ n int }

func (s *notices) Notify() { s.n++ }
func (s *notices) Wait() {
	if s.n == 0 {
		panic(reference.Blocked)
	}
	s.n--
}

// TestReadBack: an operation without results that may wait has an outcome, so that the
// theory can be read.
func TestReadBack(t *testing.T) {
	th, _, err := infer(t, func() *notices { return &notices{} }, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 4, Words: 500}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range th.Spec.Methods {
		if len(m.Outcomes) != 1 {
			t.Errorf("%s has outcomes %v", m.Name, m.Outcomes)
		}
	}
	if len(th.Status.NotCovered) > 0 {
		t.Errorf("not covered: %q", th.Status.NotCovered)
	}
}

// meeting lets those go on who come together.
type meeting struct{ waits bool }

func (m *meeting) Arrive()     { m.waits = true; panic(reference.Blocked) }
func (m *meeting) Empty() bool { return !m.waits }

// TestTogether: of operations that wait for each other sequential runs show nothing.
func TestTogether(t *testing.T) {
	_, _, err := infer(t, func() *meeting { return &meeting{} }, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 4, Words: 500}})
	var no *matching.Unsupported
	if !errors.As(err, &no) || !strings.Contains(err.Error(), "arrive waits for ever") || !strings.Contains(err.Error(), "operations that need each other") {
		t.Error(err)
	}
}

// expiring takes the time as an argument, and reckons with it.
type expiring struct{ m map[string][2]int }

func (c *expiring) Set(k string, v, now, ttl int) { c.m[k] = [2]int{v, now + ttl} }
func (c *expiring) Get(k string, now int) (int, bool) {
	e, ok := c.m[k]
	if !ok || now >= e[1] {
		return 0, false
	}
	return e[0], true
}

// TestLimited: where time is limited the reference itself is left, and the theory says
// what was given up for it.
func TestLimited(t *testing.T) {
	testsize.NeedsLong(t)
	impl, err := reference.Of(func() *expiring { return &expiring{map[string][2]int{}} })
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	th, err := describe.Infer(ctx, impl, reference.Info{}, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 4, Words: 500}})
	if err != nil || th.Spec.Headline() != theory.ByModel {
		t.Fatal(err)
	}
	t.Log(th.Status.Tried)
}

// TestComputes: a quota computes with values, so that its states with a few of them say
// nothing about the rest.
func TestComputes(t *testing.T) {
	th, _, err := infer(t, func() *quota { return &quota{n: 100} }, describe.Options{Model: itself, As: theory.ByCounters, Judge: &judge.Options{LongRuns: 4, Words: 500}})
	if err != nil {
		t.Fatal(err)
	}
	if e := th.Status.Automaton; e.States > 0 || !strings.Contains(e.Why, "depend on the integers") {
		t.Errorf("%+v", e)
	}
}
