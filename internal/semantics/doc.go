// Package semantics is the room of what theories mean. It has what runs, and what a formula
// looks at; the packages below it have axioms as automata, patterns as facts about a log, and
// automata run on logs. It knows no engine: evidence/verify uses it, as do automata, theory, matching,
// the engines, check and describe.
//
//	Model, Machine  a data type that runs, and one that a theory describes; Numbers numbers its states
//	Compared        the values that a formula compares by their order
//	Named           the values that it names
//	Unordered       which values of a label have no such order
//	LabelsOnly      whether it speaks of nothing but labels
//	Apart           how far it sees
package semantics
