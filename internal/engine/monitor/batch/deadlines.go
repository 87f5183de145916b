package batch

import (
	"cmp"
	"slices"
	"sort"
)

// A way to undo a failure is that pending removes which were called by some position, or before it, took certain
// values. In every linearization one of the ways of a failure holds.
type way struct {
	by     int32
	values []int32
}

// choice is a way that was chosen to undo a failure.
type choice struct {
	moved  []int32 // the values that were to be taken later, if at all
	old    []int32 // by when
	others []way   // that were not tried
	blamed []int32 // values for whose deadlines those that were tried do not do
}

// search decides, given deadlines for none of the values. A value's deadline is the call (match.rs) of a
// pending remove, and several may have the same. A value with an earlier call is in nobody's way that
// it was not in before. So each failure, given some deadlines, needs one of its ways; and if there is none,
// any calls in time will do. Where there are too few of them, the last choice is changed that had to do with
// it: see taking.
//
// It takes a pass for each choice that is changed, and a few. If the answer is linearizable, pending
// removes have taken the values.
func (s *taking) search(c *Columns) Answer {
	s.begin()
	for {
		s.moved = false
		_, a := s.check(c, func(f failure) bool { return s.undo(c, f) })
		switch {
		case a == Unclear || s.ended():
			for _, x := range slices.Backward(s.chosen) {
				s.takeBack(&x)
			}
			return Unclear
		case a == Linearizable && !s.moved:
			s.give()
			return a
		case a == Violating && !s.chooseAgain():
			return a
		}
	}
}

// begin has no deadlines yet.
func (s *taking) begin() {
	s.due, s.ofWay = make([]int32, len(s.pending)), make([]bool, len(s.values))
	s.remain = s.remain[:0]
	for v := range s.values {
		if m := &s.values[v]; s.isLeft(m) {
			s.remain = append(s.remain, int32(v))
			m.rs = 0
		}
	}
	slices.SortFunc(s.remain, func(v, w int32) int { return cmp.Compare(s.from(v), s.from(w)) })
	s.covering()
	s.fixed = slices.Clone(s.cover)
	for _, v := range s.remain {
		s.values[v].rs = s.n + 1
	}
}

// undo chooses a way to undo a failure, and reports whether there is one.
func (s *taking) undo(c *Columns, f failure) bool {
	if s.looked += len(f.values); s.ended() {
		return false
	}
	ways, open := s.waysOf(c, f)
	return open && s.moved || s.choose(choice{others: ways})
}

// waysOf lists what can undo a failure.
func (s *taking) waysOf(c *Columns, f failure) (ways []way, open bool) {
	if f.op >= 0 {
		return s.emptied(c.Call[f.op], c.Ret[f.op])
	}
	return s.ways(c, f)
}

// emptied lists the ways to have one of the gaps from..to-1 in no core, see between.
func (s *taking) emptied(from, to int32) (ways []way, open bool) {
	var fixed []stretch
	for g := from; g < to; g++ {
		if end := s.fixed[g]; end > g {
			fixed = append(fixed, stretch{g, end})
			g = end - 1
		}
	}
	return s.between(from, to, fixed, s.before(to))
}

// before lists the values that remain and whose cores begin before a position.
func (k *Container) before(at int32) []int32 {
	return k.remain[:sort.Search(len(k.remain), func(i int) bool { return k.from(k.remain[i]) >= at })]
}

// choose takes the first of the ways left for which there are enough pending removes, and reports whether there is one.
func (s *taking) choose(x choice) bool {
	for len(x.others) > 0 {
		w := x.others[0]
		x.others = x.others[1:]
		if s.move(&x, w) {
			s.chosen, s.moved = append(s.chosen, x), true
			return true
		}
		s.takeBack(&x)
		if !s.blameOthers(&x) {
			return false
		}
	}
	s.blamed = x.blamed
	return false
}

// chooseAgain changes the last choice that some of the values to blame are in.
func (s *taking) chooseAgain() bool {
	for len(s.chosen) > 0 {
		x := s.chosen[len(s.chosen)-1]
		s.chosen = s.chosen[:len(s.chosen)-1]
		s.takeBack(&x)
		if s.blameOthers(&x) && s.choose(x) {
			return true
		}
	}
	return false
}

