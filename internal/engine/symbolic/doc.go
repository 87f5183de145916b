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
// # Why the answers are right
//
// Claim 1. A shortest violating prefix ends with a return.
//
// Proof. A prefix that ends with a call has the linearizations of the one before: the new operation is left out. ∎
// So only these prefixes, and the whole, are decided (overlap.Ends).
//
// Claim 2. Decide(j) is satisfiable iff prefix j is linearizable.
//
// Proof. Variable within[i] means the prefix is i or a longer one; within[i+1] implies within[i]. Prefix j is
// chosen by assuming within[j], and not within[j+1]. A clause whose operations all returned first in prefix i has
// the literal not within[i], so that exactly the clauses about operations completed in prefix j count. Match y has
// a writer of kind k is implied by within[i] for the first prefix i that has one; in shorter ones it is assumed
// false, unless guards are opened. A guard of an operation implies that it was called and has not returned, and
// guards of one operation exclude each other. That is claim 2 of package clauses for prefix j. Clauses of other
// queries have the literal not on of their query. ∎
//
// Claim 3. It is enough to open guards on demand.
//
// Proof. Assuming no more writers than returned takes models away, so satisfiable stays right. If the answer is
// unsatisfiable, and the assumptions it rests on have no literal of a writer that a running operation may be, it
// is unsatisfiable whatever these literals are. Otherwise the guards for those are made, and it is asked again;
// there are finitely many. ∎
//
// Pairs that overlap are literals, all others constants, and the axioms of a strict total order are asserted where
// a model breaks them.
//
// Claim 4. A tournament is a total order iff it has no cycle of three, and here a cycle of three has one of two
// forms.
//
// Proof. The first part is well known: a shortest cycle longer than three has a chord that makes it shorter. If of
// three operations two pairs are ordered by intervals, say a returned before b was called and b before c, then a
// returned before c was called, and there is no cycle; and in the other two cases the third pair makes none either
// way. So either all three overlap pairwise, or just one pair is ordered, a before c, and b overlaps both: the
// cycle is b before a, and c before b. ∎
//
// Claim 5. Of the second form it is enough to exclude cycles in which no operation lies between a and c in time.
//
// Proof. If d does, b overlaps d as well, since it was called before a returned and returned after c was called.
// Then b before a implies b before d and b before d implies b before c give the axiom for a and c, by induction on
// the number of operations in between. ∎
//
// Claim 6. A model is accepted only if it is part of a total order, and each round asserts at least one new axiom.
//
// Proof. If literals and intervals make no cycle they can be extended to a total order. Otherwise the operations
// of a strongly connected component, together with the pairs that have no literal yet in the order of their calls,
// are a tournament with a cycle, so one of the cycles above is among them; and an operation between two of them in
// time is on a cycle, too, so that it is enough to look at those. ∎
//
// A core starts from the solver's and is made minimal by leaving out one name at a time. Each name selects the
// clauses of one pattern or axiom, so the rest are satisfiable without any one of them. Clauses that follow from
// several patterns are not used for cores.
//
// TestEveryPrefix decides all prefixes of random executions in random order and compares with a search over the data type;
// TestCore compares cores with their definition.
//
//	Rules     clauses, with what is needed to find what they apply to
//	Log       an execution, all of its prefixes, in a solver
//	Options   of a Log
//	Answer    violation, linearizable, or outside the language
package symbolic
