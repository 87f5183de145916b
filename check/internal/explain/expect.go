package explain

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
)

// Found is what Find finds.
type Found struct {
	Answers
	Known bool // the answers are known of the whole

	// Part are the operations that matter, with the one that returned last. If Minimal
	// the answers are those of Part alone, and without any one of the others they are
	// not.
	Part    *history.Execution
	Minimal bool
	Many    bool // it is not, for there would be too many to read

	// Undone is an operation, none of Part, after which the wrong answer would be right, but for
	// what others did; nil if there is none, or Part shows it.
	Undone *history.Operation
}

// most is how many operations are given that may not all matter, but for the last one.
const most = 10

// Find finds what the operation that returns last may answer, and the operations from
// which it follows. What is not known when the context ends is not looked for.
func Find(ctx context.Context, a Asker, e *history.Execution) Found {
	f := &finder{ctx: ctx, asker: a, e: e, last: Last(e), keep: make([]bool, len(e.Ops))}
	want, err := a.Possible(ctx, e)
	found := Found{Answers: want, Known: err == nil && want.Fits && (len(want.Labels) > 0 || want.Waits())}
	f.want = want
	f.rank()
	if found.Known && f.begin() {
		first := slices.Clone(f.keep)
		f.shrink()
		found.Minimal = f.err == nil
		small := slices.Clone(f.keep)
		switch {
		case !found.Minimal:
		case !f.tempting(), f.again(first), f.again(slices.Repeat([]bool{true}, len(f.keep))):
			for f.leavePair() {
			}
		default:
			copy(f.keep, small) // which will do, unless a long log would be left without any
			found.Undone = f.undone()
			found.Many = len(f.keep) > mostSingle && !slices.Contains(small, true)
			found.Minimal, f.err = !found.Many, nil
		}
	}
	if !found.Minimal {
		f.nearest(f.begun && !found.Many)
	}
	found.Part = f.part()
	return found
}

// Last is the number of the operation that returns last.
func Last(e *history.Execution) int {
	last := 0
	for i := range e.Ops {
		if e.Ops[i].Return > e.Ops[last].Return {
			last = i
		}
	}
	return last
}

// finder leaves operations out.
type finder struct {
	ctx   context.Context
	asker Asker
	e     *history.Execution
	last  int
	want  Answers
	keep  []bool // by operation; the last one is always kept
	begun bool   // those that are kept have the answers that are wanted
	err   error  // why no more is found out

	wrong []bool // by operation: it has a value of the wrong answer
	ranks []int  // by operation: how much it has to do with the last one, the most first
}

func (f *finder) part() *history.Execution {
	return ground.Part(f.e, func(i int) bool { return f.keep[i] || i == f.last })
}

// does reports whether the operations that are kept will do.
func (f *finder) does() bool {
	if f.err = f.ctx.Err(); f.err != nil {
		return false
	}
	got, err := f.asker.Possible(f.ctx, f.part())
	f.err = f.ctx.Err()
	return err == nil && got.same(&f.want)
}

// telling reports whether a value tells operations apart.
func telling(v history.Value) bool { return v != "true" && v != "false" }

// rank finds out what operations have to do with the last one.
func (f *finder) rank() {
	o := &f.e.Ops[f.last]
	has := func(values []history.Value) map[history.Value]bool {
		m := map[history.Value]bool{}
		for _, v := range values {
			m[v] = telling(v)
		}
		return m
	}
	args, answered, right := has(o.Args), has(o.Rets), map[history.Value]bool{}
	for _, l := range f.want.Labels {
		for _, v := range l.Rets {
			right[v] = telling(v)
		}
	}
	f.wrong, f.ranks = make([]bool, len(f.e.Ops)), make([]int, len(f.e.Ops))
	for i := range f.e.Ops {
		own := &f.e.Ops[i]
		rank := 4
		if !own.Completed() || own.Return > o.Call {
			rank = 3
		}
		for _, v := range slices.Concat(own.Args, own.Rets) {
			f.wrong[i] = f.wrong[i] || answered[v]
			switch {
			case args[v]:
				rank = min(rank, 1)
			case answered[v], right[v]:
				rank = min(rank, 2)
			}
		}
		if len(o.Args) > 0 && len(own.Args) > 0 && own.Args[0] == o.Args[0] {
			rank = 0
		}
		f.ranks[i] = rank
	}
}

