// Package theories holds theories written by hand: those of "Monitoring
// refinement" §3, figures 3 to 7, with axioms instead of patterns. They are
// ready to check logs with, and show how to write a theory of one's own:
//
//	t, err := theories.Load("queue")
//	c, err := check.New(t, check.Options{})
//	r, err := c.Check(ctx, execution)
//
// or, from the command line, with a copy of the file:
//
//	adtinfer check --theory theories/semaphore.theory.yaml run.log
//
//	Name        operations                                   values
//	queue       add(v), remove => v or nil                   added once
//	stack       add(v), remove => v or nil                   added once
//	bag         add(v), remove => v or nil                   added once
//	priorityqueue
//	            add(v), remove => the largest v or nil       added once
//	set         insert(v), remove(v), contains(v)            inserted with success once
//	            => v (found) or nil (not found)
//	plainset    add(v), remove(v), contains(v) => true/false any
//	register    write(v), read => v or nil                   written once
//	lock        lock(k), unlock => holder or nil             each key locks once
//	semaphore   acquire(t), release(t); at most two held     each ticket acquired once
//	exchanger   exchange(v) => v of the other one, or nil    offered once
//
// Some of the formulas are not what the paper prints, for not all that it prints
// describes the object it is meant for: docs/theories.md says what was wrong and
// what was done about it. The exchanger's paired operations overlap, so that no
// sequence of operations describes it; its width is 2, which only the symbolic
// engine takes, and auto with it.
package theories
