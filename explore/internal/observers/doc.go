// Package observers makes register automata that accept the executions that a data type does not have
// ("Automated verification of linearization policies", Abdulla, Jonsson, Trinh, §2). What the
// registers hold is chosen at the start, all different, and never changes.
//
//	set, err := observers.From(ctx, t)        // of a theory
//	at := set.Rejects(labels)                 // the first operation that the data type does not do so, or -1
//	o, err := set.Over(list, answers)         // linear.Observer, for a bounded exploration
//	fmt.Print(set.Text())
//
//	set of register x, start s0
//	  s0  add(x) => true    s1
//	      add(x) => false   bad
//	  ...
//
//	Observer    one automaton: states, registers, transitions; what is not listed changes nothing
//	Letter      what a transition reads: a method, an outcome, a Class for each value
//	Class       a value: what a register holds, a constant, another one, any
//	Set         the observers of a theory, what they assume, and how far they were compared with it
//	Comparison  how far that was
//	Difference  the error of observers that are not exact
//	Running     a Set over the calls of an exploration: all registers with all values at once
//
// From knows two ways, neither of which knows data types. A pattern is read off: its operations, one
// after the other, with a register for each match; an operation on a match that the
// pattern does not have ends the run. A theory that covers all executions (automaton, product) is asked about
// projections: words whose values are those of one or two registers, or others. Words that
// have the same continuations are one state. What comes out is compared with the theory on all
// sequences of operations up to two more than there are states, up to renaming of values, before it is
// given out; with a theory's automaton, side by side, on sequences of all lengths. There is no
// difference. Set.Compared says how far that was.
//
// Where a theory is about executions in which each value is added at most once, so are its observers
// (Set.Assumes): spec.Options.Fresh gives each addition a value of its own when it is called.
package observers
