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
//
// # The monitor of policies
//
// Monitor decides whether a linearization policy announces each operation where it
// takes effect, while a program is being explored: the monitor of Abdulla, Jonsson, Trinh,
// "Automated verification of linearization policies", section 4.
//
// An operation may be announced several times, with what it answers; only the last time counts, so
// those before must not have changed the state of the observer. When it returns, it has
// been announced, with what it returns. A run in which nothing is refused is linearizable:
// the announcements that count are an order of the operations.
//
//	m := linear.NewMonitor(OfSpec(s), 2)
//	set, err := m.Call(m.Start(), 0, call)
//	set, err = m.Announce(set, 0, answer)
//	set, err = m.Return(set, 0, answer)      // NoState: refused, and Refusal says why
//
//	Observer   a data type: what may be announced in its states
//	OfSpec     the observer that a specification is
//	Monitor    the states of the monitor of an exploration, by number
//	Reason     which rule refuses
//
// Monitor has the methods of Sets, which decides the same without announcements: there a state
// is a set of configurations, here it is one.
package linear
