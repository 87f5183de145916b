package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// patience is how many conclusions are drawn between two looks at Options.Stop.
const patience = 256

// propagate draws all conclusions of what is new. If it is told to stop, what is left is
// lost: the Saturation says so, and is of no use any more.
func (s *Saturation) propagate() {
	for n := 1; s.violation == nil; n++ {
		switch {
		case n%patience == 0 && s.stopped():
			s.gaveUp = true
			return
		case len(s.facts) > 0:
			f := s.facts[len(s.facts)-1]
			s.facts = s.facts[:len(s.facts)-1]
			s.learnt(f)
		case len(s.joined) > 0:
			x := s.joined[len(s.joined)-1]
			s.joined = s.joined[:len(s.joined)-1]
			s.changed(x)
		case len(s.recheck) > 0:
			p := s.recheck[len(s.recheck)-1]
			s.recheck = s.recheck[:len(s.recheck)-1]
			if p[1] < 0 {
				s.one(p[0])
			} else {
				s.two(p[0], p[1])
			}
		default:
			return
		}
	}
	s.facts, s.joined, s.recheck = s.facts[:0], s.joined[:0], s.recheck[:0]
}

// learnt handles a new fact.
func (s *Saturation) learnt(f fact) {
	s.close(f.a, f.b)
	x, y := s.ops[f.a].match, s.ops[f.b].match
	switch {
	case x < 0 || y < 0:
	case x == y:
		s.one(x)
	default:
		s.nearer(x)
		s.nearer(y)
		s.twoBy(x, y, f)
	}
}

// changed handles that x is new in its match, or the match newly active.
func (s *Saturation) changed(x int32) {
	y := s.ops[x].match
	t := &s.matches[y]
	if !s.active(y) {
		return
	}
	s.touchAll(y)
	s.one(y)
	s.stamp++
	t.stamp = s.stamp
	for _, a := range s.matches[y].members {
		for i := range s.ops[a].overlaps {
			if z := s.ops[s.ops[a].overlaps[i].op].match; z >= 0 && s.matches[z].stamp != s.stamp {
				s.matches[z].stamp = s.stamp
				s.two(y, z)
			}
		}
	}
	s.around(x, y)
	if len(t.blocked) > 0 {
		for _, z := range t.blocked {
			s.recheck = append(s.recheck, pair{y, z})
		}
		if !s.probing.on {
			t.blocked = t.blocked[:0]
		}
	}
}

// one applies the clauses about one match.
func (s *Saturation) one(y int32) {
	if s.active(y) {
		for _, c := range s.r.One[s.matches[y].shape] {
			s.apply(c, pair{y, -1})
		}
	}
}

// two applies the clauses about two matches.
func (s *Saturation) two(y, z int32) {
	if y == z || !s.active(y) || !s.active(z) {
		return
	}
	a, b := &s.matches[y], &s.matches[z]
	for _, p := range s.r.Two[int(a.shape)*len(s.r.Shapes)+int(b.shape)] {
		if p.Swapped {
			s.apply(p.Clause, pair{z, y})
		} else {
			s.apply(p.Clause, pair{y, z})
		}
	}
}

// twoBy applies the clauses about two matches that a new fact, about an
// operation of the first and one of the second, may have left with one open link.
func (s *Saturation) twoBy(y, z int32, f fact) {
	a, b := &s.matches[y], &s.matches[z]
	i, j := s.r.Kinds[s.ops[f.a].kind].Slot, s.r.Kinds[s.ops[f.b].kind].Slot
	if !a.simple || !b.simple || i < 0 || j < 0 {
		s.two(y, z)
		return
	}
	if !s.active(y) || !s.active(z) {
		return
	}
	bit := uint64(1) << (8*i + j)
	for _, p := range s.r.Two[int(a.shape)*len(s.r.Shapes)+int(b.shape)] {
		first, groups := 0, pair{y, z} // the group of f.a
		if p.Swapped {
			first, groups = 1, pair{z, y}
		}
		if s.r.Clauses[p.Clause].MayTurn(first, bit) {
			s.apply(p.Clause, groups)
		}
	}
}

