// Package enumerate lists sequential histories: all of them up to a bound, and
// what is one step away from one.
//
//	links.Histories(enumerate.Bounds{Weight: 2}, func(s enumerate.Sequence) bool {
//		fmt.Println(len(s), s.Weight())
//		return true
//	})
//
// It knows no reference and no formulas. What a matching scheme means once
// values are forgotten is given as Links: which kinds may be their own target,
// unmatched, or mapped to an operation of another kind.
//
//	Op          an operation: kind, match target, read-only flag
//	Sequence    a sequential history: its weight, and its one-step removals
//	Links       the matchings a kind may have; lists histories and one-step extensions
//	Bounds      a length, a weight, or both
//
// All orders are fixed, so that everything built on them is deterministic.
//
// # Alphabets
//
// An Alphabet has operations as small numbers, and lists executions: all of
// them up to a bound, each once up to renaming of values.
//
//	a := NewAlphabet(kinds)
//	a.Executions(3, nil, func(e []Label) bool { ...; return true })
//
//	Alphabet    kinds, and the labels over them as small numbers
//	Label       method, outcome and values, as a number of an alphabet
//	Calls       sequences of calls, before there are answers
//	Labels      the labels that may come next, values in text: for sequences that a theory is asked about
//
// All orders are fixed, so that everything built on them is deterministic.
package enumerate
