package monitor

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// manyValues is how many values a reason names that need not be made smaller. fewGroups is
// how many groups of operations are looked at first, and shrinkSteps how many operations,
// by those of the prefix, are looked at in all until what is left will do.
const (
	manyValues  = 16
	fewGroups   = 16
	shrinkSteps = 2
)

// enough lists some operations of the violating prefix of n events that are a violation by
// themselves: what is about few values, or finds nothing, together with the
// pending operations that may take any value.
//
// Each type that is decided here is closed under leaving out all operations on a value,
// and operations that find nothing: a linearization of the whole without them is one of
// the rest. Pending operations that took such a value take nothing there.
//
// First those are tried of which the last event comes last, then the rest is made smaller
// by halves. It takes O(n) beyond reading the columns, however much it achieves.
func (m *Procedure) enough(c *columns.Columns, n int32) []int32 {
	s := &shrinker{c: c, n: n, p: m.of.Shape.New(), left: shrinkSteps * c.Within(n), numbers: make([]int32, c.Values)}
	groups := s.groups()
	for k := fewGroups; k < len(groups); k *= 4 {
		if s.violates(groups[len(groups)-k:], nil) {
			groups = groups[len(groups)-k:]
			break
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
	c    *columns.Columns
	n    int32
	p    batch.Algorithm
	any  []int32 // pending operations that may take any value
	left int     // operations that may be looked at

	numbers []int32 // by value: 1 + its number in a part
}

// group is what stays or goes together: the operations on a value, or one on none.
type group struct {
	ops  []int32
	last int32 // the last event; of a value that nothing took the end
}

// groups lists what the prefix consists of, but for pending operations on any value, in
// the order of their last events.
func (s *shrinker) groups() []group {
	type life struct {
		group       int32 // 1 + its number
		added, gone bool
	}
	values := make([]life, s.c.Values)
	var all []group
	for i := range s.c.Within(s.n) {
		role, v, ret := s.c.In(i, s.n)
		last := min(ret, s.n)
		if ret > s.n {
			last = s.c.Call[i]
		}
		switch {
		case v < 0 && role == columns.MaybeRemove:
			s.any = append(s.any, int32(i))
			continue
		case v < 0:
			all = append(all, group{[]int32{int32(i)}, last})
			continue
		}
		x := &values[v]
		if x.group == 0 {
			all = append(all, group{})
			x.group = int32(len(all))
		}
		g := &all[x.group-1]
		g.ops, g.last = append(g.ops, int32(i)), max(g.last, last)
		x.added = x.added || role == columns.Add
		x.gone = x.gone || role == columns.Remove
	}
	for _, x := range values {
		if x.added && !x.gone {
			all[x.group-1].last = s.n
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
	part := s.part(ops)
	answer, _ := s.p.Decide(part, part.Events)
	return answer == batch.Violating
}

// part has some operations of the prefix, and no other events.
func (s *shrinker) part(ops []int32) *columns.Columns {
	var events []int32
	for _, i := range ops {
		if events = append(events, s.c.Call[i]); s.c.Ret[i] <= s.n {
			events = append(events, s.c.Ret[i])
		}
	}
	slices.Sort(events)
	at := func(event int32) int32 {
		k, _ := slices.BinarySearch(events, event)
		return int32(k) + 1
	}
	part := columns.New(len(ops))
	var used []int32
	number := func(v int32) int32 {
		if v < 0 {
			return v
		}
		if s.numbers[v] == 0 {
			used = append(used, v)
			s.numbers[v] = int32(len(used))
		}
		return s.numbers[v] - 1
	}
	for _, i := range ops {
		role, v, ret := s.c.In(int(i), s.n)
		o := columns.Op{Role: role, Value: number(v), Open: s.c.Open[i], Kind: s.c.Kind[i], Asked: number(s.c.Asked[i]), Call: at(s.c.Call[i]), Ret: columns.Never}
		if ret <= s.n {
			o.Ret = at(ret)
		}
		part.Push(o)
	}
	part.Events = int32(len(events))
	for _, v := range used {
		if s.numbers[v] = 0; s.c.Priority != nil {
			part.Priority = append(part.Priority, s.c.Priority[v])
		}
	}
	return part
}
