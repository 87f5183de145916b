// Package explore decides what can happen in an ordinary Go package: it runs every
// interleaving of a few goroutines with a few operations each, and says whether all of
// them are linearizable.
//
//	func TestStack(t *testing.T) {
//		explore.Test(t, explore.Options{Dir: ".", Type: "Stack"})
//	}
//
// The package is explored as it is. Its exported methods are the operations, found by
// the rules of package reference; what they are held against is a theory, a reference, a
// built-in model, or what the package itself does when its operations run one after
// the other. Beside the histories Run finds data races, deadlocks, livelocks, panics of
// goroutines, misuse of locks.
//
// With Options.Policy the package's directives (//lin: comments) are checked: each operation takes effect
// where the code announces it. What is found is told to be a fault of the algorithm or of
// its policy. Options.AnyThreads has the policy proved for any number of goroutines and operations.
//
// The answer is about all interleavings within the bounds, and exact: sequential
// consistency is what Go promises to programs without races, and a package with a race
// never holds. Operations that reach what cannot be explored are left out, and the result says so; if the
// constructor does, the package is refused, with the place.
//
// A test of package adttest that imports this package has its failures explained: by an interleaving that has the
// recorded history, which Replay repeats.
//
//	type             is
//	Options          which package, against what, within which bounds
//	Result           the verdict, and what it rests on
//	Verdict          Holds, Violated, WrongPolicy, Racy, Proved, ...
//	Bounds           goroutines, operations of each, values
//	Counterexample   a shortest interleaving: events, history, replay string, Go test
//	Event            a line of it
//	Refused          a package that cannot be explored, and why
//	Mutant           a wrong version of the package, and which bounds see it
//	CommitReport     how a package records, looked at without running it
package explore
