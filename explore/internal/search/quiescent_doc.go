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
