package views

import (
	"errors"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Observer is a specification as a deterministic automaton over calls with their answers; one of
// package monitor's.
type Observer interface {
	Start() int32
	// Step is the state after an operation; ok is false if it may not come in the state.
	Step(state, call, answer int32) (next int32, ok bool, err error)
}

// Problem is what is to be proved.
type Problem struct {
	Shared   *machine.Shared                // for views; see machine.ForViews
	Observer Observer                       // nil: only safety is proved
	Answer   func(raw int32) (int32, error) // the observer's number of a machine's answer
	Start    func() error                   // what is to be done before it starts again; or nil
}

// Options say how to prove.
type Options struct {
	// Cap bounds the objects that one thread reaches, 0 for none: views with more are cut.
	Cap      int
	Memory   int64       // bytes that views may take, about; 0: any
	Progress func(Stats) // called now and then
}

// Stats are figures of a proof.
type Stats struct {
	Views   int // that were found
	Keys    int // their global parts, with states of the observer
	Actions int
	Applied int64 // how often an action was applied to a view
	Cut     int64 // how often a view had more objects than Options.Cap
	Objects int   // that one thread reaches, the most
	Again   int   // how often it started again
	Bytes   int64 // that the views take, about
	Elapsed time.Duration
}

// ErrMemory says that a proof ended because views took as much memory as they may.
var ErrMemory = errors.New("the memory that may be used is full")

// Result says whether the program is proved.
type Result struct {
	Proved  bool
	Finding *Finding // why it is not; nil if it is
	Stats   Stats
}

// Finding is why a program is not proved.
type Finding struct {
	Text string // in words
	Pos  int32  // of the directive or the access, in Program.Positions; 0 if there is none
	Also int32  // of a race: the other access
	Call int32  // that is running, or begins, -1: none
	View string // in words
	// Fault, if the machine has found it.
	Fault *machine.Fault
}

// Error is the finding in words.
func (f *Finding) Error() string { return f.Text }
