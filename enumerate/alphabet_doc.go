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
