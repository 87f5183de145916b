// Package enumerate lists executions and histories: all of them up to a bound,
// each once up to renaming.
//
//	a := enumerate.NewAlphabet(kinds)
//	a.Executions(3, nil, func(e []enumerate.Label) bool { ...; return true })
//	links.Histories(enumerate.Bounds{Weight: 2}, func(s enumerate.Sequence) bool { ... })
//
// It knows no reference and no formulas. What a matching scheme means once
// values are forgotten is given as Links: which kinds may be their own target,
// unmatched, or mapped to an operation of another kind.
//
//	Labels      the labels that may come next, values in text: for sequences that a theory is asked about
//	Alphabet    kinds, and the labels over them as small numbers
//	Sequence    a sequential history: kinds, targets, read-only flags
//	Links       the matchings a kind may have
//	Bounds      a length, a weight, or both
//	Removal     a kind of one-step removal
//
// All orders are fixed, so that everything built on them is deterministic.
package enumerate
