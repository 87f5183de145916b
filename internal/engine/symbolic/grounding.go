package symbolic

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// grounding is a clause with operations for some of its positions.
type grounding struct {
	clause  int
	cl      *clauses.Clause
	groups  [2]int32 // matches
	members []member // by position
	given   int      // the position that is filled already
	by      int      // all members are there in this prefix, and one in no shorter one
}

// joined makes the clauses that member x of match y and earlier members are in.
// Completed members come in the order of their returns; then the others of a
// clause were there before, and the matches have the shapes that they have by
// now.
func (l *Log) joined(x member, y int32) {
	for _, u := range l.r.uses[x.kind] {
		cl := &l.r.Clauses[u.clause]
		g := cl.Positions[u.position].Group
		if cl.Derived && (x.guard != 0 || l.selectors != nil) || !l.fits(cl, g, y, x) {
			continue
		}
		in := &grounding{clause: u.clause, cl: cl, members: make([]member, len(cl.Positions)), given: u.position}
		in.groups[g], in.members[u.position] = y, x
		if len(cl.Shapes) == 1 {
			l.fill(in, 0, x.at)
			continue
		}
		for z := range l.others(in, g, x) {
			if z == y || !l.fits(cl, 1-g, z, x) {
				continue
			}
			in.groups[1-g] = z
			if cl.Applies(l.matches[in.groups[0]].key, l.matches[in.groups[1]].key) {
				l.fill(in, 0, x.at)
			}
		}
	}
}

// fits reports whether match y can be what the clause speaks of in group g. With
// a running operation x all that the match is in some prefix counts.
func (l *Log) fits(cl *clauses.Clause, g int, y int32, x member) bool {
	t := &l.matches[y]
	shape := &l.r.Shapes[cl.Shapes[g]]
	if t.target != shape.Target {
		return false
	}
	if x.guard != 0 {
		return true
	}
	if t.first[0] > x.at || l.firstOf(t, cl.Forbid[g]) <= x.at {
		return false
	}
	for k := range shape.Writers.All() {
		if t.first[l.r.Kinds[k].Slot] > x.at {
			return false
		}
	}
	return true
}

// fill puts members into the positions from i on in all ways.
func (l *Log) fill(in *grounding, i, by int) {
	if i == len(in.cl.Positions) {
		in.by = by
		l.exclude(in)
		return
	}
	p := &in.cl.Positions[i]
	if i == in.given {
		if l.possible(in, i) {
			l.fill(in, i+1, by)
		}
		return
	}
	x := in.members[in.given]
	for _, m := range l.matches[in.groups[p.Group]].members {
		if x.guard == 0 && (m.guard != 0 || m.at > x.at) {
			break
		}
		if int(m.kind) != p.Kind || m.op == x.op {
			continue
		}
		in.members[i] = m
		if l.possible(in, i) {
			l.fill(in, i+1, max(by, m.at))
		}
	}
}

// possible reports whether the intervals let the operation at a position come
// after those at all earlier ones.
func (l *Log) possible(in *grounding, i int) bool {
	for j := range i {
		if a, b := in.members[j].op, in.members[i].op; a == b || l.Precedes(b, a) {
			return false
		}
	}
	return true
}

// exclude adds the clause of a grounding, unless it holds anyway.
func (l *Log) exclude(in *grounding) {
	for g := range in.cl.Shapes {
		if l.firstOf(&l.matches[in.groups[g]], in.cl.Forbid[g]) <= in.by {
			return
		}
	}
	lits := l.lits[:0]
	for i, p := range in.cl.Positions {
		for _, from := range p.After {
			switch b := l.before(in.members[from].op, in.members[i].op); b {
			case no:
				return
			case yes:
			default:
				lits = append(lits, -b)
			}
		}
		if g := in.members[i].guard; g != 0 {
			lits = append(lits, -g)
		}
	}
	for g := range in.cl.Shapes {
		y := in.groups[g]
		for k := range in.cl.Forbid[g].All() {
			lits = append(lits, l.has(y, k))
		}
		lits = l.orAmbiguous(lits, y)
	}
	if in.by >= 0 {
		lits = append(lits, -l.within[in.by])
	}
	if l.selectors != nil {
		lits = append(lits, -l.selectors[in.cl.Patterns[0]])
	}
	l.s.Add(lits...)
	l.lits = lits
}

// escape is a literal "match y has a member of kind k".
type escape struct {
	y    int32
	kind int
	lit  int
}

// has is the literal "match y has a member of kind k".
func (l *Log) has(y int32, k int) int {
	t := &l.matches[y]
	slot := l.r.Kinds[k].Slot
	if t.escape[slot] == 0 {
		t.escape[slot] = l.s.NewVar()
		l.escapes = append(l.escapes, escape{y, k, t.escape[slot]})
		if at := t.first[slot]; at < len(l.within) {
			l.s.Add(-l.within[at], t.escape[slot])
		}
	}
	return t.escape[slot]
}

// others lists the matches, without doubles, that the clause may apply to beside
// the match of the given member, of group g.
func (l *Log) others(in *grounding, g int, x member) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if x.guard != 0 {
			for z := range l.matches {
				if !yield(int32(z)) {
					return
				}
			}
			return
		}
		l.stamp++
		for _, z := range slices.Concat(l.overlapping(in, g, x), l.between(in, g, x)) {
			if t := &l.matches[z]; t.stamp != l.stamp {
				t.stamp = l.stamp
				if !yield(z) {
					return
				}
			}
		}
	}
}

// overlapping lists matches with an operation that overlaps with one of the match
// of x: of those that the clause may speak of.
func (l *Log) overlapping(in *grounding, g int, x member) []int32 {
	found := l.found[:0]
	for _, m := range l.matches[in.groups[g]].members {
		if m.at > x.at {
			break
		}
		if m.op != x.op && l.r.Kinds[m.kind].Slot < 0 && !l.r.several {
			continue
		}
		for _, ops := range [][]int32{l.Earlier[m.op], l.later[m.op]} {
			for _, o := range ops {
				if z := l.ops[o].match; z >= 0 && l.ops[o].returned <= x.at {
					found = append(found, z)
				}
			}
		}
	}
	l.found = found
	return found
}
