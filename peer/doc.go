// Package peer compares adtinfer with Porcupine, a general linearizability
// checker: on random executions, on the recorded histories that Porcupine's
// module brings, and by the clock. It has tests and benchmarks only; judge is what
// cmd/experiments runs.
//
//	cd peer
//	go test .             # verdicts
//	go test -bench . .    # times, as ratios within one run
//
// It is a module of its own, so that programs that import adtinfer do not list
// Porcupine among their modules.
package peer
