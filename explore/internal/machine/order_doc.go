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
package machine
