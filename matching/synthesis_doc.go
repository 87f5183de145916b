// # Synthesis
//
// Synthesize finds how the operations of a data type belong together,
// from nothing but a reference implementation ("Symbolic ADT inference" §8): the
// language, the read-only operations and the matching scheme.
//
//	r, err := Synthesize(ctx, impl, Options{})
//	r.Language[0].Reading                    // each value is passed to add at most once
//	formula.String(r.Matching.Target[0])     // method(y) = add & arg(y) = ret(x)
//
// A scheme is a Boolean function of predicates on two operations. There is one
// propositional variable for each valuation of the predicates that occurs, and
// constraints from executions, each with a name:
//
//	unique      no operation has two match targets, in any execution of the language
//	closed      a match target is its own match target
//	match       what is removed from an admitted execution is no match, if the rest
//	            is not admitted
//	unmatched   nor is it all unmatched
//	duplicate   nor is it a duplicate
//	faithful    an admitted execution and one that is not have different histories
//
// The first five come from all executions up to a small length. Three departures
// from the paper make them strong enough: uniqueness is asked of executions that
// are not admitted, too, or the mirror image of a queue passes, in which an add
// maps to its remove; without closed and unmatched the scheme that matches
// nothing is always a model; and where the predicates distinguish an operation from its
// double, an operation is its own target only if no other is.
//
// Among the models the one is taken that matches most operations of admitted
// executions and beyond that as few pairs as possible, written as a small
// two-level form. It is then verified, faithful and normal, and a witness
// against it becomes a further constraint (the faithful ones all do). No solver
// is trusted: a scheme that fails verification is never returned.
//
//	Options     what is given: language, predicates, solver, bounds
//	Predicate   a formula over x, the operation, and y, its would-be target
//	Result      language, matching scheme, read-only kinds, statistics
//	None        the error of a reference without a scheme: what contradicts what
//	Failure     why one language has none
//
// The languages tried, in this order: all executions; each value brought in at
// most once by some operations with a given answer, few such kinds before many;
// each value passed at most once to some methods. A language that leaves out a
// kind of operation altogether is passed over.
package matching
