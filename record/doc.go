// Package record records what goroutines do with a concurrent object: calls and
// returns, and, for package refine, where operations take effect and what they write.
// A program that imports it links the standard library and a few small packages; no
// checker.
//
// Each goroutine has a Handle and records with it what happens:
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
//	l, err := rec.Log()
//	e, err := l.Execution()
//
// A long recording is written to a file while it goes on, and read from there:
//
//	stop, err := rec.Stream(file, 0)
//	l, err := record.ReadBinary(file, "run.bin")
//
// With commits, and with writes and locks, package refine checks that the object
// refines a data type.
//
//	type                       is
//	Recorder                   the record of one object
//	Options                    its name, and a limit of memory
//	Handle                     a goroutine's way to record
//	Method, Outcome, Variable  numbers of names
//	Value                      an argument, result or contents of a variable, without boxing
//	Write                      an update of a variable
//	Log                        what was recorded, in one order; written and read in binary form
//	UseError                   a mistake in recording, with the operation
//
// # Where commits belong
//
// An operation takes effect at one moment between its call and its return, and
// passes exactly one Commit. Under a lock, Commit is recorded while the lock is
// held, and so are writes. With several locks, operations under different ones
// commit between each other's writes and commits, and their views would differ:
// there, Begin is recorded before the first write, so that writes count from the
// moment at which the operation takes effect; or the view reads what other locks
// protect with refine.Memory.Guarded. A compare-and-swap and its log entry are two steps,
// so Begin and Commit stand around it; the swap happened in between. Commits
// whose brackets do not overlap have one order. Those that do are tried in every
// order the brackets allow before anything is called a violation. Writes between
// Begin and Commit take part in the commit wherever it is placed.
//
// Operations of observer methods need no commit. Their result must fit one of the
// states from their call to their return.
//
// # Cost
//
// A recorded event takes the next number of one atomic counter and 32 bytes in
// memory of the handle, 10 to 20 ns, and no allocation; docs/experiments has
// figures. New memory costs more where the operating system has to find it
// (Options.Reserve).
//
// Built with the tag adtinfer_norecord the methods of Handle are empty, and logs
// are inconclusive.
package record
