//go:build go1.21

// Package driver runs a reference implementation by reflection. It imports the
// standard library alone, because its source serves twice: package reference
// imports it, for references in the same process, and also lays it over a
// user's module as source text, so that a child process can run a package whose
// go.mod has never heard of adtinfer. For the same reason its files ask for
// their own language version and use nothing newer.
//
//	Object    what to run: a constructor, and perhaps operations and an acceptor
//	Machine   an Object made ready: its methods described, its calls prepared
//	Method    one operation: argument kinds, outcomes, how many values each carries
//	Fault     what a reference did wrong, and at which call of which sequence
//	Frame     one message between parent and child (see Serve)
//
// Values are abstract outside this package: the number k stands for the k-th
// value. A Machine passes a concrete value of the parameter's type for it, far
// from the values a reference makes up by itself (0, 1, lengths), and reads an
// answer that equals one of the sequence's arguments back as its number. Where a
// log is replayed arguments are given as they are, by their Go text, and answers
// come back as that.
package driver
