// Package reasons says on one page what a theory means: at most seven sentences in an
// engineer's words, each with its smallest example. All of it follows from the theory, and
// an example that the theory decides otherwise than the sentence says is not shown.
//
//	p := reasons.Of(t)  // p.Shape: "FIFO, at most 100"
//
//	patterns.go   what patterns say together: order, emptiness, origin
//	claims.go     what is asked of a theory, so that nothing is said that it does not hold
//	finishers.go  what comes once for each value that was taken
//	phases.go     automata: what is answered when
//	lists.go      automata that hold values in order
//	caches.go     automata that hold a value for each of so many keys
//	limits.go     automata whose locations only count: "at most 10"
//	methods.go    automata with one location: what each method answers, and why
//	values.go     names for values: a value has one, and no key has a value's
package reasons
