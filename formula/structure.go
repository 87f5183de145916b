package formula

import "github.com/adtinfer/adtinfer/history"

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
