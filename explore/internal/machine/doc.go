// Package machine runs a program in threads, one step at a time, and writes the
// states between them in a canonical form: states that differ in the names of
// objects and threads, or in garbage, are the same bytes.
//
// A step of a thread is plain accesses to memory that others see, then one
// synchronization operation, then whatever follows that others do not see. A
// call belongs to the step of its first access, a return to that of its last, so
// operations overlap as little as they can. Others do not see registers,
// objects that only one thread reaches, and words that nobody writes once they
// are shared: a word that is written after all is noted in Shared, and the exploration
// starts again (ErrAgain).
//
// A go statement ends the part of a step in which others see what a thread does, as a
// synchronization does. A thread that finds nobody at a channel without a buffer parks
// there, which is a step: whoever comes later takes the value or gives it, and lets it go
// on. So a select statement with a default sees whether somebody waits. Who waits for a
// mutex, or at a channel with a buffer, is not seen, and has no step until it may go on.
//
//	shared, err := machine.New(ctx, program, bounds, options)
//	m := shared.Machine()                         // one for each goroutine
//	err = m.Expand(shared.Start(), func(s *machine.Step) error { ... s.Next ... })
//
//	Bounds   how many threads, operations, and which calls
//	Shared   what the machines of one exploration have in common
//	Machine  expands states
//	Step     what a thread did, and the state after it
//	Fault    what must not happen: a race, a panic, an unlock of what is not locked
//	Result   what an operation answered
package machine
