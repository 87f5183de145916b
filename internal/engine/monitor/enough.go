package monitor

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// manyValues is how many values a reason names that need not be made smaller. What comes up
// to within fewEvents of the end is looked at first, or within manyEvents if few values are left. shrinkSteps is
// how many operations, by those of the prefix and some, are looked at in all until what is left will do.
const (
	manyValues  = 16
	fewEvents   = 64
	manyEvents  = 256
	shrinkSteps = 2
)

// enough lists some operations of the violating prefix of n events that are a violation by
// themselves: what is about few values, or finds nothing, together with the
// pending operations that may take any value.
//
// Each type that is decided here but the exchanger, whose reasons are small, is closed
// under leaving out all operations on a value, and operations that find nothing: a
// linearization of the whole without them is one of the rest. Pending operations that took such a value take nothing there.
//
// First those are tried of which the last event comes last, more and more of them, then what
// is enough is made smaller by halves. It takes O(n log n), however much it achieves.
//
// Of values that nothing took, some of those that are blamed are tried before all of them.
func (m *Procedure) enough(ctx context.Context, c *batch.Columns, n int32, blamed []int32) []int32 {
	s := &shrinker{c: c, n: n, p: m.algorithm(ctx), left: shrinkSteps * (c.Within(n) + 10_000)}
	if p, ok := s.p.(batch.Stopping); ok {
		p.StopWhen(func() bool { s.left -= s.size; return s.left < 0 || ctx.Err() != nil })
	}
	last, left := s.lasts()
	groups := s.groups(s.upTo(last, s.some(left, blamed)), n-manyEvents)
	if !s.violates(groups, nil) {
		last = s.upTo(last, left)
		for k := int32(fewEvents); ; k *= 4 {
			if groups = s.groups(last, n-k); k >= n || s.violates(groups, nil) {
				break
			}
		}
	}
	for size := (len(groups) + 1) / 2; size > 0 && s.left > 0; size /= 2 {
		for at := 0; at < len(groups) && s.left > 0; {
			end := min(at+size, len(groups))
			if s.violates(groups[:at], groups[end:]) {
				groups = slices.Concat(groups[:at], groups[end:])
			} else {
				at = end
			}
		}
	}
	return s.ops(groups)
}

// shrinker looks for few operations of a prefix that violate.
type shrinker struct {
	c    *batch.Columns
	n    int32
	p    batch.Algorithm
	any  []int32 // pending operations that may take any value
	left int     // operations that may be looked at, each as often as a search looks at it
	size int     // of what is decided
}

// group is what stays or goes together: the operations on a value, or one on none.
type group struct {
	ops  []int32
	last int32 // the last event; of a value that nothing took the end
}

// lasts are the last events of values, and which of them nothing took.
func (s *shrinker) lasts() (last []int32, left []bool) {
	last, left = make([]int32, s.c.Values), make([]bool, s.c.Values)
	for v := range left {
		left[v] = true
	}
	for i := range s.c.Within(s.n) {
		role, v, _ := s.c.In(i, s.n)
		switch {
		case v < 0 && role == batch.MaybeRemove:
			s.any = append(s.any, int32(i))
		case v >= 0:
			last[v] = max(last[v], s.last(i))
			left[v] = left[v] && role != batch.Remove // which may be called before the add
		}
	}
	return last, left
}

// upTo are last events, but of some values the end.
func (s *shrinker) upTo(last []int32, some []bool) []int32 {
	last = slices.Clone(last)
	for v, is := range some {
		if is {
			last[v] = s.n
		}
	}
	return last
}

// some are the first of the blamed values that nothing took: more than pending operations can take.
func (s *shrinker) some(left []bool, blamed []int32) []bool {
	some, n := make([]bool, len(left)), 2*len(s.any)+manyValues
	for _, v := range blamed {
		if some[v] = left[v] && n > 0; some[v] {
			n--
		}
	}
	return some
}

// last is the last event of an operation.
func (s *shrinker) last(i int) int32 {
	if s.c.Ret[i] <= s.n {
		return s.c.Ret[i]
	}
	return s.c.Call[i]
}

// groups lists what goes on to after some event, but for pending operations on any value, in
// the order of the last events.
func (s *shrinker) groups(last []int32, after int32) (all []group) {
	of := map[int32]int{}
	for i := range s.c.Within(s.n) {
		role, v, _ := s.c.In(i, s.n)
		switch {
		case v < 0 && (role == batch.MaybeRemove || s.last(i) < after), v >= 0 && last[v] < after:
		case v < 0:
			all = append(all, group{[]int32{int32(i)}, s.last(i)})
		default:
			k, ok := of[v]
			if !ok {
				k = len(all)
				of[v], all = k, append(all, group{last: last[v]})
			}
			all[k].ops = append(all[k].ops, int32(i))
		}
	}
	slices.SortStableFunc(all, func(a, b group) int { return int(a.last - b.last) })
	return all
}

// ops lists the operations of groups, and the pending ones on any value, in order.
func (s *shrinker) ops(groups ...[]group) []int32 {
	ops := slices.Clone(s.any)
	for _, some := range groups {
		for i := range some {
			ops = append(ops, some[i].ops...)
		}
	}
	slices.Sort(ops)
	return ops
}

// violates reports whether the operations of groups alone are a violation, as far as the
// procedure knows.
func (s *shrinker) violates(a, b []group) bool {
	ops := s.ops(a, b)
	if s.left -= len(ops); s.left < 0 {
		return false
	}
	s.size = len(ops)
	part, _ := s.c.Part(ops, s.n)
	answer, _ := s.p.Decide(part, part.Events)
	return answer == batch.Violating
}
