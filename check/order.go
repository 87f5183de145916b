package check

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/overlap"
)

// order is the order of a linearization, as literals: a total order, or an
// interval order if the theory's width is more than 1 (see interval.go).
// Operations are numbered in order of their calls. Pairs whose intervals decide
// them are constants; each overlapping pair has one variable, and its negation is
// the other direction, which has a variable of its own in an interval order.
type order struct {
	ops   []history.Operation
	width int

	// overlaps[b] lists the operations that were called before b and had not
	// returned when b was called; first[b] is the variable of "overlaps[b][0]
	// before b", and the others follow it.
	overlaps [][]int32
	first    []formula.Lit
	after    []formula.Lit // likewise, of "b before overlaps[b][0]"; nil in a total order

	byReturn []int32 // completed operations
}

// maxPairs bounds the overlapping pairs: each is a variable.
const maxPairs = overlap.MaxPairs

// errOverlap is the error of an execution with more than maxPairs.
var errOverlap = overlap.ErrTooMany

func newOrder(ctx context.Context, ops []history.Operation, width int, c *formula.Circuit) (*order, error) {
	o := &order{ops: ops, width: width, overlaps: make([][]int32, len(ops)), first: make([]formula.Lit, len(ops))}
	if width > 1 {
		o.after = make([]formula.Lit, len(ops))
	}
	var active []int32
	pairs := 0
	for b := range ops {
		active = slices.DeleteFunc(active, func(a int32) bool { return o.precedes(int(a), b) })
		o.overlaps[b] = slices.Clone(active)
		if pairs += len(active); pairs > maxPairs {
			return nil, errOverlap
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o.first[b] = c.Vars(len(active))
		if o.after != nil {
			o.after[b] = c.Vars(len(active))
		}
		active = append(active, int32(b))
		if ops[b].Completed() {
			o.byReturn = append(o.byReturn, int32(b))
		}
	}
	slices.SortFunc(o.byReturn, func(a, b int32) int { return ops[a].Return - ops[b].Return })
	return o, nil
}

// precedes tells whether a returned before b was called.
func (o *order) precedes(a, b int) bool {
	return o.ops[a].Completed() && o.ops[a].Return < o.ops[b].Call
}

// before is the literal of "a before b".
func (o *order) before(a, b int) formula.Lit {
	switch {
	case a == b:
		return formula.False
	case a > b && o.after == nil:
		return -o.before(b, a)
	case a > b && o.precedes(b, a):
		return formula.False
	case a > b:
		i, _ := slices.BinarySearch(o.overlaps[a], int32(b))
		return o.after[a] + formula.Lit(i)
	case o.precedes(a, b):
		return formula.True
	}
	i, _ := slices.BinarySearch(o.overlaps[b], int32(a))
	return o.first[b] + formula.Lit(i)
}

// axioms yields the clauses of operation c that make the literals a strict total
// order. A tournament is transitive iff it has no cycle of three, and only two
// sorts of triples can have one:
//
// Three operations that overlap pairwise are all running when the last of
// them, c, is called, so they are found in its overlaps.
//
// If a precedes c and b overlaps both, then b before a implies b before c.
// Where some operation lies between a and c in time, b overlaps it, too, and
// the implication follows from two others; so a is only taken among the
// immediate predecessors of c.
//
// The clauses of all operations number O(n w²) for n operations, at most w of
// them running at a time.
func (o *order) axioms(c int, yield func(ls ...formula.Lit)) {
	done, _ := slices.BinarySearchFunc(o.byReturn, o.ops[c].Call, func(a int32, call int) int { return o.ops[a].Return - call })
	for i, b := range o.overlaps[c] {
		bc := o.first[c] + formula.Lit(i)
		for k, a := range o.overlaps[c][:i] {
			ac, ab := o.first[c]+formula.Lit(k), o.before(int(a), int(b))
			yield(-ab, -bc, ac)
			yield(ab, bc, -ac)
		}
		lastCall := o.ops[b].Call // the latest call among the operations between a and c
		for k := done - 1; k >= 0; k-- {
			a := int(o.byReturn[k])
			if o.ops[a].Return < lastCall {
				break
			}
			yield(o.before(a, int(b)), bc)
			lastCall = max(lastCall, o.ops[a].Call)
		}
	}
}
