package treiber

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/stack"
)

// ADTTEST_BUDGET=10m makes the first three tests long.

func TestStack(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: New, Theory: "../stack/stack.theory.yaml"})
}

func TestStackPaused(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		New:       func() *Stack { return Paused(New(), adttest.Yield) },
		Reference: stack.Spec,
	})
}

func TestTagged(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: func() *Tagged { return NewTagged(adttest.Yield) }, Theory: "../stack/stack.theory.yaml"})
}

// TestReusing finds what is wrong with using nodes again.
func TestReusing(t *testing.T) {
	t.Parallel()
	f, err := adttest.Find(t.Context(), adttest.Config{
		New:    func() *Stack { return Paused(NewReusing(), adttest.Yield) },
		Theory: "../stack/stack.theory.yaml",
		Budget: time.Minute, // it takes seconds
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
