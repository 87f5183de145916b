// Package clauses turns a theory into clauses about the order of operations,
// once for all engines that reason with clauses.
//
//	rules, err := clauses.Compile(t)
//	for _, c := range rules.Clauses {
//		fmt.Println(c.Patterns, c.Shapes, c.Positions)
//	}
//
// A Clause is a template: it says what the operations of one or two matches
// never show, if those matches are of given shapes. An engine puts operations
// in the places and gets a disjunction of "not before" literals; a running
// operation that could change the shape of one of the matches is one more way
// out of it. The links of a clause are literals where operations overlap, and
// constants elsewhere.
//
// From the orders of two matches that show no pattern, clauses of up to three
// links are derived, with which unit propagation finds more; and it is found
// out of which matches nothing more can come once they are closed.
//
// # Which theories
//
// Patterns are sequences of completed operations that speak of one or two
// matches; match targets are found by values that targets are called with;
// the language keeps operations apart by values, and by what they return only match
// targets; and a violation stays one whatever follows. Other theories are an *Unsupported.
//
// Axioms speak of one label, or of the order of operations of one or two matches:
//
//	forall x1:Op, ..., xn:Op. A -> B
//
// where A has no quantifiers, and B only existential ones that no negation
// stands before, each over the match of another variable: exists r:Op.
// match(r) = x1 & ..., with a method or outcome that is not read-only. Equations
// between matches in A leave at most two of them; and some axioms without
// quantifiers in B exclude two operations of one kind in a match, unless they
// are read-only. The small histories that break such axioms are found by trying
// all, and the minimal ones become clauses, like patterns.
//
// Axioms may compare the values that tell matches apart, arg(x) < arg(y), if there
// is only one sort of match with such values. Then a clause may speak of two
// matches only if the first one's value is the smaller one, or the larger (see
// Clause.Applies); when matches are put in, that is a constant.
//
// # Why the clauses say what the theory does
//
// A theory in the fragment that the package comment describes finds match targets by values (keys), so the match
// of a completed operation is known before any order is. The shape of a match is its target's kind and the kinds
// of its writers, the members that are not read-only.
//
// Claim 1. A sequence of operations shows a pattern iff there are one or two matches of exactly the pattern's
// shapes, and operations of them in the pattern's positions, in its order.
//
// Proof. A pattern is shown if it is left after removals of read-only operations, unmatched ones, duplicates and
// whole matches ("Symbolic ADT inference", embedding). What is left of a match therefore has each kind of writer
// that the match has, once, and any of its readers. Conversely, everything but the operations in the positions can
// be removed: other matches as a whole, readers one by one, and of writers of a kind all but one. ∎
//
// So a pattern is a clause about each pair of matches of its shapes: not all of its links hold. Links between
// operations that do not overlap are constants.
//
// A linearization leaves each pending operation out or completes it. For a clause about matches y and z, all of
// whose positions hold completed operations, let the ways out be the pending operations that may return as a
// writer that y or z must not have (Clause.Forbid).
//
// Claim 2. An execution is linearizable iff there is a total order of completed operations and of some pending
// ones, completed in some way, that contains real time, satisfies each clause about them, and has a target for
// each operation that needs one; of pending operations only targets that completed ones need, and writers, have to
// be considered.
//
// Proof. By claim 1 the order shows no pattern iff it satisfies all clauses, those with completed pending
// operations in their positions included. A pending operation that is in the order without need can be left out: a
// read-only one, or a match of pending operations alone, is something that removals take away, and a sequence that
// shows no pattern shows none after a removal, as removals can be put after one another. A pending writer in a
// match with completed operations is no removal; it stays. ∎
//
// So the clause gets a literal for each way out (symbolic: match y has a writer of kind k, true if an operation
// has it, or the guard of a pending operation is true), and nothing is concluded from it while it has two open
// literals (saturate).
//
// Second targets. A pending call could become a second target of a match, which no execution of the language has.
// If the theory says that a second one is only admitted beside certain operations (Kind.SecondNeeds) and there are
// none, it has none. Else nothing is concluded about that match; where matches are independent of each other the
// rest still is.
//
// Claim 3. The theories that compile admit each prefix of a sequence that they admit.
//
// Proof. prefixClosed tries, for the order of each clause, all writers that its matches may still get, in all
// orders, and for an operation without target its target and that one's writers. If the longer order always shows
// a pattern, so does every longer sequence that the shorter one is a prefix of: other matches do not change the
// shapes. Theories for which that fails are refused. ∎
//
// Claim 4. Axioms of the form in structural's comment exclude what the clauses made of them exclude.
//
// Proof. Operations x1, ..., xn break such an axiom together with what their matches do not have, so the small
// history of x1, ..., xn and one operation more of each writer's kind breaks it, too; all of these are tried, up
// to maxSmall operations. A longer history that embeds it has more readers, which no quantifier of the conclusion
// lets stand for another operation, and more writers of the same kinds, which duplicateWriters checks is excluded
// by itself. ∎ Theories with larger small histories are refused. Where no axiom is about two matches, those of one
// are enough. An operation that matches itself for want of another target (contains => nil) is tried, too, alone
// and beside a match: if that breaks an axiom the theory is refused, for no clause is about such operations; else
// they break none.
//
// TestSequences reads clauses word by word; TestEveryPrefix of symbolic and TestTypes of saturate compare engines that use
// them with a search over data types.
//
//	Rules          a theory as clauses, with what is needed to find their matches
//	Method         a method with its kinds, and what its calls may become targets of
//	Kind           a method with an outcome: what it matches, by which values
//	Role           does a kind match nothing, itself, or another operation
//	Shape          what clauses see of a match: its target's kind and those of its writers
//	Clause         what is never there, with Positions and their Links
//	Unique         a rule of the language that keeps operations apart by values
//	Claim          an axiom about a label, as far as it depends on values
//	Pivot          where to look for matches that do not overlap
//	Pairing        a clause about two matches, by their shapes
//	Unsupported    error: a theory outside the fragment
//	LabelError     error: a label the theory does not know
//	LanguageError  error: operations that break a rule of the language
package clauses
