// Package matching finds the matching scheme of a reference, checks what the search for
// patterns relies on, and has what inference may say against a scheme, or
// against a reference seen through one.
//
// A matching scheme <M, R> ("Symbolic ADT inference" §3) maps an operation to its
// match target and says which operations are read-only. It is a function of
// labels alone: a checker has to know the matching before it knows the order.
// Inference relies on two properties of it, which it checks on all executions
// up to a length:
//
//	t, err := patterns.Infer(ctx, impl, info, patterns.Options{Checks: matching.DefaultBudget})
//	var witness *matching.Unfaithful
//	if errors.As(err, &witness) {
//		fmt.Println(witness.Admitted, witness.Rejected)
//	}
//
//	Budget       how many executions the checks look at
//	Unfaithful   error: one history, two answers
//	NotNormal    error: a removal that is not admitted
//	Foreign      error: a value that nobody passed in
//	Ambiguous    error: two match targets for one operation
//	NotClosed    error: a match target that is not its own
//	Late         error: a longer execution shows what shorter ones did not
//	Unsupported  error: a scheme or reference that inference cannot handle
//
// # A reference under a scheme
//
// A Model relates executions of a reference to histories: which
// operations belong together, which are read-only, and whether that loses
// anything.
//
//	m, err := Explore(ctx, impl, rules, 0) // which kinds of operations occur
//	m, err = m.With(scheme)                // seen through a matching scheme
//	report, err := m.Faithful(ctx, matching.DefaultBudget)
//	report, err = m.Normal(ctx, matching.DefaultBudget)
//
// Executions are sequences of label numbers. Formulas are evaluated once for
// each pair of labels; after that the matching of an execution is table look-ups.
//
//	Model      a reference in a language, and under a scheme
//	Scheme     the matching as tables
//	Language   the executions that are considered
//	Realizer   from a history back to the most general execution that has it
//
// A deterministic reference is explored by running it, a nondeterministic one by
// asking it about every label. Calls are run once up to renaming of values;
// Independent checks that names do not matter.
//
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
//
// # Files, from the top down
//
//	synthesis.go    one language after the other, until a scheme passes its checks
//	languages.go    which are tried; predicates.go, over which predicates
//	sample.go       executions, admitted and not; constraints.go, what they say of a scheme
//	solve.go        the best scheme of all that fit; decode.go and cover.go, it as formulas
//	failure.go      why there is none
//	model.go        a reference in a language; scheme.go, a matching as tables
//	checks.go       faithful, normal, closed; beyond.go, what lies outside the language
//	realize.go      from a history back to an execution
//	replayer.go     asks the reference; acceptor.go, if it only accepts; calls.go, what it was asked
//	errors.go       what may be said against a scheme
package matching
