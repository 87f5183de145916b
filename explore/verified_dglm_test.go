package explore_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
)

const laggingQueue = "examples/verified/dglm"

func init() {
	theories[laggingQueue] = "queue/queue"
	mutants = append(mutants, []mutant{
		{laggingQueue, "a new element overwrites", []string{"case tail.next.CompareAndSwap(nil, n):", "default:\n\t\t\ttail.next.Store(n)"}, explore.Violated},
		{laggingQueue, "a value leaves without asking", []string{"case q.head.CompareAndSwap(head, next):", "default:\n\t\t\tq.head.Store(next)"}, explore.Violated},
		{laggingQueue, "empty if another one was faster", []string{"case head != q.head.Load(): // next may be old, too", "case head != q.head.Load():\n\t\t\treturn 0, false"}, explore.Violated},
		{laggingQueue, "the value of the wrong element", []string{"return next.value, true", "return head.value, true"}, explore.Violated},
		{laggingQueue, "always empty", []string{"case next == nil:", "case next == nil || true:"}, explore.Violated},
		{laggingQueue, "nobody moves the tail", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) // if that fails, others have done it\n", "", "\t\t\tq.tail.CompareAndSwap(tail, next)\n", ""}, explore.Livelocked},
		// What is next to an element never changes, and no element comes back while
		// somebody knows it: of an old head the compare-and-swap fails.
		{laggingQueue, "the head need not be the head", []string{"case head != q.head.Load(): // next may be old, too", "case false:"}, explore.Holds},
		{laggingQueue, "the tail need not be the tail", []string{"case tail != q.tail.Load(): // next may be old, too", "case false:"}, explore.Holds},
		// From an old tail the last element is reached all the same.
		{laggingQueue, "the tail is left to others", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) // if that fails, others have done it\n", ""}, explore.Holds},
		{laggingQueue, "the tail is moved back", []string{"\t\t\tq.tail.CompareAndSwap(tail, n) //", "\t\t\tq.tail.Store(n) //"}, explore.Holds},
		{laggingQueue, "the head may pass the tail", []string{"if tail := q.tail.Load(); tail == head {", "if tail := q.tail.Load(); false {"}, explore.Holds},
		// Who has linked an element moves the tail. Others only wait.
		{laggingQueue, "who adds does not help", []string{"case next != nil: // the tail lags behind\n\t\t\tq.tail.CompareAndSwap(tail, next)\n", "case next != nil:\n"}, explore.Holds},
	}...)
}

func TestLaggingQueue(t *testing.T) {
	t.Parallel()
	holdsWith(t, laggingQueue, []atMost{{bounds(2, 2, 2), 2_682}, {bounds(3, 1, 2), 2_008}, {bounds(3, 2, 1), 1_229_337}})
}

// atMost is how many states there are at some bounds.
type atMost struct {
	at     explore.Bounds
	states int64
}

// holdsWith sees to it that a package holds, with as many states or a fifth more. Plain
// tests leave out what has more than 10,000.
func holdsWith(t *testing.T, of string, figures []atMost) {
	for _, f := range figures {
		if tooMany(f.states) {
			continue
		}
		t.Run(fmt.Sprint(f.at), func(t *testing.T) {
			t.Parallel()
			r := run(t, explore.Options{Dir: folder(of), Theory: theoryOf(t, of), Bounds: f.at}, explore.Holds, "")
			t.Logf("%d states, %d expected", r.States, f.states)
			if r.States > f.states*6/5 {
				t.Errorf("%d states, %d expected", r.States, f.states)
			}
		})
	}
}
