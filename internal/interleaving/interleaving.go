// Package interleaving is where what tests a type by running it meets what runs each of its interleavings. Package explore
// registers itself when it is imported; adttest asks whoever is registered, and imports nothing for it.
//
//	if interleaving.Explorer != nil {
//		found, err := interleaving.Explorer(ctx, question)
//	}
//
//	type       holds
//	Question   a scenario, and the history that one run of it had
//	Answer     an interleaving with that history, or why there is none
package interleaving

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// Question is a scenario of a type, and the history that one run of it had.
type Question struct {
	Dir         string // of the package that the type is in, or its import path
	Type        string // the type's name
	Constructor string // Go expression that makes the object, such as New(4); "" if only the type's own constructor can be meant
	Operations  []Operation

	// The calls: those before the goroutines start, of each goroutine, and after they end.
	Before  []history.Label
	Threads [][]history.Label
	After   []history.Label

	// Execution is the history. Processes name goroutines: Processes[i] is that of
	// Threads[i], Processes[len(Threads)] of the calls before and after.
	Execution *history.Execution
	Processes []string
}

// Operation is how a method of the type goes in labels.
type Operation struct {
	Method string // in labels
	Go     string // the Go method
}

// Answer is an interleaving with the history that was asked for, or why there is none.
type Answer struct {
	Drawing string // step by step
	Replay  string // for adtinfer explore --replay
	Command string // the whole command
	Why     string // in a clause: why there is no interleaving; "" if there is one
}

// Explorer answers questions; nil if nobody can.
var Explorer func(ctx context.Context, q Question) (Answer, error)
