// Package judge holds an inferred theory against the reference it was inferred
// from, where the inference did not look.
//
//	t, err := judge.Infer(ctx, impl, info, patterns.Options{}, judge.Options{})
//	fmt.Println(t.Status.Mutants.Seen, "of", t.Status.Mutants.Made-t.Status.Mutants.Equivalent)
//
// Long runs: random sequences of up to 1,000 calls. The theory must admit what the
// reference answers to them, and must reject a wrong answer. They grow the state
// and look back, in two shapes. Phases are calls of one method, of two or
// of all, 1 to 32 at a time; powers are a short prefix, one call up to 256 times,
// and a suffix that uses old values again. Capacities show in them.
//
// Mutants: wrong versions of the reference (type Mutant). Of each it is asked
// whether it differs from the reference at all, and whether the theory rejects an
// execution that shows it. All short sequences come first, then long ones, then
// random ones. A mutant that leaves the states that the reference leaves needs no more.
// A Lineup has what mutants answer, for all descriptions of a reference.
//
// Everything is made from fixed seeds: the same reference gets the same judgement.
//
//	Infer    infers a theory and judges it
//	Lineup   the mutants of a reference with what they answer, made once
//	Wrong    error: a theory that is wrong in longer runs, with the shortest sequence
//	Blind    error: mutants that differ at once and that the theory never rejects
//	Empty    error: a theory that says nothing
package judge
