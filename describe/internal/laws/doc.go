// Package laws finds laws of a reference: conditional equations between observations
// (internal/semantics/equations). QuickSpec (Claessen, Smallbone, Hughes) finds equations
// between functions by testing; here objects have a state.
//
//	found, err := laws.Learn(ctx, impl, laws.Options{})
//	fmt.Println(found.Closed, found.Document())
//
// The states of the reference are kept as copies, so that anything can be asked of them.
//
//  1. Random runs give states and transitions (sample.go). Methods that never change a
//     state are pure.
//  2. Observers are what methods answer on copies, how many calls there were of a kind,
//     and what a call gives that is repeated until nothing changes (observers.go). They
//     come in stages; a later stage is tried where an earlier one gave no closed laws. The
//     special ones (special.go) have what a method answers with one index after the other
//     (indexed.go) or to new arguments (news.go), from which argument on it answers another
//     word (thresholds.go), and what it answers if another call came first: those that tell
//     apart states which are alike to all others (firsts.go).
//  3. An observer that others define is left out: those that say least come first.
//  4. For each that is left, and each method, a list of cases is found that fits all
//     examples (problem.go, cover.go): terms and conditions are columns of values, a case
//     is a condition that lets in no row in which its term is wrong, and the best is taken
//     that covers most for its length, as in the covering of rule learners.
//  5. Fresh samples with odd values refute laws, and what refutes one is an example when it
//     is found again (tested.go).
//  6. Closed laws answer fresh runs without the reference (replay.go). The observation that
//     was wrong first is the next example. Names of observers alone do not show that laws
//     are closed: replay does.
//
// Stages that look for closed laws come first, and stop early: where two examples differ in
// nothing that laws are made of, and yet in what is to be said, there is no law (torn.go); a
// stage that does not see more of them is left out. Laws that may stay open are found last.
//
// Work is counted in cells of tables and bounded for each stage and for all, so that results do not
// depend on the machine. Nothing is claimed for values and runs that were not tried: laws
// are tested, not proved.
package laws
