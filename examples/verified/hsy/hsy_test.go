package hsy

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
)

// ADTTEST_BUDGET=10m makes this test long.

func TestStack(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: New, Theory: "../../stack/stack.theory.yaml", Budget: 100 * time.Millisecond})
}
