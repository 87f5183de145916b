package nolock

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/wrong/replays"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestQueue has a failure come with an interleaving that repeats.
func TestQueue(t *testing.T) {
	testsize.NeedsLong(t)
	pause = adttest.Yield
	replays.Check(t, adttest.Config{New: New, Theory: "../../queue/queue.theory.yaml", Budget: time.Minute}, "nolock.go")
}
