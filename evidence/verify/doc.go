// Package verify accepts or rejects evidence for a verdict. It knows nothing of
// how evidence is found, imports no engine, and is short so that it can be read
// whole: what it accepts is right if these lines are, those of package
// internal/semantics/instance and internal/semantics/configurations, and the theory. Whether the theory is right Compare asks a
// reference, on short sequences of operations.
//
//	err := verify.Compare(ctx, t, implementation)
//	err = verify.Check(ctx, t, execution, ev, admits)
//	var wrong *verify.Wrong
//	if errors.As(err, &wrong) { ... } // rejected; wrong.Line is the first step that does not follow
//
// # Linearizations
//
// One is accepted if it has every completed operation once and pending ones at
// most once, if no operation comes after one that was called after it returned,
// and if the data type admits the operations one after the other. The first
// two take one pass: an operation must not have returned before the latest call
// so far.
//
// # Derivations
//
// A step that names a pattern claims that operations would show it if certain
// facts held, which package internal/semantics/instance computes from the theory's formulas
// and the labels of the log. The step is accepted if all of them but the opposite
// of what it concludes are known: by an earlier step or a supposition that is
// open, by real time, or because a pending operation that took effect in one way
// did not in another. A path of orders is followed likewise. The last step is a
// contradiction when no supposition is open, and there is none after it. None is
// accepted of an execution that the theory does not speak of.
//
// # Windows
//
// A window is accepted if no configuration is left once the operations that run in it
// have returned, whatever the state of the automaton was before: package
// internal/semantics/configurations lets those take effect in all orders that real time allows.
//
// docs/proofs/evidence.md says why what is accepted is right.
//
// It takes constant time for each need of a step, and for each operation that the
// derivation names a look at those that share a value with it and those pending.
//
//	Check       verifies evidence
//	Compare     compares a theory with a reference
//	Wrong       error: the evidence is rejected
//	Difference  error: theory and reference describe two data types
package verify
