package ground

import (
	"context"
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// Theories of a width w beyond 1 are about histories in which up to w operations
// take effect together. An execution is admitted if one of these is at least as
// strong ("Monitoring refinement" §2): a strict partial order that contains the
// execution's and that intervals can have,
//
//	before(a, b) & before(c, d) -> before(a, d) | before(c, b)
//
// with no more than w operations that are pairwise unordered, where pending
// operations are completed or left out, and which satisfies the theory. With
// w = 1 that is a linearization.
//
// Operations that are left out need no care: one that has not returned precedes
// nothing, so they can come last, one by one.

// maxAntichains bounds the clauses about operations that one call adds.
const maxAntichains = 1000

// antichains yields the clauses "some of these are ordered" for more operations
// than the width that are pairwise unordered in a model, operation c the one
// called last of them. All of them overlap, so they are running when c is called.
func (o *order) antichains(c int, holds func(solver.Lit) bool, yield func(ls []solver.Lit)) {
	chosen, n := []int{c}, 0
	var extend func(from int)
	extend = func(from int) {
		if len(chosen) > o.width {
			if n++; n <= maxAntichains {
				yield(o.someOrdered(chosen))
			}
			return
		}
		for i := from; i < len(o.Earlier[c]) && n < maxAntichains; i++ {
			b := int(o.Earlier[c][i])
			ordered := func(a int) bool { return holds(o.before(a, b)) || holds(o.before(b, a)) }
			if !slices.ContainsFunc(chosen, ordered) {
				chosen = append(chosen, b)
				extend(i + 1)
				chosen = chosen[:len(chosen)-1]
			}
		}
	}
	extend(0)
}

func (o *order) someOrdered(ops []int) (ls []solver.Lit) {
	for i, a := range ops {
		for _, b := range ops[:i] {
			ls = append(ls, o.before(a, b), o.before(b, a))
		}
	}
	return ls
}

// crossings lists clauses that a model breaks because no intervals have its
// order: a precedes b and c precedes d, but neither a precedes d nor c precedes b.
// With c = b that says that the order is transitive, and then with d = a, too, that
// it has no cycles. Intervals have an order if and only if of any two operations
// one has all predecessors of the other; it is enough to look at neighbours by
// number of predecessors. It takes O(n²/64) for n operations.
func (o *order) crossings(ctx context.Context, holds func(solver.Lit) bool) (clauses [][]solver.Lit, err error) {
	preds := o.predecessors(holds)
	count, byCount := make([]int, len(preds)), make([]int, len(preds))
	for b := range preds {
		byCount[b], count[b] = b, preds[b].len()
	}
	slices.SortStableFunc(byCount, func(a, b int) int { return count[a] - count[b] })
	for i := 1; i < len(byCount) && len(clauses) < logs.MaxBroken; i++ {
		if i&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b, d := byCount[i-1], byCount[i]
		for _, a := range preds[b].without(preds[d]) {
			for _, c := range preds[d].without(preds[b]) {
				clauses = append(clauses, []solver.Lit{-o.before(a, b), -o.before(c, d), o.before(a, d), o.before(c, b)})
			}
		}
	}
	return clauses, nil
}

// predecessors are those of each operation in a model.
func (o *order) predecessors(holds func(solver.Lit) bool) []set {
	preds := make([]set, len(o.Spans))
	over, done := make(set, (len(o.Spans)+63)/64), 0 // what returned before b was called
	for b := range preds {
		for ; done < len(o.ByReturn) && o.precedes(int(o.ByReturn[done]), b); done++ {
			over.add(int(o.ByReturn[done]))
		}
		preds[b] = slices.Clone(over)
	}
	for b, earlier := range o.Earlier {
		for i, a := range earlier {
			if holds(o.first[b] + solver.Lit(i)) {
				preds[b].add(int(a))
			}
			if holds(o.after[b] + solver.Lit(i)) {
				preds[a].add(b)
			}
		}
	}
	return preds
}

// set is a set of small numbers.
type set []uint64

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s set) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// without lists the members that t does not have.
func (s set) without(t set) (members []int) {
	for i, w := range s {
		for w &^= t[i]; w != 0; w &= w - 1 {
			members = append(members, 64*i+bits.TrailingZeros64(w))
		}
	}
	return members
}
