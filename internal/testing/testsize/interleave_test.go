package testsize_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func trace(choose func(int) int) []string {
	var steps []string
	thread := func(name string, n int) func(func()) {
		return func(yield func()) {
			for i := range n {
				steps = append(steps, fmt.Sprint(name, i))
				yield()
			}
		}
	}
	testsize.Interleave(choose, thread("a", 2), thread("b", 3))
	return steps
}

func TestRun(t *testing.T) {
	first := func(int) int { return 0 }
	if d := cmp.Diff([]string{"a0", "a1", "b0", "b1", "b2"}, trace(first)); d != "" {
		t.Error(d)
	}
	last := func(n int) int { return n - 1 }
	if d := cmp.Diff([]string{"b0", "b1", "b2", "a0", "a1"}, trace(last)); d != "" {
		t.Error(d)
	}
}

// TestRepeats checks that equal seeds give equal interleavings and that seeds
// reach all ten.
func TestRepeats(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		choose := func() func(int) int { return rand.New(rand.NewPCG(seed, 0)).IntN }
		a, b := fmt.Sprint(trace(choose())), fmt.Sprint(trace(choose()))
		if a != b {
			t.Fatalf("seed %d: %s and %s", seed, a, b)
		}
		seen[a] = true
	}
	if len(seen) != 10 {
		t.Errorf("%d interleavings of 2 and 3 steps, want 10", len(seen))
	}
}

func TestPanic(t *testing.T) {
	defer func() {
		if p := recover(); p != "no" {
			t.Errorf("recovered %v", p)
		}
	}()
	testsize.Interleave(func(int) int { return 0 }, func(func()) { panic("no") })
}
