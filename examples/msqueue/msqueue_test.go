package msqueue

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/queue"
)

// ADTTEST_BUDGET=10m makes these tests long.

func TestQueue(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{New: New, Theory: "../queue/queue.theory.yaml", Budget: 300 * time.Millisecond})
}

func TestQueuePaused(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		New:       func() *Queue { return Paused(New(), adttest.Yield) },
		Reference: queue.Spec,
		Budget:    300 * time.Millisecond,
	})
}
