// Package saturate looks for violations by unit propagation over the order of
// operations, event by event ("Monitoring refinement" §6): what the patterns of
// a theory force is kept, and a contradiction is a violation.
//
//	s := saturate.New(rules, saturate.Options{Removal: true})   // rules from clauses.Compile
//	op, err := s.Call("add", []history.Value{"1"})
//	v, err := s.Return(op, history.None, nil)   // v says so if this is a violation
//
// # What is decided
//
// The facts are "a comes before b", for operations that overlap, and "running
// operation a must return so". A pattern of a theory says that its chain of
// operations is not there; if all of its links hold but one, the last one does
// not. Where a pattern speaks of a match as a whole, a running operation that
// may still join the match is a way out, and the last way out is forced.
// Orders are closed transitively. From the orders of two matches that show no
// pattern, clauses of up to three links are derived, once for a theory, with
// which propagation finds more.
//
// Every fact holds of each linearization that shows no pattern, so that a
// violation is one: see the end. The converse is true of nearly all violations.
// On 25,000 random executions of up to 8 operations of each type, with and
// without pending ones, against a search over executable models at every prefix:
//
//	type      violating   missed  late   late with probing
//	queue     10,237      0       16     1
//	stack     10,490      0       17     1
//	register  10,484      0       0      0
//	set       11,065      0       1      1
//	lock      15,712      1       47     2
//
// No false alarm was seen, and probing missed none. Removal changed nothing there, nor on 112,000
// executions of up to 60 operations of all types, but for two: a violation of a set was found
// earlier with it, and one of a queue with two methods that remove an event later. Some
// violations of stacks are missed without probing, too: one is known that has 12
// operations.
//
// Which theories can be saturated package clauses says.
//
// # What is kept
//
// With removal a match is forgotten once nothing can join it, no running
// operation overlaps it, and the operations whose order with its own is open
// are in matches of which the same is true. Nothing can join a value of a register
// once it is overwritten: clauses.Rules.Overwriters says which matches do so to
// which. Operations that find nothing may join a match of a set for ever, and say
// nothing there. Time and memory for an event then depend on the live
// operations. A log of eight processes that always have an operation running:
//
//	events      queue: events/s, live   stack: events/s, live
//	10,000      560,000      410        460,000      534
//	100,000     550,000    1,000        500,000    1,132
//	1,000,000   550,000    2,754        510,000    3,350
//
// Most of what is live are values not removed yet. Of 30,000 operations on a register
// (by patterns or by axioms) 54 were live at most, on a lock 45, and on a set of a
// few dozen values 227; all of them are without removal. Probing is far slower: 13,000
// to 21,000 events/s. It leaves operations alone that have more than a hundred
// neighbours, as those have that run for long.
//
// # What saturation concludes
//
// After each event there is a set of facts: a before b, for operations that overlap, and running operation x
// returns as kind k into match y.
//
// Claim. Every linearization of the execution so far that shows no pattern agrees with all facts on the operations
// that it has. So if a contradiction is found there is none, and the execution is a violation.
//
// Proof, by induction over the steps; package clauses has what clauses mean.
//
//   - An event. Let s be a linearization of the longer execution that shows no pattern. An operation that is
//     called later comes after all that had returned, so s up to the last of these has operations of the shorter
//     execution only, and is a linearization of it. It shows no pattern, as theories that compile are closed under
//     prefixes (claim 3 there); so the facts hold of it, and of s.
//   - Clauses (conclude). All links of a clause but one are known, and there is no way out: the last one does not
//     hold. All links are known, and one running operation is the only way out, in one way only: it takes it. Ways
//     out that other clauses refute are not counted (refuted): these have all of their links known, and no way out
//     themselves.
//   - Targets (needTarget). An operation that violates without a match target has one; if only one running
//     operation may be it, it is.
//   - Order (close, seal). It is transitive; and what comes before an operation that is over comes before all that
//     is called later.
//   - Probing (fails). If the steps above lead from an assumption to a contradiction, its opposite holds.
//   - Derived clauses are found by going through all orders of the operations of two matches, so they hold of the
//     orders that show no pattern. ∎
//
// Where a match may have a second target, no clause is applied to it until that is settled (active).
//
// What is not claimed. A violation need not be found: unit propagation is not complete for such clauses, though
// almost none is missed. Engines that answer linearizable do not rest on it.
//
// Why matches may be forgotten is said where that is done (removal).
//
//	Saturation     follows one execution event by event
//	Options        removal, probing
//	Violation      where it was found, and the patterns
package saturate
