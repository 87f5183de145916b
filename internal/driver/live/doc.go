// Package live runs a reference in this process one call at a time, on objects that
// the caller keeps, with values as logs write them. Package reference itself runs
// whole sequences, in a process of their own if need be.
//
//	r, err := live.New(queue.Spec)
//	o, err := r.Object()
//	add, _ := r.Method("add")
//	args, _ := r.Args(add, []history.Value{"1"})
//	answer := o.Do(add, args, label)
//
//	Reference  a reference.Spec made ready
//	Object     one of its objects
//
// # Logs
//
// Caller runs the calls of logs on a reference, with the values that the
// logs have.
//
//	c, err := NewCaller(impl, labels)
//	counts, err := c.Admits(ctx, sequences) // how many of its operations the reference allows
//
// # Memory
//
// Memory remembers what a reference implementation answered.
//
//	m := NewMemory(impl, 100_000)
//	answers, err := m.Replay(ctx, words)
//
// The reference is asked no word that it has answered, and none that a longer one, which
// is asked with it, begins with.
//
//	Memory  a reference with what it answered
//	Tree    sequences of calls by number, for who keeps more of each of them
package live
