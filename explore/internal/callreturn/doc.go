// Package callreturn decides whether a history of a queue or a stack is linearizable by what is called
// and what returns, without configurations and without linearization points ("Aspect-oriented
// linearizability proofs", Henzinger, Sezgin, Vafeiadis, CONCUR 2013; "On reducing linearizability to
// state reachability", Bouajjani, Emmi, Enea, Hamza, ICALP 2015). Each value is added at most once.
//
//	o, err := callreturn.New(callreturn.FIFO, list, answers, 2)
//	state, err := o.Call(o.Start(), 0, call)
//	state, err = o.Return(state, 0, answer)     // linear.None: not linearizable
//
//	Observer  a state for each history, as search.Sets
//	Order     FIFO or LIFO
//
// A history is not linearizable if and only if one of these is in it:
//
//	VFresh   a value is removed before its addition is called
//	VRepeat  a value is removed twice
//	VEmpty   a removal finds nothing, and at each moment between its call and its return some value is there
//	VOrd     of a queue: a value is removed, and one that was added before it was called is there until then
//	         of a stack: a value is removed, and at each moment of that some value is there whose
//	         addition was called after that of the removed one had returned; or a value is added, and at
//	         each moment of that some value is there which is removed before the removal of the added
//	         one is called
//
// A value is there from the return of its addition to the call of its removal. While removals
// run it is not known which values they will have removed. So a state has, of the
// moments of each running operation, those that may yet do: which values are there, and which
// removals ran that may remove them; and of an operation that returned, too, while all
// depends on others. For stacks, the literature has the first half of VOrd; the tests show that it
// needs the second, and that both are enough: there are no differences from sets of configurations
// in all histories of 3 threads and 8 operations, 2 threads and 10, 4 threads and 6.
//
// A history in which removals run is refused at once, or when they have returned, whatever they
// answer: that there are more values to remove than removals that run is seen for each operation on
// its own.
package callreturn
