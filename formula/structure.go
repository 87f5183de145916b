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
