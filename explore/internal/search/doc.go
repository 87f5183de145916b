// Package search explores all states of a program breadth first, and decides.
//
// A state is what a Machine wrote, in its canonical form, and the number of a set of
// configurations (package linear): together they are all that the future depends
// on. Each is expanded once; a path to the first violation is as short as any.
//
//	Problem   what is explored: machines, sets, answers
//	Options   with how many workers, how much memory
//	Search    an exploration; New, Resume, Run, Save
//	Result    what was found, and how far it went
//	Finding   a violation, and the moves that lead to it
//
// # Order
//
// States are numbered in the order in which they are found. Workers expand the states of a
// level in blocks of fixed size into buffers of their own, and one goroutine inserts
// the blocks in order while the next ones are expanded: it alone touches the table, the sets
// and the frontier. So numbers, counts and findings do not depend on how many workers
// there are.
//
// # Cost
//
// Expected time is constant for each step of the program besides the machine's and the sets'
// own: one hash of the state's bytes, one look into the table. Memory for each state
// is 16 bytes of hash and 4 of its number, at a load of 0.4 to 0.8, its parent and its move
// (4 each), 4 for each further state that is one step away, and two bits; and its bytes as
// long as it waits to be expanded. Everything grows in chunks: nothing is doubled
// and copied as a whole.
//
// States are told apart by 128 bits of hash: at a billion states the probability that any two
// are taken for one is 2^-69.
//
// # What is decided
//
// A violation is a return that leaves no configuration, or what a monitor (package monitor)
// refuses, a fault of the machine, a state without
// a step in which operations wait that may not wait (a deadlock), or a state from which no
// step leads to an end (a livelock). An end is a state in which all operations have
// returned, or in which those that are left may wait by the specification for ever: the
// set has a configuration in which none of them can take effect. An operation that has yet
// to be called and whose first step is not possible waits too, whichever it is. For
// livelocks the steps between states are kept, and looked at backwards in the end.
//
// What a monitor refuses counts once nothing that was guessed is yet to turn out: until then
// the exploration goes on without the monitor, as a wrong guess may be to blame.
// A state in which a step is left out, because it shows that something was guessed wrong, is no
// deadlock, and counts as an end: what would have become of it is explored with the right guess.
// A state without any way to it is a livelock whatever was guessed.
//
// # What is not done
//
// Sleep sets would leave out steps that lead to states which other orders of the same steps
// reach. With an independence that cannot be better (both orders lead to the same state and the
// same set), and one word of threads for each state, 70 to 90 % of the steps are left, and
// all states: on seven sets, queues and stacks at 2 threads with 2 operations, and 3 with 1 or 2.
// But races are found by comparing what the next steps of all threads access, and
// livelocks need all steps, so the steps left out would have to be made nevertheless, and
// only their forms and looks into the table be saved: a tenth of the time. It is not
// worth what it costs in memory, and in what has to be believed: together with threads
// that stand for others of the same form, some states were missed.
//
// Threads that are in the same local state could be exchanged in the sets; that would save less
// than one state in a hundred.
//
// # One operation at a time
//
// Explore runs a program while its operations are called one at a time.
//
// A call comes only where nothing else can happen: the goroutines have ended, wait, or spin in a loop that
// nothing leaves. Such a state is quiescent; operations that wait in it go on when later calls let them. So the
// states are few, and the exploration often comes to an end by itself, for any number of calls. What it ends
// without is known of all runs in which calls come like this:
//
//	an operation that waits, and that no later calls let return
//	a goroutine that no later calls let go on, after its operation has returned
//	what operations answer and change
//
// Explore makes a Graph; Graph.Lost, Graph.Leaks and Graph.Seen ask it.
//
// # Waiting operations
//
// Each operation that waits takes a thread. A call that does nothing but wait, while another operation does, is
// left out: whatever it does later, it can do if it is called only then. A state in which all threads
// wait, or that was not reached before the limit, is open: of it all is possible.
package search
