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
// an annotation that is wrong; another execution, in which somebody looks at
// that moment, tells them apart.
//
// Twelve defects of three small types (counters under two locks, a queue under
// one, a lock-free stack), 30 executions each with three threads: how many are
// found, and what is blamed.
//
//	defect            I/O  view  to blame
//	lost update        17    17  implementation
//	check then act      9     9  implementation
//	stale read         30    30  implementation
//	missing write       0    30  state
//	early commit       17    30  annotation
//	late commit        14    30  annotation
//	no Begin            0    19  annotation
//	torn put           22    30  implementation 44, annotation 8
//	swapped places     30    30  annotation
//	ABA                 6     6  implementation
//	double pop         30    30  implementation 58, annotation 1, state 1
//	lost push          14    14  implementation
//
// "Swapped places" is a queue that commits before it takes its lock. The types
// without a defect raise no alarm in 500 executions each.
//
// # How soon
//
// The multiset that does not insert the second copy of a value, with two threads
// that insert, look up and remove three values at random, 200 executions:
//
//	mode    shows at                          operations called in between
//	view    the commit that loses the copy    0
//	I/O     a later lookUp or remove          median 14, one in ten more than 37
//
// The B-link tree of package examples/blinktree, with three threads that insert,
// delete and look up 20 keys at random, 100 operations each, while a compressor
// merges leaves, 200 executions:
//
//	mode    defect                      shows at                operations called in between
//	view    a pair in the wrong leaf    the insert              0
//	view    two pairs for one key       the second insert       0
//	view    a merge that loses pairs    the merge               0
//	I/O     a pair in the wrong leaf    a lookup or delete      median 34, one in ten more than 144
//	I/O     two pairs for one key       a lookup or delete      median 67, one in ten more than 208
//	I/O     a merge that loses pairs    a lookup or delete      median 6, one in ten more than 59
//
// What view refinement found in these executions I/O refinement did not find at
// all in 15 of 199, 53 of 163, and 20 of 35. A lookup that does not follow a right
// link spoils nothing: both modes find it at the lookup itself.
//
// # Cost
//
// Check takes about 0.25 us for an operation, and 0.7 us where all commits have
// brackets that overlap: then they are tried in every order that the brackets allow,
// and when a step fails the checker goes back to the latest choice.
package refine