// begin looks for operations that will do: those that share an argument or a value with the
// last one, the end of an order (of a lock, since it was free), those that came last, all.
func (f *finder) begin() bool {
	tries := []func(i int) bool{
		func(i int) bool { return f.ranks[i] <= 0 },
		func(i int) bool { return f.ranks[i] <= 1 },
		func(i int) bool { return f.ranks[i] <= 2 },
	}
	for n := 1; n < min(len(f.want.Order), mostSingle); n += max(1, n/4) {
		tries = append(tries, f.endOf(f.want.Order[len(f.want.Order)-n:]))
	}
	for n := 8; n < len(f.e.Ops); n *= 4 {
		first := len(f.e.Ops) - n
		tries = append(tries, func(i int) bool { return i >= first }, func(i int) bool { return i >= first || f.ranks[i] <= 2 })
	}
	before := -1
	for k, try := range append(tries, func(int) bool { return true }) {
		n := 0
		for i := range f.keep {
			if f.keep[i] = i != f.last && try(i); f.keep[i] {
				n++
			}
		}
		if n == before || n == 0 && k < len(tries) {
			continue
		}
		if before = n; n == len(f.e.Ops)-1 || f.does() {
			f.begun = true
			return true
		}
		if f.err != nil {
			return false
		}
	}
	return false
}

// endOf tells the operations of an order's end.
func (f *finder) endOf(end []history.Operation) func(i int) bool {
	in := map[string]bool{}
	for i := range end {
		in[end[i].ID] = true
	}
	return func(i int) bool { return in[f.e.Ops[i].ID] }
}

// shrink leaves operations out until none can be left out.
func (f *finder) shrink() {
	groups := f.groups()
	for size := (len(groups) + 1) / 2; size > 0; size /= 2 {
		var left [][]int
		for chunk := range slices.Chunk(groups, size) {
			if !f.leave(slices.Concat(chunk...)) {
				left = append(left, chunk...)
			}
			if f.err != nil {
				return
			}
		}
		groups = left
	}
	f.singles()
}

// singles leaves operations out, one by one, until none can be left out.
func (f *finder) singles() {
	for again := true; again; {
		again = false
		for _, i := range f.leastFirst() {
			if f.keep[i] && f.leave([]int{i}) {
				again = true
			}
			if f.err != nil {
				return
			}
		}
	}
}

// leastFirst are the operations in the order in which they are left out: pending ones first, for a reader must think of when
// they took effect; those with a value of the wrong answer last.
func (f *finder) leastFirst() []int {
	class := func(i int) int {
		switch {
		case f.wrong[i]:
			return 2
		case f.e.Ops[i].Completed():
			return 1
		}
		return 0
	}
	ops := make([]int, len(f.keep))
	for i := range ops {
		ops[i] = i
	}
	slices.SortStableFunc(ops, func(i, j int) int { return class(i) - class(j) })
	return ops
}

// What is looked at so that the reason is no coincidence: an account that was never filled pays
// out no 3, either, but who reads that knows of a deposit.
const (
	mostTempting = 300 // operations that are added to those that are kept
	mostSingle   = 64  // operations that are left out one by one
)

// tempting reports whether the wrong answer would be right with some operation that was left
// out.
func (f *finder) tempting() bool {
	n := 0
	for i := range f.keep {
		if f.keep[i] || i == f.last {
			continue
		}
		if n++; n > mostTempting || f.ctx.Err() != nil {
			return false
		}
		if f.tempts(i) {
			return true
		}
	}
	return false
}

