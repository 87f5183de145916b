// Package views proves that a program is linearizable by its policy for any number of threads and
// operations, on heaps as they are: with the values that its calls have.
//
// A view is what remains of a state if one thread is kept: what the roots reach, and the thread with
// what it reaches besides; the state of the observer; and what the monitor knows of the thread.
// The views of all states that any number of threads reach are computed, or more of them: a view makes the steps of its own thread, and
// is changed by the steps of the threads of other views that have the same observer and the same
// global part. What such a step does is an action (machine.Action); as many views do the same, there
// are far fewer actions than views.
//
//	p, err := views.New(views.Problem{Shared: shared, Observer: observer, Answer: answer}, views.Options{})
//	result, err := p.Run(ctx)
//
//	Problem   what is to be proved
//	Observer  the specification, as the operations are announced
//	Proof     the views that were found
//	Result    whether it is proved, else why not
//
// # Why two threads are enough
//
// The observer and the global part are all that threads share. A step of a thread depends on
// its own view; what it does to a third one is the same whatever else there is. A message reaches many
// threads at once: where the announcement of one that receives it moves the observer, the action is applied again,
// with any number of such moves before and after each thread's own (Lemma 2 of "Automated
// verification of linearization policies" is the case that there are none).
//
// Objects that no root reaches any more may be in the views of several threads. Which of them are the
// same a view does not say: an action is applied in all ways that are possible.
//
// Not proved does not mean wrong: a view may be of no state. Only a bounded exploration finds
// violations.
package views
