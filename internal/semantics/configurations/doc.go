// Package configurations follows an execution with everything that may have happened
// so far: the set of configurations, which are a state and the running operations
// that took effect on the way to it, with what they answer. At a return only those
// stay in which the operation took effect with its answer. If none is left the events
// so far are a violation, and with fewer events they are none.
//
//	m, err := configurations.Of(&t.Spec)       // an automaton, or a product of them
//	s := configurations.New(m)
//	err = s.Call("1", &label)
//	ok, err := s.Return("1", outcome, rets)    // false: a violation
//
// It is exact. Operations take effect as late as possible: when one of them returns,
// those before it in all orders of the running ones, and itself. What changes nothing
// needs no order: a configuration notes what such an operation could have answered in
// the states that it has left. Memory depends on the operations that run and on the
// configurations, of which there are at most Most.
//
//	Of        what is run: the automaton of a theory, or a product of them; Searched is that for package wgl
//	Set       the configurations after some events
//	Replay    operations one after the other
//	Refute    finds no configuration after the last of some events, from whatever state
//	Part      the operations of one key of a product
//	Labels    what operations may be for a machine to say something of them
//	Range     that its numbers stay within 64 bits
//	Guards    what arguments alone say of a control automaton
package configurations