// instantiation is a clause with operations for its positions.
type instantiation struct {
	clause  int32
	groups  pair
	ops     [clauses.MaxPositions]int32
	unknown int
	a, b    int32 // of the last link that is not known to hold: a before b
}

// apply looks at all instantiations of a clause in which at most one link is open.
func (s *Saturation) apply(c int32, groups pair) {
	cl := &s.r.Clauses[c]
	if cl.Compares() && groups[1] >= 0 && !cl.Applies(s.matches[groups[0]].key, s.matches[groups[1]].key) {
		return
	}
	if cl.Arrows != nil && s.matches[groups[0]].simple && (groups[1] < 0 || s.matches[groups[1]].simple) {
		s.applyOnce(c, cl, groups)
		return
	}
	in := instantiation{clause: c, groups: groups}
	s.fill(&in, cl, 0)
}

// applyOnce looks at the only instantiation of a clause in matches that have one
// operation for each position.
func (s *Saturation) applyOnce(c int32, cl *clauses.Clause, groups pair) {
	var open, a, b int32
	for i := range cl.Arrows {
		l := &cl.Arrows[i]
		x, y := s.matches[groups[l.FromGroup]].slots[l.From], s.matches[groups[l.ToGroup]].slots[l.To]
		switch s.compare(x, y) {
		case after:
			return
		case unknown:
			if open++; open > 1 {
				return
			}
			a, b = x, y
		}
	}
	in := instantiation{clause: c, groups: groups, unknown: int(open), a: a, b: b}
	if s.still(&in, cl) {
		s.conclude(&in, cl)
	}
}

func (s *Saturation) fill(in *instantiation, cl *clauses.Clause, i int) {
	if i == len(cl.Positions) {
		if s.still(in, cl) {
			s.conclude(in, cl)
		}
		return
	}
	p := &cl.Positions[i]
	unknown, a, b := in.unknown, in.a, in.b
	members := s.matches[in.groups[p.Group]].members
	for _, x := range members {
		if int(s.ops[x].kind) == p.Kind && s.violation == nil && s.link(in, p, x) {
			in.ops[i] = x
			s.fill(in, cl, i+1)
		}
		in.unknown, in.a, in.b = unknown, a, b
	}
}

// still reports whether the matches have the shapes of the clause. An earlier
// instantiation may have forced an operation into one of them.
func (s *Saturation) still(in *instantiation, cl *clauses.Clause) bool {
	for g, shape := range cl.Shapes {
		if s.matches[in.groups[g]].shape != int32(shape) {
			return false
		}
	}
	return true
}

// link checks the links of x at a position to earlier ones; false if one cannot
// hold, or two are open.
func (s *Saturation) link(in *instantiation, p *clauses.Position, x int32) bool {
	for _, from := range p.After {
		a := in.ops[from]
		switch s.compare(a, x) {
		case after:
			return false
		case unknown:
			if in.unknown++; in.unknown > 1 {
				return false
			}
			in.a, in.b = a, x
		}
	}
	return true
}

// conclude handles an instantiation with at most one open link: together with the
// ways out it must have two open literals, or the last one is forced.
func (s *Saturation) conclude(in *instantiation, cl *clauses.Clause) {
	out := s.waysOut(in, cl)
	switch {
	case out.n == 0 && in.unknown == 0:
		s.conflict(verdict{clause: in.clause + 1})
	case out.n == 0:
		s.order(in.b, in.a, in.clause)
	case out.n == 1 && in.unknown == 0 && out.ways == 1:
		s.force(out.latest[0], out.kind, in.groups[out.group], in.clause)
	default:
		for _, x := range out.latest[:min(out.n, 2-in.unknown)] {
			s.watch(x, in.groups)
		}
		if len(cl.Shapes) == 2 && in.unknown == 0 {
			s.block(cl, in.groups)
		}
	}
}

// block notes that the matches violate unless a running operation joins one.
func (s *Saturation) block(cl *clauses.Clause, groups pair) {
	if s.probing.on {
		return
	}
	for g, y := range groups {
		t := &s.matches[y]
		if z := groups[1-g]; cl.Forbid[g] != 0 && !slices.Contains(t.blocked, z) {
			t.blocked = append(t.blocked, z)
			s.touchAll(y)
		}
	}
}
