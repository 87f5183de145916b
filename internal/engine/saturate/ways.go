package saturate

import "github.com/adtinfer/adtinfer/internal/engine/clauses"

// waysOut are the running operations that may still make an instantiation no
// violation, by returning into one of its matches: the latest of them, no more
// than matter.
type waysOut struct {
	n      int
	latest [2]int32
	ways   int // in how many ways the last one may do so
	kind   int
	group  int
}

func (s *Saturation) waysOut(in *instantiation, cl *clauses.Clause) (out waysOut) {
	forbid := cl.Forbid[0] | cl.Forbid[1]
	if forbid == 0 {
		return out
	}
	for i := len(s.pending) - 1; i >= 0 && out.n < 2-in.unknown; i-- {
		x := s.pending[i]
		o := &s.ops[x]
		if o.forced || s.r.Methods[o.method].Mask&forbid == 0 {
			continue
		}
		ways := 0
		for g := range cl.Shapes {
			for k := range (s.r.Methods[o.method].Mask & cl.Forbid[g]).All() {
				if s.mayJoin(x, k, in, g) {
					ways++
					out.kind, out.group = k, g
				}
			}
		}
		if ways > 0 {
			out.latest[out.n], out.ways = x, ways
			out.n++
		}
	}
	return out
}

// mayJoin reports whether running operation x may return as kind k into group g.
func (s *Saturation) mayJoin(x int32, k int, in *instantiation, g int) bool {
	kd := &s.r.Kinds[k]
	if len(s.probing.banned) > 0 && s.isBanned(guard{x, k, in.groups[g]}) {
		return false
	}
	return s.keyMatches(x, kd, in.groups[g]) && !s.refuted(x, k, in.groups[g], in.groups[1-g])
}

// refuted reports whether clauses about match y, or y and z, exclude that running
// operation x returns as kind k into y. All that is known of x is what came before it.
func (s *Saturation) refuted(x int32, k int, y, z int32) bool {
	for _, c := range s.r.Refuters[k] {
		cl := &s.r.Clauses[c]
		g := cl.Positions[len(cl.Positions)-1].Group
		switch {
		case !s.fits(cl, g, y, 1<<k):
		case len(cl.Shapes) == 1:
			if in := (instantiation{clause: c, groups: pair{y, -1}}); s.holds(&in, cl, 0, x) {
				return true
			}
		case z >= 0 && s.fits(cl, 1-g, z, 0):
			in := instantiation{clause: c}
			in.groups[g], in.groups[1-g] = y, z
			if (!cl.Compares() || cl.Applies(s.matches[in.groups[0]].key, s.matches[in.groups[1]].key)) && s.holds(&in, cl, 0, x) {
				return true
			}
		}
	}
	return false
}

// fits reports whether match y, with another member of kind more, is what the
// clause speaks of in group g.
func (s *Saturation) fits(cl *clauses.Clause, g int, y int32, more clauses.Kinds) bool {
	t := &s.matches[y]
	shape := s.r.Shapes[cl.Shapes[g]]
	w := s.r.Kinds[t.target].Writers
	return int(t.target) == shape.Target && s.active(y) && (t.kinds|more)&w == shape.Writers
}

// holds reports whether the clause has an instantiation with x in the last position,
// all links known and no way out but x itself.
func (s *Saturation) holds(in *instantiation, cl *clauses.Clause, i int, x int32) bool {
	p := &cl.Positions[i]
	if i == len(cl.Positions)-1 {
		return s.known(in, p, x) && s.noWayOut(in, cl, x)
	}
	for _, o := range s.matches[in.groups[p.Group]].members {
		if int(s.ops[o].kind) == p.Kind && s.known(in, p, o) {
			in.ops[i] = o
			if s.holds(in, cl, i+1, x) {
				return true
			}
		}
	}
	return false
}

func (s *Saturation) known(in *instantiation, p *clauses.Position, x int32) bool {
	for _, from := range p.After {
		if s.compare(in.ops[from], x) != before {
			return false
		}
	}
	return true
}

// noWayOut reports whether no running operation but x could change the matches.
func (s *Saturation) noWayOut(in *instantiation, cl *clauses.Clause, x int32) bool {
	for g := range cl.Shapes {
		if cl.Forbid[g] == 0 {
			continue
		}
		for _, p := range s.pending {
			if p != x && s.mayBe(p, cl.Forbid[g], in.groups[g]) {
				return false
			}
		}
	}
	return true
}
