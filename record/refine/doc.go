// Package refine checks that a recorded object refines a data type: along the order
// in which operations take effect, when the program is over or while it runs
// ("Runtime refinement checking").
//
// With a Commit in every operation of the recording, a Spec decides without
// searching. With writes and locks recorded, too, a view finds broken state before
// any result shows it:
//
//	// counts is what a counter should do.
//	type counts struct{}
//
//	func (counts) New() int64 { return 0 }
//	func (counts) Step(n int64, op *refine.Op) (int64, bool) {
//		return n + 1, !op.Returned || op.Rets[0].Int() == n+1
//	}
//
//	rec := record.New(record.Options{Object: "counter"})
//	... // goroutines record
//	l, err := rec.Log()
//	r, err := refine.Check(ctx, l, counts{}, refine.Options{})
//	fmt.Println(r) // linearizable
//
// and while the program runs:
//
//	w, err := refine.Watch(rec, counts{}, refine.Options{OnViolation: stop})
//	... // goroutines record
//	r, err := w.Stop(ctx)
//
// A log whose end is missing is inconclusive unless there is a violation in what is
// there: because the program was killed, entries were dropped, or one was not
// published. So is one without operations.
//
// Package examples/multiset is a whole example, and examples/blinktree a larger one.
//
//	type     is
//	Spec     the data type as a state machine; NewReference makes one
//	Op       a recorded operation
//	Options  what else to compare, and how
//	Memory   the recorded variables and locks, for the implementation's view
//	Bag      a view
//	Result   verdict, place, reason, and the Blame
//	Watcher  checks a recording that goes on, and says how far behind it is
//
// # What is to blame
//
// A violation says that the commit order is no witness, which may be the fault of
// a misplaced Commit. So calls and returns alone are judged, too:
//
//	not linearizable                            the implementation is wrong
//	linearizable, in an order after which the   the annotation is wrong
//	views are equal whenever nothing runs
//	linearizable, but in no such order          state: something was lost that no
//	                                            result has shown yet, or a write is
//	                                            not recorded, or the view is wrong
//
// I/O refinement sees no views: there, linearizable means that the annotation is
// wrong. Where the views would be equal without the writes of operations that
// have not taken effect, the result says so and advises a Begin.
//
// On a single execution an implementation that is wrong for a moment looks like
// an annotation that is wrong; another execution, in which an operation looks
// at that moment, distinguishes them.
//
// docs/experiments has figures: which defects each way finds, how soon, what it
// blames, and what recording and checking cost.
package refine
