// Package schedule runs compiled, unmodified Go tests under schedules of its own choice: one goroutine of a test runs at a
// time, and which one is decided at each operation that others may see.
//
//	t, err := schedule.NewToolchain(ctx, dir)               // the installed Go, with a changed copy of its runtime
//	programs, err := t.Build(ctx, dir, patterns, options)   // test programs
//	result, err := programs[0].Run(ctx, "TestX", budget)    // a verdict; with a failing schedule, if there is one
//	result, err = programs[0].Replay(ctx, replayed, nil)    // the same schedule again
//
// How it works: internal/patch changes files of packages runtime, sync and testing, in a copy that the go command sees
// through -overlay. Test functions run in a bubble of internal/synctest, which has virtual time and notices deadlocks. The
// changed runtime keeps goroutines of the bubble that could run in a list of its own. At a gate - an operation on a channel,
// lock, atomic or, in some schedules, plain variable - it chooses who goes on. The scheduler adds no happens-before, so the
// race detector sees each schedule as it is.
//
// What schedules show happened: a failing schedule is one that Go's memory model allows. Of what they do not show nothing is
// known: they are samples, in which memory is sequentially consistent. Tests that wait for the network, files or other
// programs are undecided.
//
// Used by the command (adtinfer test) and by package adttest, whose rounds are one schedule each.
package schedule
