package ground

import (
	"context"

	"github.com/adtinfer/adtinfer/internal/solver"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
)

// order is the order of a linearization, as literals: a total order, or an
// interval order if the theory's width is more than 1 (see interval.go).
// Operations are numbered in order of their calls. Pairs whose intervals decide
// them are constants; each overlapping pair has one variable, and its negation is
// the other direction, which has a variable of its own in an interval order.
type order struct {
	*logs.Overlaps
	width int
	first []solver.Lit // by operation b: the variable of "Earlier[b][0] before b"; the others follow it
	after []solver.Lit // likewise, of "b before Earlier[b][0]"; nil in a total order
}

func newOrder(ctx context.Context, ops []history.Operation, width int, c *solver.Circuit) (*order, error) {
	overlaps, err := logs.Of(ctx, ops)
	if err != nil {
		return nil, err
	}
	o := &order{Overlaps: overlaps, width: width, first: make([]solver.Lit, len(ops))}
	if width > 1 {
		o.after = make([]solver.Lit, len(ops))
	}
	for b, earlier := range o.Earlier {
		o.first[b] = c.Vars(len(earlier))
		if o.after != nil {
			o.after[b] = c.Vars(len(earlier))
		}
	}
	return o, nil
}

// precedes reports whether a returned before b was called.
func (o *order) precedes(a, b int) bool { return o.Precedes(int32(a), int32(b)) }

// before is the literal of "a before b".
func (o *order) before(a, b int) solver.Lit {
	switch {
	case a == b:
		return solver.False
	case a > b && o.after == nil:
		return -o.before(b, a)
	case a > b && o.precedes(b, a):
		return solver.False
	case a > b:
		return o.after[a] + solver.Lit(o.Index(int32(b), int32(a)))
	case o.precedes(a, b):
		return solver.True
	}
	return o.first[b] + solver.Lit(o.Index(int32(a), int32(b)))
}

// axioms yields the clauses of operation c that make the literals a strict total
// order: package logs says which are enough.
func (o *order) axioms(c int, yield func(ls ...solver.Lit)) {
	for i, b := range o.Earlier[c] {
		bc := o.first[c] + solver.Lit(i)
		for k, a := range o.Earlier[c][:i] {
			ac, ab := o.first[c]+solver.Lit(k), o.before(int(a), int(b))
			yield(-ab, -bc, ac)
			yield(ab, bc, -ac)
		}
		o.Predecessors(b, int32(c), nil, func(a int32) { yield(o.before(int(a), int(b)), bc) })
	}
}
