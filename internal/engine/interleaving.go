package engine

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// Question is a type, and the history that one run of it had.
type Question struct {
	Dir  string // of the package that the type is in, or its import path
	Type string // the type's name
	New  string // Go expression of the package that makes the object, such as New(4); "": the type's own constructor

	// Operations is how methods of the history go in Go: Push for push.
	Operations map[string]string

	// Execution is the history. Processes are its processes, in the order in which they are drawn; each
	// is a goroutine, and the last one, if it is Sequential, makes the calls before and after the others.
	Execution  *history.Execution
	Processes  []string
	Sequential bool

	// Stuck says that operations without a return waited for ever.
	Stuck bool
}

// Answer is an interleaving with the history that was asked for, or why there is none.
type Answer struct {
	Drawing string   // step by step
	Replay  string   // for adtinfer explore --replay
	Command []string // the whole command, word by word
	Notes   []string // what else is to be known: that the code has a data race
	Why     string   // in a clause: why there is no interleaving; "" if there is one
}

// Explorer answers questions; nil if nobody can. What cannot be found out is an Answer's Why; the error is
// for what must not happen.
var Explorer func(ctx context.Context, q Question) (Answer, error)
