// Package adttest tests a concurrent Go type against a specification, from go
// test: it lets goroutines call the type's methods, records what they saw, and
// checks that the data type can explain it.
//
//	func TestStack(t *testing.T) {
//		adttest.Run(t, adttest.Config{
//			New:       NewStack,   // the type under test
//			Reference: stack.Spec, // a plain implementation, or Theory: "stack.theory.yaml"
//		})
//	}
//
// Run makes up scenarios (who calls what), runs each of them many times with
// noise in the schedule, and checks every history that it has not seen yet. The
// first one that the data type does not admit ends the test: scenario and history
// are made smaller, the log is saved below testdata/adttest, and the failure shows
// the operations, the reasons, and the commands that show it again. Later runs try
// saved scenarios first.
//
// A theory finds reasons, and a reference has the last word: an order of each
// history is searched for on objects of it. So with Config.Reference no history is
// a failure that the reference admits, however far beyond the executions from
// which the theory was inferred, and none is overlooked because its answers leave
// the theory's language; half of the scenarios use few values again and again. A
// reference that no theory describes judges alone. Without a reference, histories
// outside the language are not judged, unless they break what the theory says of
// those, and scenarios that may lead there are few.
//
// What nobody judged, because it is outside the language or the search was given
// up, is said without -v, too, and is an error if it is more than a tenth of the
// histories. Config.Warn gets it, with what else a run that holds could not show:
// that no two operations overlapped, say.
//
//	Config      what to test, against what, for how long
//	Scenario    calls before, calls of each goroutine, calls after
//	Call        a method with arguments, from Do
//	Failure     what Find returns: Run without a test
//
// The environment steers runs, so that test binaries get no flags of ours:
//
//	ADTTEST_REPLAY=FILE    check a saved log again, and run nothing
//	ADTTEST_SEED=N         make up the scenarios of an earlier run
//	ADTTEST_BUDGET=10m     time for each Run, whatever its Config says
//
// Schedules cannot be repeated, logs can. A seed that failed and whose log was
// saved therefore fails again by its log. The log of a panic, or of operations
// that hang, shows what was called; its report is kept beside it. (A constructor
// that panics leaves no log: its seed makes up the same scenarios.)
//
// Steps that others seldom get between, such as a read and the compare-and-swap
// that relies on it, hardly ever go wrong by themselves. Call Yield between them,
// through a hook that only tests set. Without it, scenarios of one's own help that
// repeat what can go wrong: in the stack of examples/treiber that uses nodes
// again, those made up showed nothing in a minute; with the hook it takes seconds,
// and without it, three threads that pop, pop and push take ten seconds to one and
// a half minutes on two busy processors.
//
// A method that does not return in time leaves a pending operation, and its
// goroutine behind; one that ends its goroutine (runtime.Goexit) leaves a pending
// operation. That is no failure unless Config.MustReturn says so. With a
// Reference, MustReturn finds wake-ups that are lost: operations may wait where
// the reference waits, after what the others answered, and nowhere else. A method
// that panics is a failure. With -race the race detector watches as well; recording
// orders calls that do not overlap, so it sees races between those that do.
package adttest
