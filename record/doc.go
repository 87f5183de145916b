// Package record records what goroutines do with a concurrent object, and checks
// that it refines a data type: along the order in which operations take effect,
// off line or while the program runs ("Runtime refinement checking").
//
// Each goroutine has a Handle and tells it what happens:
//
//	rec := record.New(record.Options{Object: "stack"})
//	push := rec.Method("push")
//	h := rec.Handle("worker 1")
//
//	h.Call(push, record.Int(7))
//	for {
//		h.Begin()
//		n.next = top.Load()
//		if top.CompareAndSwap(n.next, n) {
//			break
//		}
//	}
//	h.Commit()              // the push took effect since the last Begin
//	h.Return(record.None)
//
// A goroutine that is done gives its handle back with Close, and the next one takes
// over the memory, so that there may be a goroutine for each request.
//
// Calls and returns alone are an execution for the engines of package check:
//
//	e, err := rec.Execution()
//
// With a Commit in every operation, a Spec decides without searching; with
// writes and locks recorded, too, a view finds broken state before any result
// shows it:
//
//	l, err := rec.Log()
//	r, err := record.CheckIO(ctx, l, config)      // results along the commit order
//	r, err = record.CheckView(ctx, l, config)     // and equal views at every commit
//	w, err := record.Watch(rec, config, options)  // either, while the program runs
//
// A log whose end is missing is inconclusive unless there is a violation in what is
// there: because the program was killed, entries were dropped, or one was not
// published. So is one without operations.
//
// Package examples/multiset is a whole example, and examples/blinktree a larger one.
//
//	type          is
//	Recorder      the record of one object
//	Handle        a goroutine's way to record
//	Value         an argument, result or contents of a variable, without boxing
//	Log           what was recorded, in one order; written and read in binary form
//	Streamer      writes the log to a file while it grows
//	Spec          the data type as a state machine
//	Reference     a Spec that runs a reference implementation
//	Replay        a Spec that runs one in another process, along one log
//	Model         a Spec that is an executable model of internal/engine/wgl
//	Bag, Item     a view
//	Memory        the recorded variables and locks, for the implementation's view
//	Config        what to check against
//	Watcher       checks on line, and tells how far behind it is
//	Result        verdict, place, reason, and what is to blame
//	UseError      a mistake in recording, with the operation
//
// # Where commits belong
//
// An operation takes effect at one moment between its call and its return, and
// passes exactly one Commit. Under a lock, Commit is recorded while the lock is
// held, and so are writes. With several locks, operations under different ones
// commit between each other's writes and commits, and their views would differ:
// there, Begin is recorded before the first write, so that writes count from the
// moment at which the operation takes effect; or the view reads what other locks
// protect with Memory.Guarded. A compare-and-swap and its log entry are two steps,
// so Begin and Commit stand around it; the swap happened in between. Commits
// whose brackets do not overlap have one order. Those that do are tried in every
// order the brackets allow before anything is called a violation: when a step
// fails the checker goes back to the latest choice. Writes between Begin and
// Commit take part in the commit wherever it is placed.
//
// Operations of observer methods need no commit. Their result must fit one of the
// states from their call to their return.
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
// A recorded event takes the next number of one atomic counter and 32 bytes in
// memory of the handle. Measured with CPU time on two cores of an AMD EPYC: an
// operation with call, commit and return 20 to 25 ns, a write 8 to 17 ns, no
// allocations; new memory costs up to 100 ns more for each operation where the
// operating system has to find it (Options.Reserve). With two goroutines and
// operations of 100 ns the log costs a quarter of what one behind a mutex does.
// The off-line I/O checker takes about 0.25 us for an operation, and 0.7 us where
// all commits have brackets that overlap.
//
// Built with the tag adtinfer_norecord the methods of Handle are empty, and logs
// are inconclusive.
package record
