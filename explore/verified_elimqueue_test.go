package explore_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const eliminationQueue = "examples/verified/elimqueue"

func init() { theories[eliminationQueue] = "queue/queue" }

func TestEliminationQueue(t *testing.T) {
	t.Parallel()
	holdsWith(t, eliminationQueue, []atMost{{bounds(2, 2, 2), 3_393}, {bounds(3, 1, 2), 4_103}, {bounds(3, 2, 1), 3_478_270}})
}

// An enqueue and a dequeue meet after one enqueue has been faster, and the dequeue has
// helped it: that takes three goroutines.
var eliminationQueueMutants = []mutantAt{
	{mutant{eliminationQueue, "too young a value is taken", []string{"q.head.Load().number < other.after || ", ""}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationQueue, "all nodes have one number", []string{"tail.number + 1", "tail.number"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationQueue, "a value is taken without asking", []string{" || !slot.CompareAndSwap(other, nil) {", " || slot.Swap(nil) == mineOnly {", "// accept takes", "var mineOnly = &offer{}\n\n// accept takes"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationQueue, "a value that is offered stays", []string{" || !slot.CompareAndSwap(other, nil) {", " {"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationQueue, "withdrawn without asking", []string{"return !slot.CompareAndSwap(mine, nil)", "slot.Store(nil)\n\treturn false"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationQueue, "always taken", []string{"return !slot.CompareAndSwap(mine, nil)", "slot.Store(nil)\n\treturn true"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{eliminationQueue, "a full slot counts as taken", []string{"if !slot.CompareAndSwap(nil, mine) {\n\t\treturn false", "if !slot.CompareAndSwap(nil, mine) {\n\t\treturn true"}, explore.Violated}, bounds(3, 2, 1)},
	{mutant{eliminationQueue, "a new element overwrites", []string{"if tail.next.CompareAndSwap(nil, n) {", "if tail.next.Store(n); true {"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{eliminationQueue, "a value leaves without asking", []string{"case q.head.CompareAndSwap(head, next):", "default:\n\t\t\tq.head.Store(next)"}, explore.Violated}, bounds(2, 2, 1)},
	{mutant{eliminationQueue, "always empty", []string{"case next == nil:", "case next == nil || true:"}, explore.Violated}, bounds(2, 1, 1)},
	{mutant{eliminationQueue, "nobody moves the tail", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) // if that fails, others have done it\n", "", "\tq.tail.CompareAndSwap(tail, next)\n", ""}, explore.Livelocked}, bounds(2, 1, 1)},
	// An offer that is overwritten is never taken, but who has made it believes that it is.
	{mutant{eliminationQueue, "an offer overwrites", []string{"if !slot.CompareAndSwap(nil, mine) {", "if slot.Store(mine); false {"}, explore.Violated}, bounds(3, 2, 1)},
	// Without a partner there is the queue.
	{mutant{eliminationQueue, "nothing is old enough", []string{"q.head.Load().number < other.after || ", "true || "}, explore.Holds}, bounds(3, 1, 2)},
	// Whoever needs the tail moves it on.
	{mutant{eliminationQueue, "the tail is left to others", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) // if that fails, others have done it\n", ""}, explore.Holds}, bounds(2, 2, 2)},
}

func TestEliminationQueueMutants(t *testing.T) {
	t.Parallel()
	decided(t, testsize.Some(eliminationQueueMutants, 8))
}
