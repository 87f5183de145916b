package herlihywing

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
)

// ADTTEST_BUDGET=10m makes this test long.

// Dequeue waits for an Enqueue, and so there is one for each, whoever comes first.
func TestQueue(t *testing.T) {
	t.Parallel()
	add := func(v int) adttest.Call { return adttest.Do("Enqueue", v) }
	remove := adttest.Do("Dequeue")
	adttest.Run(t, adttest.Config{
		Budget: 100 * time.Millisecond,
		New:    New,
		Theory: "../../queue/queue.theory.yaml",
		Scenarios: []adttest.Scenario{
			{Threads: [][]adttest.Call{{add(1), remove, add(2), remove}, {add(3), remove, add(4), remove}}},
			{Threads: [][]adttest.Call{{add(1), add(2), remove}, {add(3), remove}, {add(4), remove, remove}}},
			{Before: []adttest.Call{add(1), add(2), add(3)}, Threads: [][]adttest.Call{{remove, add(4)}, {remove, add(5)}, {remove}}, After: []adttest.Call{remove, remove}},
		},
		Fixed:      true,
		MustReturn: true,
	})
}