// tempts reports whether the wrong answer would be right with one more operation.
func (f *finder) tempts(i int) bool {
	o := &f.e.Ops[f.last]
	f.keep[i] = true
	got, err := f.asker.Possible(f.ctx, f.part())
	f.keep[i] = false
	return err == nil && slices.ContainsFunc(got.Labels, func(l history.Label) bool { return l.Kind == o.Kind && slices.Equal(l.Rets, o.Rets) })
}

// undone is the last operation that is left out and has a value of the wrong answer, which would be
// right with it; nil if there is none.
func (f *finder) undone() *history.Operation {
	for i := len(f.keep) - 1; i >= 0 && f.ctx.Err() == nil; i-- {
		if !f.keep[i] && i != f.last && f.wrong[i] && f.tempts(i) {
			return &f.e.Ops[i]
		}
	}
	return nil
}

// again leaves out operations one by one, never several at once: what they do to each other
// stays. It begins with those that have least to do with the last one. It reports whether few
// are left, and the wrong answer stays wrong with any other.
func (f *finder) again(of []bool) bool {
	var ops []int
	for i := range of {
		if f.keep[i] = of[i] && i != f.last; f.keep[i] {
			ops = append(ops, i)
		}
	}
	if len(ops) > mostSingle {
		return false
	}
	slices.SortStableFunc(ops, func(a, b int) int { return f.ranks[b] - f.ranks[a] })
	for n := len(ops) + 1; len(ops) < n && f.err == nil; {
		n = len(ops)
		ops = slices.DeleteFunc(ops, func(i int) bool { return f.err == nil && f.leave([]int{i}) })
	}
	return f.err == nil && len(ops) <= most && !f.tempting()
}

// leavePair leaves two operations out that only can go together, of few that do not tempt: one that puts a value in and
// one that takes it out. It reports whether there are such two, and the rest does not tempt, either.
func (f *finder) leavePair() bool {
	var kept []int
	for i, keep := range f.keep {
		if keep {
			kept = append(kept, i)
		}
	}
	if len(kept) > most {
		return false
	}
	before := slices.Clone(f.keep)
	for k, i := range kept {
		for _, j := range kept[:k] {
			if !f.leave([]int{j, i}) {
				continue
			}
			if f.singles(); f.err == nil && !f.tempting() {
				return true
			}
			copy(f.keep, before)
		}
	}
	return false
}

// groups are the operations without values of the wrong answer, by the first value that each
// has.
func (f *finder) groups() (groups [][]int) {
	number := map[history.Value]int{}
	for i := range f.keep {
		if !f.keep[i] || f.wrong[i] {
			continue
		}
		n, known := len(groups), false
		if values := slices.Concat(f.e.Ops[i].Args, f.e.Ops[i].Rets); len(values) > 0 && telling(values[0]) {
			if n, known = number[values[0]]; !known {
				n = len(groups)
				number[values[0]] = n
			}
		}
		if !known {
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], i)
	}
	return groups
}

// leave leaves operations out if the others will do.
func (f *finder) leave(ops []int) bool {
	set := func(to bool) {
		for _, i := range ops {
			f.keep[i] = to
		}
	}
	set(false)
	if f.does() {
		return true
	}
	set(true)
	return false
}

// nearest keeps the operations that have most to do with the last one, of those that are
// kept or of all.
func (f *finder) nearest(kept bool) {
	var ops []int
	for i := range f.keep {
		if i != f.last && (f.keep[i] || !kept) {
			ops = append(ops, i)
		}
		f.keep[i] = false
	}
	slices.SortStableFunc(ops, func(a, b int) int {
		if f.ranks[a] != f.ranks[b] {
			return f.ranks[a] - f.ranks[b]
		}
		return b - a
	})
	for _, i := range ops[:min(most, len(ops))] {
		f.keep[i] = true
	}
}
