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
// docs/proofs/clauses.md says why the clauses say what the theory does.
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
