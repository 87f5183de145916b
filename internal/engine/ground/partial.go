package ground

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/solver"
)

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
	Used(i int) solver.Lit // the element takes part
	Before(i, j int) solver.Lit

	// Match says that i and j take part and j is the match target of i.
	Match(i, j int) solver.Lit
	// Unmatched says that i takes part and has no match target.
	Unmatched(i int) solver.Lit
	// Members lists, in order, every i whose Match(i, j) is not False.
	Members(j int) []int
	// Targets lists, in order, every j for which Match(i, j) is not False.
	Targets(i int) []int
}

// Timed is a Partial whose order comes from intervals. Ground then assumes that
// the order's literals are only ever read as a strict total order, and looks
// only at elements that can lie where a formula wants them.
type Timed interface {
	Partial

	// Between appends to dst every element that can come after the element
	// after and before the element before; -1 is no bound.
	Between(dst []int, after, before int) []int
}

// Exclusive is a Partial some of whose elements never take part together. Ground
// leaves out tuples of such.
type Exclusive interface {
	Partial

	// Apart reports whether two different elements exclude each other.
	Apart(i, j int) bool
}
