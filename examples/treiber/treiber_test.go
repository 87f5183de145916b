package treiber

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// budget is the time of the first three tests; ADTTEST_BUDGET=10m makes them long.
func budget() time.Duration {
	if testsize.Long() {
		return time.Second
	}
	return 100 * time.Millisecond
}

func TestStack(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: New, Theory: "../stack/stack.theory.yaml", Budget: budget()})
}

func TestStackPaused(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		New:       func() *Stack { return Paused(New(), adttest.Yield) },
		Reference: stack.Spec,
		Budget:    budget(),
	})
}

func TestTagged(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: func() *Tagged { return NewTagged(adttest.Yield) }, Theory: "../stack/stack.theory.yaml", Budget: budget()})
}

// TestReusing finds what is wrong with using nodes again.
func TestReusing(t *testing.T) {
	t.Parallel()
	f, err := adttest.Find(t.Context(), adttest.Config{
		New:    func() *Stack { return Paused(NewReusing(), adttest.Yield) },
		Theory: "../stack/stack.theory.yaml",
		Budget: time.Minute, // it takes seconds
		Shrink: time.Second,
		Dir:    t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if f == nil || f.Kind != adttest.Violation {
		t.Fatalf("the defect was not found; got %v", f)
	}
	t.Log(f)
	if n := len(f.Explanation.Execution.Ops); n > 12 {
		t.Errorf("the history has %d operations, more than a person reads", n)
	}
}

// TestReusingUnpaused finds it without the hook, in scenarios that try little
// else. What has to happen in a few nanoseconds happens when the scheduler stops
// a Pop just there: after some seconds or a minute, so that the test is one for
// the night.
func TestReusingUnpaused(t *testing.T) {
	testsize.NeedsNightly(t, "takes many minutes")
	f, err := adttest.Find(t.Context(), adttest.Config{
		New:       NewReusing,
		Theory:    "../stack/stack.theory.yaml",
		Scenarios: []adttest.Scenario{reuse(3, 1), reuse(2, 2)},
		Fixed:     true,
		Budget:    10 * time.Minute,
		Dir:       t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if f == nil || f.Kind != adttest.Violation {
		t.Fatalf("the defect was not found; got %v", f)
	}
	t.Log(f)
}

// reuse is a scenario of threads that pop two values and push one, which takes a
// node that was popped, some times.
func reuse(threads, times int) adttest.Scenario {
	value := 0
	push := func() adttest.Call {
		value++
		return adttest.Do("Push", value)
	}
	pop := adttest.Do("Pop")
	s := adttest.Scenario{Before: []adttest.Call{push(), push(), push()}, After: []adttest.Call{pop, pop, pop}}
	for range threads {
		var calls []adttest.Call
		for range times {
			calls = append(calls, pop, pop, push())
		}
		s.Threads = append(s.Threads, calls)
	}
	return s
}
