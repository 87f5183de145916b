// Package semantics is the room of what theories mean. It has what runs, and what a formula
// looks at; the packages below it have axioms as automata, patterns as facts about a log, and
// automata run on logs. It knows no engine: evidence/verify uses it, as do automata, theory, matching,
// the engines, check and describe.
//
//	Model, Machine  a data type that runs, and one that a theory describes; Numbers numbers its states
//	Compared        the values that a formula compares by their order
//	Named           the values that it names
//	Unordered, LabelsOnly
//	                whether it looks at the order, and at more than labels
//	Parts           which operations it can speak of
package semantics
