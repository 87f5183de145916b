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
//
// # What happened before
//
// A Past knows which accesses to memory happened before what each thread does next, by the
// memory model of Go: what vector clocks know, without counting.
//
// Only accesses that some thread does not know of are kept: whoever knows of an access, and accesses
// the same word, is ordered after it. A synchronization operation leaves what its thread knows in a
// token, a place in memory, or takes from there what others have left.
//
//	Past     the accesses that are kept, and who knows of them
//	Access   words that were read or written
//
// Of two accesses to a word by which a thread that knows of the first one makes the second, only the
// second is kept, if all that conflicts with the first conflicts with it: what is ordered after
// the second is ordered after the first.
//
// # Endless rounds
//
// A Watch finds out that instructions go round for ever, though what they compute changes.
//
// A loop that appends to a slice never comes back to a state in which it was, nor does a recursion
// whose argument counts. But where control goes from a place on may depend on little: on some registers
// and words of memory, which are the inputs of a round. A Watch follows the instructions of one
// thread from a place until it comes there again. For each value it notes which inputs it was computed
// from; those of conditions, addresses, and of all that may panic decide. If what decides has the
// values that it had, the next round goes the same way, and ends with them again: so there is no end.
//
//	w.Begin(...)      at a place: the head of a loop, or the begin of a function
//	w.Does(...)       before each instruction
//	w.Enter(...)      a call has made its registers
//	w.Returned(...)   a call has returned
//	w.Again(...)      there again: does it go on for ever?
//
// # What is written where
//
// Objects that a round makes have other names in the next one, which changes nothing: instructions do not see names.
// All loads and stores are at addresses that decide, so they are the same in each round. Only an append may go
// on behind what the last round has appended. Its slice has to be what it was at the begin, or what such an append
// has made of it; then it writes to the same object or to new ones, and nothing may be loaded from these.
//
// # Arithmetic
//
// Words are computed with as Go computes with numbers and strings: wrapping, rounding, and
// the texts of its panics. The functions are pure, but for the numbers of new
// strings.
//
//	Binary, Unary, Shift, Convert   numbers
//	Strings, Substring, CharAt      strings, by their number or text
//	NextRune, Text                  their runes and bytes
//	OutOfRange, SliceBounds         what panics say
package machine
