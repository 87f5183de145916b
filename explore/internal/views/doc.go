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
// # What objects say of their owners
//
// Who receives a message without being seen may move the specification or not; who owns an object that is seen
// receives it as the object says. An object that an operation owns has a mark: the call and, if a receiving rule
// asks what is owned, the state of the controller and the guesses, as at the end of each step. A rule decides by
// the call, the message, the controller and what is owned, and an operation then owns one object at most (more are
// refused): so the mark says exactly how its owner receives. What a goroutine owns it reaches until it returns, so
// a mark does not outlive the operation.
//
// In a step of view V that broadcasts, the owners of all marked objects of V that V's goroutine does not own
// receive at once, in any order, each by one of the rules enabled when the message is sent: their announcements
// follow the message, their marks change. Goroutines that V does not see receive before, between and after. Let
// the step be applied to view W, of goroutine w; where objects that no root reaches may be the same or not, both
// are tried.
//
//  1. w owns an object that V reaches: then w has received. Its controller is what the mark says after the step,
//     and the announcements for the owner of that object are w's.
//  2. Else w receives by itself, at any place among those announcements.
//  3. W has marked objects that are not V's and not w's: their owners receive, too, and the marks change. How they
//     move the specification their own views say, to which the step is applied as in 2.
//
// If V reaches w's object, and nothing became of it in the step, the step does not speak of the object. Then w
// receives as in 2, and by the same rule nothing becomes of it, either. So the real step is always among those
// that are tried. A wrong guess of an owner drops the step, as it drops the run.
//
// # What is not proved
//
// Not proved does not mean wrong: a view may be of no state. Only a bounded exploration finds
// violations.
package views
