//go:build go1.21

// Package values makes the arguments that a reference is called with, reads what
// it answers, and writes both as text. Its source is laid over users' modules
// with the driver's: it imports the standard library alone.
//
//	Types      what is known of the types of a reference
//	Basic      what a type says of its values, for those who do not have the type
//	Argument   a value to call with: the k-th of its type, or one that a log has
//	Sequence   the arguments of a sequence of calls, which answers are held against
//	GoText     a value as text; LogText, as logs have it
package values
