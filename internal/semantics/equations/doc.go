// Package equations is the language of laws: conditional equations between what can be
// seen of an object.
//
//	balance(a)      at first 0
//	                after deposit(a, n): balance(a) + n
//	withdraw(a, n)  ErrFunds if balance(a) < n; ok otherwise
//
// An Observer is something to see: what a method would answer, or all that it answers if it
// is called until nothing changes. A Law is a list of cases, of which the first that fits
// counts. Either a law defines an observer by others, or laws say what it is at first and
// after each method, by what observers were before. If each answer follows, the laws are
// closed, and a Machine answers calls without the reference: what an observer is in a state
// follows from the call that led there, back to the start. Each is computed once, so that a
// run of n calls takes O(n) for each observer and argument that answers ask for.
//
//	Set        the laws of a data type; Closed, Needed
//	Document   a Set as files have it; Parse reads it
//	Machine    runs closed laws
//	Store      values, each once: equal values are equal numbers
//	operators  the table of what laws compute with (operators.go, records.go)
//
// Imports run down: value, sort, expr, operators, law, print, parse, document, machine.
package equations
