// Package formula is the first-order logic that theories are written in:
// formulas over the operations of a history, their text, their meaning, and
// what is done with them.
//
//	v := theory.Vocabulary()
//	f, err := formula.Parse("forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y", v)
//	...
//	ops, vars, found := formula.Counterexample(f, structure)
//
// A formula is a plain value, never changed once built:
//
//	Formula      Const, Atom, Equal, Less, Not, And, Or, Implies, Iff, Quantified
//	Term         one side of an Equal or a Less; SortOf tells what it denotes
//	Vocabulary   the methods, outcomes and declared predicates a formula may use
//	Structure    what closed facts a formula is evaluated over
//	Partial      a structure with open facts, for grounding
//
// From text to meaning:
//
//	Parse, Check        text to formula; the rules both impose (*Error has the place)
//	String, Pretty      formula to text, on one line or several; Normal says what comes back
//	Expand              declared predicates replaced by their bodies
//	Eval                the definition of truth, slowly
//	Compile             the same as a function, fast for small formulas
//	Counterexample      the operations that falsify a rule, in a long log
//	Simplify            an equivalent, shorter formula
//	Compared            where in labels it compares values by their order
//	Integer, Smaller    which values have one, and what it is
//	Embed, Exclude      "this history embeds" ("Symbolic ADT inference" §6)
//	Guard               quantifiers restricted to operations that take part
//
// The grammar is in docs/formats.md.
package formula
