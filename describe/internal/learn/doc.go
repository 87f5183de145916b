// Package learn finds the register automaton of a reference implementation by asking
// it ("Learning nominal automata", Moerman et al., POPL 2017; "Active learning for
// extended finite state machines", Cassel et al.).
//
//	found, err := learn.Learn(ctx, impl, learn.Options{})
//	fmt.Print(found.Automaton) // nil: found.Why says why
//
// Words of calls are told apart by what is answered to shapes of calls after them
// (table.go, memory.go); those that no shape tells apart are one location
// (hypothesis.go). A difference from the reference brings another shape (refine.go).
// What no call compares is only moved: it is fresh in words, and registers that
// hold it may be equal (moved.go). What the reference makes up is known at the start,
// or a word that only answers have (words.go), or a new value each time (generated.go). In the end edges become guarded transitions
// (guards.go) with canonical order and names (build.go, name.go).
//
// # Comparison
//
// Compare compares an automaton with the reference implementation that it is to
// describe.
//
//	extent, difference, err := Compare(ctx, impl, a, Comparison{})
//
// Where the states of reference and automaton together are finitely many, up to
// renaming of values, all of them are compared (closure.go). Besides, and otherwise,
// random words are, words that repeat a call often, and long ones in phases (conform_words.go).
package learn
