// Package mutant makes wrong versions of a reference implementation: one in
// which a method does nothing, or takes effect twice, or answers what it answered
// before. A specification that calls none of the executions of a wrong version a
// violation says too little.
//
//	for _, m := range mutant.All(impl.Methods()) {
//		answers, err := m.Replay(ctx, impl, sequences)
//		fmt.Println(m.Name, answers)
//	}
//
// A mutant is made of the reference's own answers. Either it changes what calls
// do (an Effect): the reference runs other calls than those of the sequence. Or
// it changes what calls answer (a Lie), and the reference runs the sequence as it
// is. So a mutant needs nothing of the package under test, and never runs calls
// that the reference's users could not make.
//
// Mutants are made of replays, so a nondeterministic reference, which has none
// (reference.Acceptor), has no mutants either.
package mutant
