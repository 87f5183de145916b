// Package formula is the first-order logic that theories are written in:
// formulas over the operations of a history, their text, their meaning, and
// what is done with them.
//
// A rule of a language, and two operations that break it:
//
//	v := &formula.Vocabulary{Methods: []history.MethodSig{
//		{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
//	}}
//	f, err := formula.Parse("forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y", v)
//	if err != nil {
//		return err // line, column, and what to write instead
//	}
//	ops, vars, found := formula.Counterexample(f, structure)
//	fmt.Println(ops, vars, found) // [0 3] [x y] true
//
// A formula is a plain value, never changed once built:
//
//	Formula      Const, Atom, Equal, Less, Not, And, Or, Implies, Iff, Quantified
//	Term         one side of an Equal or a Less; SortOf is the sort of what it denotes
//	Vocabulary   the methods, outcomes and declared predicates a formula may use
//	Structure    what formulas are evaluated over: OfHistory, or one of your own
//
// What is done with formulas:
//
//	Parse                 text to formula, checked against a vocabulary
//	String, Pretty        formula to text, on one line or several; Normal is what Parse makes of it
//	Walk, Conjuncts       visit subformulas; take a conjunction apart
//	Expand                declared predicates replaced by their bodies
//	Eval                  the definition of truth, slowly
//	Compile               the same as a function, fast for small formulas
//	Counterexample        the operations that falsify a rule, in a long log
//	Simplify              an equivalent, shorter formula
//	Embed                 "this history embeds" ("Symbolic ADT inference" §6)
//
// The grammar is in docs/formats.md.
package formula
