package ground

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// Groups says which operations of an execution can be left out together.
//
// Say the execution had a linearization that the theory admits. Leaving out
// completed operations must leave an admitted linearization: then what remains
// is no violation, and so a violation that remains is one of the whole. Whole
// matches may go, and which operations a completed one matches depends on the
// labels, up to pending operations that it may match; those that may share a
// match are one group. A pending operation may also be one that the
// linearization does not have, so pending ones that match what was left out
// can stay. But they must stay if they may match an operation that stays, for
// it might need them.
type Groups struct {
	// Sets are completed operations, in order; each set is a union of whole matches.
	Sets [][]int

	e        *history.Execution
	in       *Instance
	partners [][]int // by pending operation, the completed ones that it may share a match with, and targets
}

// Groups are the groups of an execution's operations.
func (t *Theory) Groups(ctx context.Context, e *history.Execution) (*Groups, error) {
	in, err := newInstance(ctx, t, e)
	if err != nil {
		return nil, err
	}
	p := &Groups{e: e, partners: make([][]int, len(e.Ops)), in: in}
	done := func(i int) bool { return e.Ops[i].Completed() }
	sets := newDisjoint(len(e.Ops))
	for y := range in.elems {
		target, first := in.elems[y].op, -1
		for _, m := range in.members[y] {
			x := in.elems[m].op
			switch {
			case done(x) && done(target):
				sets.union(x, target)
			case done(x) && first < 0:
				first = x
				p.partners[target] = append(p.partners[target], x)
			case done(x):
				sets.union(x, first)
				p.partners[target] = append(p.partners[target], x)
			case x != target:
				p.partners[x] = append(p.partners[x], target)
			}
		}
	}
	p.Sets = sets.list(done)
	return p, nil
}

// Restrict is the execution of the operations that are kept: completed ones as
// keep says, and the pending ones that may match these, or match a pending one
// that these may match. A whole match of pending operations is not needed.
func (p *Groups) Restrict(keep []bool) *history.Execution {
	kept := make([]bool, len(p.e.Ops))
	for i := range kept {
		kept[i] = keep[i] && p.e.Ops[i].Completed()
	}
	for more := true; more; {
		more = false
		for i := range kept {
			if !kept[i] && slices.ContainsFunc(p.partners[i], func(j int) bool { return kept[j] }) {
				kept[i], more = true, true
			}
		}
	}
	return Part(p.e, func(i int) bool { return kept[i] })
}

// Helpful is the execution without the pending operations that are nobody's match
// target and, as the matches in it show already, cannot have joined any. In what is
// made smaller further they might.
func (t *Theory) Helpful(ctx context.Context, e *history.Execution) (*history.Execution, error) {
	in, err := newInstance(ctx, t, e)
	if err != nil || in.excluded != "" {
		return e, err
	}
	pruned, err := in.prune(ctx)
	if err != nil {
		return e, err
	}
	needed := make([]bool, len(e.Ops))
	for _, x := range in.needed() {
		needed[x.op] = true
	}
	for i, x := range pruned.elems {
		other := func(j int) bool { return j != i }
		needed[x.op] = needed[x.op] || slices.ContainsFunc(pruned.targetsOf[i], other) || slices.ContainsFunc(pruned.members[i], other)
	}
	return Part(e, func(i int) bool { return needed[i] }), nil
}

// Part is some operations of an execution as an execution: its events are counted anew,
// without gaps.
func Part(e *history.Execution, in func(op int) bool) *history.Execution {
	part := &history.Execution{Object: e.Object}
	var times []int
	for i, o := range e.Ops {
		if !in(i) {
			continue
		}
		if times = append(times, o.Call); o.Completed() {
			times = append(times, o.Return)
		}
		part.Ops = append(part.Ops, o)
	}
	slices.Sort(times)
	for i := range part.Ops {
		o := &part.Ops[i]
		o.Call, _ = slices.BinarySearch(times, o.Call)
		if o.Completed() {
			o.Return, _ = slices.BinarySearch(times, o.Return)
		}
	}
	part.Events = len(times)
	return part
}

// Removable reports whether a completed operation may go alone: it is no match
// target, and read-only or a duplicate of one that is kept, if such may go.
func (p *Groups) Removable(i int, keep []bool, readOnly, duplicates bool) bool {
	in := p.in
	x := in.first[i]
	if !p.e.Ops[i].Completed() || len(in.members[x]) > 0 {
		return false
	}
	if readOnly && in.readOnly[x] {
		return true
	}
	if !duplicates || len(in.targetsOf[x]) == 0 {
		return false
	}
	for _, y := range in.members[in.targetsOf[x][0]] {
		j := in.elems[y].op
		if j != i && keep[j] && in.elems[y].used == solver.True && len(in.members[y]) == 0 && equal(in.Label(x), in.Label(y)) {
			return true
		}
	}
	return false
}

func equal(a, b *history.Label) bool {
	return a.Kind == b.Kind && slices.Equal(a.Args, b.Args) && slices.Equal(a.Rets, b.Rets)
}

// disjoint are disjoint sets of operations: by operation, another of its set, or
// itself.
type disjoint []int

func newDisjoint(n int) disjoint {
	u := make(disjoint, n)
	for i := range u {
		u[i] = i
	}
	return u
}

func (u disjoint) find(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// union joins two sets; the first of all operations stands for them.
func (u disjoint) union(i, j int) {
	i, j = u.find(i), u.find(j)
	u[max(i, j)] = min(i, j)
}

// list is the sets of the operations that belong, in order.
func (u disjoint) list(belongs func(int) bool) (sets [][]int) {
	at := map[int]int{}
	for i := range u {
		if !belongs(i) {
			continue
		}
		k, ok := at[u.find(i)]
		if !ok {
			k = len(sets)
			at[u.find(i)], sets = k, append(sets, nil)
		}
		sets[k] = append(sets[k], i)
	}
	return sets
}
