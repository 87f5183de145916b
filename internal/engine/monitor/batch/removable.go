package batch

import "github.com/adtinfer/adtinfer/internal/engine/monitor/columns"

// survey is what the values of a part allow a value among them.
type survey struct {
	count  []int      // by class
	ret    twoLargest // the first return of each value, negated: the two least
	call   twoLargest // the last call
	ae, rs twoLargest // of the cores that are not empty; ae negated

	leaves, comes []twoLargest // by class: the first call of a remove, negated; the last return of an add
}

// twoLargest are the two largest of some numbers.
type twoLargest struct{ first, second int32 }

func (t *twoLargest) add(x int32) {
	switch {
	case x > t.first:
		t.first, t.second = x, t.first
	case x > t.second:
		t.second = x
	}
}

// without is the largest number if x is left out once.
func (t *twoLargest) without(x int32) int32 {
	if x == t.first {
		return t.second
	}
	return t.first
}

func (d *TableContainer) survey(vs []int32) *survey {
	low := -columns.Never
	s := &survey{count: make([]int, d.Classes()), ret: twoLargest{low, low}, ae: twoLargest{low, low},
		leaves: make([]twoLargest, d.Classes()), comes: make([]twoLargest, d.Classes())}
	for c := range s.leaves {
		s.leaves[c] = twoLargest{low, low}
	}
	for _, v := range vs {
		m := &d.values[v]
		s.count[d.class[v]]++
		s.ret.add(-m.Side())
		s.call.add(max(m.as, m.rs))
		s.leaves[d.class[v]].add(-m.rs)
		s.comes[d.class[v]].add(m.ae)
		if m.ae < m.rs {
			s.ae.add(-m.ae)
			s.rs.add(m.rs)
		}
	}
	return s
}

// away is a value that was taken away, how, and in which gap if that matters.
type away struct {
	value int32
	way   way
	gap   int32
}

// way is how a value can be put back into every linearization of the others of
// its part.
type way uint8

const (
	stays       way = iota // it cannot, for all that is known
	atOnce                 // come and gone in one moment
	around                 // first to come and last to leave
	firstIn                // first to come; see inTurn
	lastOut                // last to leave
	leavesAlone            // gone in a gap when no other is in, and come at any time before
	comesAlone             // come in such a gap, and gone at any time after
)

// removeSome takes away values of a part, looking at each once, and appends them to
// gone. What allows one to be taken away still does when others are gone.
func (d *TableContainer) removeSome(vs []int32) (rest []int32, any bool) {
	d.work += len(vs)
	s, rest := d.survey(vs), vs[:0]
	for _, v := range vs {
		if w, gap := d.removable(s, v); w == stays {
			rest = append(rest, v)
		} else {
			d.gone = append(d.gone, away{v, w, gap})
		}
	}
	return rest, len(rest) < len(vs)
}

// removable reports whether and how a value can be put back into every
// linearization of the others of its part.
func (d *TableContainer) removable(s *survey, v int32) (w way, gap int32) {
	m, c := &d.values[v], d.class[v]
	last, first := max(m.as, m.rs), m.Side()
	if last < first && d.all(s, c, func(w int) bool { return d.Encloses[d.At(w, c)] }) {
		return atOnce, 0
	}
	if w := d.inTurn(s, m, c); w != stays {
		return w, 0
	}
	if !d.all(s, c, func(w int) bool { return d.Encloses[d.At(c, w)] }) {
		return stays, 0
	}
	if m.as < -s.ret.without(-first) && m.re > s.call.without(last) {
		return around, 0
	}
	e, r := -s.ae.first, s.rs.first // from the first to the last core of the others
	if m.ae < m.rs {
		e, r = -s.ae.without(-m.ae), s.rs.without(m.rs)
	}
	if (last < e || r < m.re) && d.all(s, c, func(w int) bool { return d.Overtaken[d.At(w, c)] }) {
		return leavesAlone, outside(last, e, r)
	}
	if (m.as < e || r < first) && d.all(s, c, func(w int) bool { return d.Overtaken[d.At(c, w)] }) {
		return comesAlone, outside(m.as, e, r)
	}
	return stays, 0
}

// outside is the first gap, from one on, that is in none of the cores which lie
// from e to r.
func outside(gap, e, r int32) int32 {
	if gap < e {
		return gap
	}
	return max(gap, r)
}

// inTurn reports whether a value can be the first to come, and leave before all
// that it may not enclose, or the last to leave, and have come after all these.
//
// For the first: let the remove take effect right after the last operation of a
// linearization of the others that returned before it is called. Before that
// are no removes that are called later.
func (d *TableContainer) inTurn(s *survey, m *match, c int) way {
	if m.as < -s.ret.without(-m.Side()) && d.all(s, c, func(w int) bool {
		leaves := s.leaves[w].first
		if w == c {
			leaves = s.leaves[w].without(-m.rs)
		}
		return d.Overtaken[d.At(c, w)] && (m.rs <= -leaves || d.Encloses[d.At(c, w)])
	}) {
		return firstIn
	}
	if m.re > s.call.without(max(m.as, m.rs)) && d.all(s, c, func(w int) bool {
		comes := s.comes[w].first
		if w == c {
			comes = s.comes[w].without(m.ae)
		}
		return d.Overtaken[d.At(w, c)] && (comes < m.ae || d.Encloses[d.At(c, w)])
	}) {
		return lastOut
	}
	return stays
}

// all reports whether something holds of the class of each other value.
func (d *TableContainer) all(s *survey, c int, holds func(class int) bool) bool {
	for w, n := range s.count {
		if w == c {
			n--
		}
		if n > 0 && !holds(w) {
			return false
		}
	}
	return true
}