// blameOthers adds the values to blame to those of a choice, but for the values that it moved. It is false if there are none of these.
func (s *taking) blameOthers(x *choice) (any bool) {
	for _, v := range x.moved {
		s.ofWay[v] = true
	}
	for _, v := range s.blamed {
		if s.ofWay[v] {
			any = true
		} else {
			x.blamed = append(x.blamed, v)
		}
	}
	for _, v := range x.moved {
		s.ofWay[v] = false
	}
	slices.Sort(x.blamed)
	x.blamed = slices.Compact(x.blamed)
	return any
}

// move gives the values of a way their deadlines. If there are too few pending removes it blames values that have
// deadlines, more than pending removes are in time for them.
func (s *taking) move(x *choice, w way) bool {
	x.moved, x.old = nil, nil
	t := s.until(w.by)
	for _, v := range w.values {
		if s.values[v].rs <= w.by {
			continue
		}
		if x.moved, x.old = append(x.moved, v), append(x.old, s.values[v].rs); len(x.moved) > t {
			s.blamed, x.old = x.moved, nil
			return false
		}
	}
	for _, v := range x.moved {
		s.set(v, s.pending[t-1])
	}
	sum := int32(0)
	for t, n := range s.due {
		if sum += n; sum > int32(t)+1 {
			s.blamed = s.dated(s.pending[t])
			return false
		}
	}
	return true
}

func (s *taking) takeBack(x *choice) {
	for i, at := range x.old {
		s.set(x.moved[i], at)
	}
}

// until is how many pending removes were called by a position.
func (k *Container) until(at int32) int {
	return sort.Search(len(k.pending), func(t int) bool { return k.pending[t] > at })
}

// set changes the deadline of a value.
func (s *taking) set(v, call int32) {
	m := &s.values[v]
	if m.rs <= s.n {
		s.due[s.until(m.rs)-1]--
	}
	if m.rs = call; call <= s.n {
		s.due[s.until(call)-1]++
	}
}

// dated lists the values that have deadlines up to a position.
func (s *taking) dated(by int32) (vs []int32) {
	for _, v := range s.remain {
		if s.values[v].rs <= by {
			vs = append(vs, v)
		}
	}
	return vs
}

// give gives pending removes to the values that have deadlines.
func (s *taking) give() {
	taken := s.dated(s.n)
	slices.SortStableFunc(taken, func(v, w int32) int { return cmp.Compare(s.values[v].rs, s.values[w].rs) })
	for t, v := range taken {
		s.values[v].rs = s.pending[t]
	}
}

type stretch struct{ from, to int32 }

// between lists the ways to have one of the gaps s..e-1 in no core, given cores that no pending remove makes smaller, and values whose cores it may make
// smaller, both by their begins; those ways that there are enough pending removes for. It is open if there is such a gap as it is.
func (k *Container) between(s, e int32, fixed []stretch, left []int32) (ways []way, open bool) {
	k.looked += len(fixed)
	began, stay, latest := 0, 0, int32(0) // so many of these values, so many of them without a deadline, and their latest
	t := 0                                // so many pending removes are called by a gap
	for _, x := range append(fixed, stretch{e, e}) {
		for end := min(x.from, e); s < end && stay <= len(k.pending); {
			for ; began < len(left) && k.from(left[began]) <= s; began++ {
				rs := k.values[left[began]].rs
				if latest = max(latest, rs); rs > k.n {
					stay++
				}
			}
			next := end
			if began < len(left) {
				next = min(end, k.from(left[began]))
			}
			gap := min(next, latest) - 1 // the last one that is not open
			for t < len(k.pending) && k.pending[t] <= gap {
				t++
			}
			if gap >= s && stay <= t {
				ways = append(ways, way{gap, left[:began]})
			}
			open = open || latest < next
			s = next
		}
		s = max(s, x.to)
	}
	k.looked += began
	return ways, open
}
