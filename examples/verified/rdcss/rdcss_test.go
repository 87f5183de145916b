package rdcss

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/verified/cas"
)

// ADTTEST_BUDGET=10m makes this test long.

func TestCells(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		Budget:    100 * time.Millisecond,
		New:       func() *Cells { return New(1, 1) },
		Reference: func() *cas.Controlled { return cas.NewControlled(1, 1) },
	})
}
