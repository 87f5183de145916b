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
//	sets := linear.New(s, 2)
//	set, err := sets.Call(sets.Start(), 0, call)
//	set, err = sets.Return(set, 0, answer)      // linear.None: not linearizable
//
//	Sets   the sets of an exploration
//
// Package configurations follows one recorded execution, with operations that take
// effect as late as possible: its sets stay small, and are no canonical form of
// what is possible. Here a set is met many times, so its moves are worth computing in
// full, and equal possibilities must be equal sets: else states would multiply.
package linear
