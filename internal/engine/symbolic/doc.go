// Package symbolic decides executions by satisfiability of the clauses that
// package clauses makes of a theory ("Monitoring refinement" §4).
//
//	rules := symbolic.Compile(r)   // r from clauses.OfPatterns
//	l, err := symbolic.New(ctx, rules, execution, symbolic.Options{})
//	answer, err := l.Decide(ctx, execution.Events)
//
// # Literals
//
// Two operations that overlap have one variable, that the one called first
// comes first, if some clause speaks of them; all other pairs are constants. A
// clause speaks of operations that returned. That the match of one of them has
// no operation of some kind, where the clause wants that, is a literal, too:
// its negation is the clause's way out.
//
// An operation is pending in some prefixes of the log, and returns in longer
// ones. All prefixes share one solver: a clause has the literal "the prefix is
// this one or a longer one" for the first prefix in which all of its operations
// returned, and a prefix is chosen by assumptions. What is learnt about one
// prefix is of use for all.
//
// # Running operations
//
// A running operation may be left out, unless an operation that returned needs
// it as its match target: without a whole match, what showed no pattern still
// shows none. So guards, "running operation x returns as kind k into match y",
// are needed for targets and for operations that change the shape of a match.
// Of the latter there may be very many (running removes times values held), and
// few matter. Therefore it is first assumed that no match changes. If that
// contradicts the clauses, guards are made for the matches that the
// contradiction rests on, and it is tried again.
//
// Where a running operation may become a second match target, which no
// execution of the language has, the match is taken to show no pattern at all.
// Then no linearization means a violation, and one means that the answer
// lies outside the language. Both need that matches are independent of each other;
// with clauses about two matches the answer is Outside at once.
//
// # Orders
//
// The axioms of a total order are not asserted before a model breaks them. A
// model is an order if literals and intervals together make no cycle; of the
// operations on cycles the axioms that the model breaks are asserted.
//
// docs/proofs/symbolic.md says why the answers are right.
//
//	Rules     clauses, with what is needed to find what they apply to
//	Log       an execution, all of its prefixes, in a solver
//	Options   of a Log
//	Answer    violation, linearizable, or outside the language
package symbolic
