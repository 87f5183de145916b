// Package explain finds the reason for a violation: a minimal set of operations that
// already violates the theory, and a derivation of the contradiction in them.
//
//	x, err := explain.Violation(ctx, by, execution.Prefix(18))
//
// Operations are left out as long as the rest is a violation: first whole matches
// and unmatched operations, many at a time, then read-only operations and
// duplicates. If the theory is closed under such removals (all theories of patterns
// are, and axioms that meet a syntactic criterion, see removals), a violation that is
// left over is one of the whole, too; theories that may not be are only explained by
// their shortest violating prefix. It takes O(m log n) checks for n matches of which
// m remain, most of them of far fewer operations than the whole: what contains a
// violation that was found among the last matches needs none.
//
// # What an operation should have answered
//
// Find finds what an operation should have answered, and few operations from
// which that follows: the reason for a violation that ends with this answer.
//
//	found := Find(ctx, asker, execution)
//
// The execution ends with the return of the operation that cannot be. An Asker knows the
// data type: it lists what that operation may answer among some of the others. Operations
// are left out as long as the list stays the same, whole groups with the same value first
// and then single ones, until none can be left out. Those with values of the wrong answer
// go last, and never as a group: if they are why it is wrong they stay.
//
//	Asker   a data type
//	Model   one that package wgl searches
//	Find    the answers and the operations
//
// # Derivations
//
// Derive finds derivations of violations: why no order of a few
// operations avoids the patterns of a theory, step by step, in the form of
// package evidence.
//
//	steps, err := Derive(ctx, t, execution.Prefix(18), []string{"1", "2", "4"})
//
// All instances of patterns among the operations are clauses over the facts "a
// comes before b" and "pending operation p takes effect so". Unit propagation and
// transitivity draw conclusions of them. Where that leads to no contradiction,
// each open fact is supposed, and what is refuted that way is added to the facts;
// suppositions nest as deep as they need to ("A tutorial on Stålmarck's proof
// procedure for propositional logic", Sheeran and Stålmarck, bounds its proofs in
// the same way). In the end only the steps are kept that the contradiction rests
// on.
//
// At worst that takes time exponential in the overlap. It is meant for minimal
// violations, most of which have less than ten operations: those of recorded logs
// need no supposition, or one.
//
//	Derive  derives a contradiction
//	None    error: no derivation was found
package explain
