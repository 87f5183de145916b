package treiber

import (
	"testing"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/stack"
)

// ADTTEST_BUDGET=10m makes these tests long.

func TestStack(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: New, Theory: "../stack/stack.theory.yaml"})
}

func TestStackPaused(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		New:       func() *Stack { return &Stack{pause: adttest.Yield} },
		Reference: stack.Spec,
	})
}
