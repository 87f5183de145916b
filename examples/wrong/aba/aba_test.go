package aba

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/wrong/replays"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestStack has a failure come with an interleaving that repeats.
func TestStack(t *testing.T) {
	testsize.NeedsLong(t)
	pause = adttest.Yield
	replays.Check(t, adttest.Config{New: New, Theory: "../../stack/stack.theory.yaml", Budget: time.Minute}, "compare and swap")
}
