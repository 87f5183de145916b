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
// Run generates scenarios (which goroutine calls what), runs each of them many times
// with noise in the schedule, and checks every new history. The first one that the
// data type does not admit ends the test: Run reduces scenario and history, saves the
// log below testdata/adttest, and reports the operations, the reasons, and the commands
// that reproduce the failure. Later runs try saved scenarios first.
//
//	type      is
//	Config    what to test, against what, for how long
//	Scenario  calls before, calls of each goroutine, calls after
//	Call      a method with arguments, from Do
//	Failure   what Find returns: Run without a test
//	Kind      how a scenario failed
//
// Fuzz drives scenarios from the fuzzer's bytes. Every failure is also printed as a
// Scenario in Go, to paste into Config.Scenarios, with Fixed.
//
// # What "holds" means
//
// A test that passes logs, in one line, how many histories were judged, of which
// language, by what, and how far that was compared with a reference. Schedules and
// scenarios that were not seen are not spoken of.
//
// # Bubbles and artifacts
//
// Run and Find work in a bubble of testing/synctest. The objects under test belong to
// it, the rest does not: budgets are of real time, and Config.Stall is of the bubble's.
// What waits for channels or timers alone is known at once. Goroutines that the bubble is
// left with make synctest panic: let Config.Close release them. An operation must not
// sleep in a bubble with a mutex held that others wait for: synctest's clock stands
// still then, and none of them returns.
//
// With go test -artifacts (Go 1.26) logs and theories are saved in the test's folder
// for artifacts instead of Config.Dir. Seed, theory and the scenario that failed are
// attributes of the test (Go 1.25): adttest.seed, adttest.theory, adttest.scenario.
// A failure is saved as soon as it is found, so that nobody loses it with a test that is
// stopped, and printed once: made as small as can be, when nothing got smaller for a
// second, or Config.Shrink is over.
//
// # Who judges
//
// A theory finds reasons, and a reference has the last word: Run searches for an
// order of each history on objects of the reference. So with Config.Reference a
// history that the reference admits is never a failure, however far it goes beyond the
// executions from which the theory was inferred, and a history outside the theory's
// language is judged, too; half of the scenarios use few values again and again. A
// reference that no theory describes judges alone. Without a reference, histories
// outside the language are not judged, unless they break what the theory says of
// those, and few scenarios may lead there.
//
// Run reports histories that were not judged, because they are outside the language
// or the search was given up, even without -v; more than a tenth of them is an error.
// Config.Warn gets this warning and others: that no two operations overlapped, say.
//
// What the Reference's Spec, or the theory, says may fail (MayFail) may fail in every
// state: such operations are left out before anything judges.
//
// # Environment
//
// Environment variables steer runs, so that test binaries need no flags:
//
//	ADTTEST_REPLAY=FILE    check a saved log again, and run nothing
//	ADTTEST_SEED=N         generate the scenarios of an earlier run
//	ADTTEST_BUDGET=10m     time for each Run, instead of Config.Budget
//	ADTTEST_SCHEDULES=0    run rounds freely only
//
// Half of a budget goes to controlled schedules, where there are some (Go 1.25 or newer, on Linux): Run compiles the test
// once more, with a changed runtime (package schedule), and runs each round under a schedule of its own. A failure that is
// found so comes with what its goroutines did, in as few switches as were found. The first build takes half a minute, later
// ones seconds. Calls of Find, tests with -short, and tests of adtinfer itself run freely only. The last line of a report is
// the command that explores every interleaving within the failure's bounds, where the explorer can read the type: it says
// whether it takes the package, and shows a shortest failure if there is one. adtinfer test runs it at once.
//
//	ADTINFER_CACHE=off     infer anew; or the absolute path of a directory
//
// What was inferred from a reference is kept in the user's cache directory, and known
// to later runs as long as the reference's source, all that it imports, Go and adtinfer
// stay the same. It is inferred anew where the source is not to be found (-trimpath),
// or does not say all: a function literal that uses variables of the test.
//
// A schedule of Go's cannot be repeated, a log can. A seed that failed and whose log was
// saved therefore fails again by its log. The log of a panic, or of operations
// that hang, shows what was called; its report is kept beside it. (A constructor
// that panics leaves no log: its seed generates the same scenarios.)
//
// # Failures that explain themselves
//
// A test that imports the explorer,
//
//	import _ "github.com/adtinfer/adtinfer/explore"
//
// has its failures come with an interleaving that has exactly the recorded history, step by step,
// and with a command that repeats it each time. It is searched in the source of the package, for no longer than
// Config.Shrink (docs/explore.md). Without the import, or where there is none, the failure says so, and in how many
// rounds the scenario fails when it is run again.
//
// # Rare schedules
//
// Other goroutines seldom get between two steps such as a read and the
// compare-and-swap that relies on it. Call Yield between them, through a hook that
// only tests set. Without it, scenarios of your own help that repeat what can go
// wrong: in the stack of examples/treiber that reuses nodes, generated scenarios
// showed nothing in a minute; with the hook it takes seconds, and without it, three
// threads that pop, pop and push take ten seconds to one and a half minutes on two
// busy processors.
//
// # Operations that wait
//
// A method that does not return in time leaves a pending operation, and its
// goroutine behind; one that ends its goroutine (runtime.Goexit) leaves a pending
// operation. Neither is a failure unless Config.MustReturn says so. With a
// Reference, MustReturn finds lost wake-ups: operations may wait where the reference
// waits after what the others answered, and nowhere else. With -race the race detector
// watches as well; recording orders calls that do not overlap, so it sees races
// between those that do.
//
// # Answers that no call has
//
// Whatever an operation answers is recorded whole: other results beside false or an
// error than always, an error that has no name (it gets one from its text, which the
// report has), a text where the reference answers a number, an outcome or a number that
// the reference's method cannot answer. Each is a violation where it returns. By a theory alone, what
// its runs were never seen to answer is not judged, unless the theory says all.
//
// A method that panics has the outcome panic: the history is a failure if the Reference
// does not panic there. One with Accept never does. Without a Reference a panic is a
// failure unless the theory knows it of the method, and admits it there. Panics of the
// runtime, such as for an index out of range, are failures also if nobody can judge.
package adttest
