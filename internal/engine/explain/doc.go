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
//	Violation  derives a contradiction
//	None       error: no derivation was found
package explain
