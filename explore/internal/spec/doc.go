// Package spec is what an implementation is held against: a data type as a relation
// between states, calls and answers.
//
// Calls are numbers of a list (calls.List), answers numbers of a table (Answers), states are the
// specification's own numbers.
//
//	Spec      a data type
//	Answers   numbers answers
//	Of        a theory
//	...
package spec
