package ccas

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/verified/cas"
)

// ADTTEST_BUDGET=10m makes this test long.

func TestCell(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		Budget:    100 * time.Millisecond,
		New:       func() *Cell { return New(1) },
		Reference: func() *cas.Flagged { return cas.NewFlagged(1) },
	})
}
