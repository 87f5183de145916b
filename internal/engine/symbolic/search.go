package symbolic

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// searches find matches that do not overlap with another one and that a clause
// may yet apply to beside it: all links between the two are constants, and must hold.
//
// Of the operations of such a match the last one in the clause lies between two
// of the other match, in time: a range. Of those in it few may count: ones whose
// match has no more operations yet, where the clause wants that; else ones whose
// first operation in the clause lies where it should.
type searches struct {
	trees []*tree // by clause and group, made when needed
	found []int32
	lits  []int
	stamp int32
}

// tree is entries in order, with the most of a value over ranges.
type tree struct {
	rets    []int   // of the operations, rising
	matches []int32 // theirs
	calls   []int
	most    []int // a heap: node n has the children 2n and 2n+1; the leaves begin at len/2
}

// between lists matches all of whose operations lie between those of the match of
// x in the way of the clause.
func (l *Log) between(in *grounding, g int, x member) (found []int32) {
	s := &l.r.spans[2*in.clause+1-g]
	if !s.ok {
		return nil
	}
	kind := func(i int) int { return in.cl.Positions[i].Kind }
	y := in.groups[g]
	lo := -1
	if s.prev >= 0 {
		lo = l.earliestReturn(y, kind(s.prev))
	}
	hi := l.latestCall(y, kind(s.next))
	t := l.tree(in.clause, 1-g, s)
	from, _ := slices.BinarySearch(t.rets, lo)
	to, _ := slices.BinarySearch(t.rets, hi)
	t.above(from, to, l.threshold(in, g, x, s), func(i int) {
		if t.calls[i] > lo {
			found = append(found, t.matches[i])
		}
	})
	return found
}

// threshold is what the value of a match must exceed: see value.
func (l *Log) threshold(in *grounding, g int, x member, s *span) int {
	y := in.groups[g]
	switch {
	case in.cl.Forbid[1-g] != 0:
		return x.at
	case s.firstPrev >= 0:
		return l.earliestReturn(y, in.cl.Positions[s.firstPrev].Kind)
	}
	return -l.latestCall(y, in.cl.Positions[s.firstNext].Kind)
}

// value is, of a match: the first prefix in which it has an operation that the
// clause excludes; or the latest call of its first operation in the clause; or
// the earliest return, negated.
func (l *Log) value(cl *clauses.Clause, g int, z int32, s *span) int {
	switch {
	case cl.Forbid[g] != 0:
		return l.firstOf(&l.matches[z], cl.Forbid[g])
	case s.firstPrev >= 0:
		return l.latestCall(z, cl.Positions[s.first].Kind)
	}
	return -l.earliestReturn(z, cl.Positions[s.first].Kind)
}

func (l *Log) earliestReturn(y int32, kind int) int {
	t := never
	for _, m := range l.matches[y].members {
		if int(m.kind) == kind && m.guard == 0 {
			t = min(t, l.ops[m.op].Return)
		}
	}
	return t
}

func (l *Log) latestCall(y int32, kind int) int {
	t := -1
	for _, m := range l.matches[y].members {
		if int(m.kind) == kind && m.guard == 0 {
			t = max(t, l.ops[m.op].Call)
		}
	}
	return t
}

// tree makes the tree of the operations that are last in a group of a clause.
func (l *Log) tree(clause, g int, s *span) *tree {
	if t := l.trees[2*clause+g]; t != nil {
		return t
	}
	cl := &l.r.Clauses[clause]
	t := &tree{}
	var values []int
	for _, x := range l.ByReturn {
		o := &l.ops[x]
		if o.kind != cl.Positions[s.last].Kind || l.matches[o.match].target != l.r.Shapes[cl.Shapes[g]].Target {
			continue
		}
		t.rets, t.calls, t.matches = append(t.rets, o.Return), append(t.calls, o.Call), append(t.matches, o.match)
		values = append(values, l.value(cl, g, o.match, s))
	}
	leaves := 1
	for leaves < len(values) {
		leaves *= 2
	}
	t.most = make([]int, 2*leaves)
	for i := range t.most {
		t.most[i] = -never
	}
	copy(t.most[leaves:], values)
	for n := leaves - 1; n > 0; n-- {
		t.most[n] = max(t.most[2*n], t.most[2*n+1])
	}
	l.trees[2*clause+g] = t
	return t
}

// above yields the entries of a range whose value exceeds a threshold, in time
// logarithmic for each.
func (t *tree) above(from, to, threshold int, yield func(i int)) {
	var visit func(n, lo, hi int)
	visit = func(n, lo, hi int) {
		switch {
		case hi <= from || to <= lo || t.most[n] <= threshold:
		case hi-lo == 1:
			yield(lo)
		default:
			mid := (lo + hi) / 2
			visit(2*n, lo, mid)
			visit(2*n+1, mid, hi)
		}
	}
	if from < to {
		visit(1, 0, len(t.most)/2)
	}
}
