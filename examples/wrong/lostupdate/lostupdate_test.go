package lostupdate

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/wrong/replays"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

type plain struct{ n int }

func (p *plain) Inc()     { p.n++ }
func (p *plain) Get() int { return p.n }

// TestCounter has a failure come with an interleaving that repeats. Its object has no constructor but the test's.
func TestCounter(t *testing.T) {
	testsize.NeedsLong(t)
	pause = adttest.Yield
	replays.Check(t, adttest.Config{
		New:       func() *Counter { return &Counter{} },
		Reference: reference.Spec{Name: "counter", New: func() *plain { return &plain{} }},
		Budget:    time.Minute,
	}, "lostupdate.go")
}
