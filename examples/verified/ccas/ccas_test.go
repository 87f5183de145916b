package ccas

import (
	"testing"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/verified/cas"
)

// ADTTEST_BUDGET=10m makes this test long.

func TestCell(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		New:       func() *Cell { return New(1) },
		Reference: func() *cas.Flagged { return cas.NewFlagged(1) },
	})
}
