// Package linear decides exactly whether a history is linearizable while it is
// being explored, by the set of its configurations: a state of the specification,
// and for each thread whether it is idle, runs an operation that has not taken effect,
// or runs one that has, with its answer. A set is closed under effects at each call and
// keeps at a return the configurations that agree with it; the history is linearizable
// if one is left.
//
// Sets are interned: a set is a number, and each move from set to set is
// computed once.
//
//	Sets   the sets of an exploration
package linear
