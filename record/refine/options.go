package refine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Spec is the data type as a state machine: what an operation may return in a
// state, and the state after it. States are of type S.
//
// A Spec may also have these methods:
//
//	Clone(S) S      a copy: bracketed commits are tried in several orders
//	Key(S) string   the same for equal states only: fewer orders are tried
//	View(S) *Bag    the view: view refinement
//
// Without Clone the checker runs the operations from the beginning again when it
// goes back to try another order. The bag of View may be part of the state and be
// kept up to date by Step, which is fast; or it is built anew in every call.
type Spec[S any] interface {
	// New is the initial state.
	New() S

	// Step reports whether op, with the outcome and results it has, may take
	// effect in s, and returns the state after it, which may be s itself, changed.
	// If it may not, s stays as it was. An operation whose method is an observer
	// leaves it as it was in any case. If op has not returned (the log ended),
	// any result will do.
	Step(s S, op *Op) (S, bool)
}

type cloner[S any] interface{ Clone(S) S }
type keyer[S any] interface{ Key(S) string }
type viewer[S any] interface{ View(S) *Bag }

// Options say how a log is checked. The zero Options ask for I/O refinement, with
// a commit in every operation.
type Options struct {
	// Observers are the methods whose operations change nothing. They need no
	// Commit: the result must fit a state that the specification has between
	// the call and the return. One that commits all the same is checked there.
	Observers []string

	// View asks for view refinement. It is the view of the implementation, cell by
	// cell: it adds to b what the elements with index i of the recorded variables
	// contribute. It is called when one of them, or a lock on one, has changed. The
	// Spec has a View, too.
	View func(m *Memory, i int64, b *Bag)

	// Judge decides whether calls and returns alone are linearizable: it tells
	// a wrong implementation from a wrong annotation. Default: a search with
	// the Spec.
	Judge func(ctx context.Context, e *history.Execution) (check.Verdict, error)

	// NoTriage leaves a violation's Blame unknown.
	NoTriage bool

	// Limit bounds the entries that are run again to try other orders of
	// overlapping commits; default 20 million, about a few seconds of trying.
	Limit int

	// OnViolation is called once by Watch, in the verification goroutine, when a
	// violation shows. The Blame is Unknown then. It may call Stop, which then
	// does not wait, and returns the same Result.
	OnViolation func(Result)

	// Spill keeps goroutines from waiting for Watch: it reads a recorder with a
	// Limit through temporary files, which are removed as they have been read. If they are too
	// slow memory grows beyond the limit; if they cannot be written, as when the
	// disk is full, the recording ends.
	Spill bool

	newFile func() (spillFile, error) // of tests
}

const defaultLimit = 20_000_000

// setup is what all machines of a check share.
type setup[S any] struct {
	Options
	spec  Spec[S]
	names *tape.Names

	// wide: each operation may take effect at any time between its call and its
	// return; views are compared only where no operation runs.
	wide bool
}

func newSetup[S any](spec Spec[S], o Options, n *tape.Names) (*setup[S], error) {
	if spec == nil {
		return nil, fmt.Errorf("refine: the specification is missing: what is the log to be checked against?")
	}
	if _, ok := spec.(viewer[S]); o.View != nil && !ok {
		return nil, fmt.Errorf("refine: %T has no method View(%T) *refine.Bag: view refinement needs the specification's view", spec, *new(S))
	}
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	return &setup[S]{Options: o, spec: spec, names: n}, nil
}

func (s *setup[S]) observer(method string) bool { return slices.Contains(s.Observers, method) }

// observerNames lists the observers, for messages.
func (s *setup[S]) observerNames() string {
	names := slices.Compact(slices.Sorted(slices.Values(s.Observers)))
	if len(names) == 0 {
		return "there are none"
	}
	return "they are " + strings.Join(names, ", ")
}
