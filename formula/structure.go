package formula

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// A Structure is what a formula is interpreted over: finitely many operations,
// numbered from 0, with labels, an order and a matching.
type Structure interface {
	Len() int
	Label(i int) *history.Label // Outcome is history.Pending while pending
	Before(i, j int) bool
	Match(i int) int // the match target, or history.Unmatched
	ReadOnly(i int) bool
	Completed(i int) bool
}

// Until is a structure that is empty from the end of the context on, so that
// evaluating a formula in it, however many variables there are, ends then. What
// the formula said is worth nothing.
func Until(ctx context.Context, s Structure) Structure { return until{s, ctx} }

type until struct {
	Structure
	ctx context.Context
}

func (u until) Len() int {
	if u.ctx.Err() != nil {
		return 0
	}
	return u.Structure.Len()
}

// A Partial is a structure in which order, presence and matching may still be
// open: such facts are literals of a circuit. True and False are circuit
// constants, so closed facts cost nothing.
//
// Elements are candidate operations: a completed operation is one element with
// Used = True, a pending one is one element per outcome it might have, each
// with its own Used literal.
type Partial interface {
	Len() int
	Label(i int) *history.Label
	ReadOnly(i int) bool
	Used(i int) Lit // the element takes part
	Before(i, j int) Lit

	// Match says that i and j take part and j is the match target of i.
	Match(i, j int) Lit
	// Unmatched says that i takes part and has no match target.
	Unmatched(i int) Lit
	// Members lists, in order, every i whose Match(i, j) is not False.
	Members(j int) []int
	// Targets lists, in order, every j for which Match(i, j) is not False.
	Targets(i int) []int
}

// Lit is a literal of a Circuit; -l is its negation. True and False are the
// constants.
type Lit int32

const (
	True  Lit = 1
	False Lit = -1
)
