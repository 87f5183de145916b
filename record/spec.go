package record

// Spec is the data type as a state machine: what an operation may return in a
// state, and the state after it. States are of type S.
//
// A Spec may also have these methods, each asked for where it says so:
//
//	Clone(S) S      a copy: bracketed commits are tried in several orders
//	Key(S) string   the same for equal states only: fewer orders are tried
//	View(S) *Bag    the view, kept up to date or built anew: view refinement
type Spec[S any] interface {
	// New is the initial state.
	New() S

	// Step tells whether op, with the outcome and results it has, may take
	// effect in s, and the state after it, which may be s itself, changed. If
	// it may not, s stays as it was. An operation whose method is an observer
	// leaves it as it was in any case. If op has not returned (the log ended),
	// any result will do.
	Step(s S, op *Op) (S, bool)
}

// Cloner is a Spec that copies states. Without it the checker runs the
// operations from the beginning again when it goes back to try another order.
type Cloner[S any] interface{ Clone(S) S }

// Keyer is a Spec that tells equal states.
type Keyer[S any] interface{ Key(S) string }

// Viewer is a Spec with a view. The bag may be part of the state and be kept up
// to date by Step, which is fast; or it is built anew in every call.
type Viewer[S any] interface{ View(S) *Bag }

// ViewFunc is the view of an implementation, cell by cell: it adds to b what
// the elements with index i of the recorded variables contribute. It is called
// when one of them, or a lock on one, has changed.
type ViewFunc func(m *Memory, i int64, b *Bag)
