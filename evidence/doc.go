// Package evidence holds what convinces others of a verdict: for an execution
// that is linearizable an order in which its operations may have taken effect,
// for a violation a derivation of a contradiction from real time and the
// patterns of a theory. Package evidence/verify checks either without knowing how
// it was found.
//
//	f, err := evidence.Read(r, "run.evidence")
//	err = verify.Check(ctx, t, execution, f, admits)
//
// # Derivations
//
// A derivation is about the operations of a prefix of the log, which are taken
// to be ordered by when they take effect. A step adds a Fact to those that hold,
// or ends in a contradiction:
//
//	order A B by PATTERN O...   A comes before B; otherwise the operations O show the pattern
//	took P value T by ...       running operation P takes effect with outcome value, matching T
//	never P value T by ...      it does not
//	order A B through C         A comes before C, and C before B
//	suppose FACT                a contradiction follows, further in; then the opposite holds
//	contradiction by PATTERN O...
//	contradiction through A B C     each comes before the next, and C before A
//	contradiction answer O          no call of its method has O's answer
//
// What real time says, that one operation returned before another was called,
// needs no step. A pattern is shown by operations in the places of its drawing
// if they are of its kinds, match as drawn, come in its order, and nothing else
// belongs to their matches; of all that, the step before must have left open
// only the opposite of what it concludes.
//
// # Windows
//
// Where a theory has an automaton, a violation may be shown by it instead of a
// derivation: no state that the automaton can have had after the first events allows
// an order of what happened then. Of a product the lines before it name the key whose
// operations these are.
//
// # Types
//
//	Evidence   what there is for one log; Write and Read are its file format
//	Taken      one operation of a linearization
//	Step       one step of a derivation
//	Fact       what a step says
//	Window     a violation that an automaton shows
//	Digest     tells logs apart
package evidence
