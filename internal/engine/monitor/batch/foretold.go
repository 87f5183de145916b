package batch

import (
	"cmp"
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// foretold has the pending removes of a prefix take what they return later in the execution, and
// reports whether all fits then. What returns next takes nothing: where that is what goes wrong,
// the prefix is the longest that is linearizable. Nor does what would be taken at a time when
// nothing fits. Any choice will do, see docs/proofs/pending-operations.md.
func (s *taking) foretold(c *columns.Columns) bool {
	var taken []int32
	for i := range c.Within(s.n) {
		if ret := c.Ret[i]; ret <= s.n+1 || ret == columns.Never || c.Role[i] != columns.Remove {
			continue
		}
		if v := c.Value[i]; int(v) < len(s.values) && s.isLeft(&s.values[v]) {
			s.values[v].rs = c.Call[i]
			taken = append(taken, v)
		}
	}
	for range taken {
		f, a := s.check(c)
		if a == Linearizable {
			return true
		}
		if f.op >= 0 || len(f.values) != 1 || !slices.Contains(taken, f.values[0]) {
			break
		}
		s.values[f.values[0]].rs = s.n + 1
	}
	for _, v := range taken {
		s.values[v].rs = s.n + 1
	}
	return false
}

// Of how many values that are left, by the pending removes, and of how many last events' values a
// small part is made.
const (
	moreLeft   = 16
	lastEvents = 256
)

// crowded reports whether it is a violation for few values that are left, and what was removed last,
// whatever pending removes take. Whatever is left out, the rest of what is linearizable is.
func (s *taking) crowded(c *columns.Columns, f failure) bool {
	var picked []int32
	pick := func(f failure) {
		left := s.inTheWay(c, f)
		picked = append(picked, left[:min(len(left), 2*len(s.pending)+moreLeft)]...)
		if len(f.values) == 1 {
			picked = append(picked, f.values...)
		}
	}
	pick(f)
	for v := range s.values {
		if m := &s.values[v]; m.as != 0 && m.re <= s.n && m.re > s.n-lastEvents {
			picked = append(picked, int32(v))
			if m.re == s.n {
				pick(failure{-1, []int32{int32(v)}})
			}
		}
	}
	at := append([]int32(nil), s.pending...) // the calls of operations
	for _, v := range picked {
		m := &s.values[v]
		if at = append(at, m.as); m.rs <= s.n {
			at = append(at, m.rs)
		}
	}
	if f.op >= 0 {
		at = append(at, c.Call[f.op])
	}
	slices.Sort(at)
	at = slices.Compact(at)
	for i, call := range at {
		at[i] = int32(c.Within(call)) - 1
	}
	part, _ := c.Part(at, s.n)
	a, _ := s.small().Decide(part, part.Events)
	return a == Violating
}

// leftBefore lists the values that are left and in the way, by ae.
func (k *Container) leftBefore(inTheWay func(v int32, m *match) bool) (left []int32) {
	for v := range k.values {
		if m := &k.values[v]; k.isLeft(m) && inTheWay(int32(v), m) {
			left = append(left, int32(v))
		}
	}
	slices.SortFunc(left, func(v, w int32) int { return cmp.Compare(k.values[v].ae, k.values[w].ae) })
	return left
}
