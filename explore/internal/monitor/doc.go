// Package monitor decides whether a linearization policy announces each operation where it
// takes effect, while a program is being explored: the monitor of Abdulla, Jonsson, Trinh,
// "Automated verification of linearization policies", section 4.
//
// An operation may be announced several times, with what it answers; only the last time counts, so
// those before must not have changed the state of the observer. When it returns, it has
// been announced, with what it returns. A run in which nothing is refused is linearizable:
// the announcements that count are an order of the operations.
//
//	sets := monitor.New(monitor.OfSpec(s), 2)
//	set, err := sets.Call(sets.Start(), 0, call)
//	set, err = sets.Announce(set, 0, answer)
//	set, err = sets.Return(set, 0, answer)      // monitor.None: refused, and Refusal says why
//
//	Observer   a data type: what may be announced in its states
//	OfSpec     the observer that a specification is
//	Sets       the states of the monitor of an exploration, by number
//	Reason     which rule refuses
//
// Sets has the methods of package linear's, which decides the same without announcements: there a
// state is a set of configurations, here it is one.
package monitor
