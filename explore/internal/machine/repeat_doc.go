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
package machine
