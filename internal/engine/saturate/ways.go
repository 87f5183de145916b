package saturate

import "github.com/adtinfer/adtinfer/internal/engine/clauses"

// waysOut are the running operations that may still make an instance no
// violation, by returning into one of its matches: the latest of them, no more
// than matter.
type waysOut struct {
	n      int
	latest [2]int32
	ways   int // in how many ways the last one may do so
	kind   int
	group  int
}

func (m *Monitor) waysOut(in *instance, cl *clauses.Clause) (out waysOut) {
	forbid := cl.Forbid[0] | cl.Forbid[1]
	if forbid == 0 {
		return out
	}
	for i := len(m.pending) - 1; i >= 0 && out.n < 2-in.unknown; i-- {
		x := m.pending[i]
		o := &m.ops[x]
		if o.forced || m.r.Methods[o.method].Mask&forbid == 0 {
			continue
		}
		ways := 0
		for g := range cl.Shapes {
			for _, k := range m.r.Methods[o.method].Kinds {
				if cl.Forbid[g].Has(k) && m.mayJoin(x, k, in, g) {
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

// mayJoin tells whether running operation x may return as kind k into group g.
func (m *Monitor) mayJoin(x int32, k int, in *instance, g int) bool {
	kd := &m.r.Kinds[k]
	if len(m.probing.banned) > 0 && m.isBanned(guard{x, k, in.groups[g]}) {
		return false
	}
	return m.keyMatches(x, kd, in.groups[g]) && !m.refuted(x, k, in.groups[g], in.groups[1-g])
}

// refuted tells whether clauses exclude that running operation x, of which
// nothing is known but what came before it, returns as kind k into match y,
// looking at that match and one other only.
func (m *Monitor) refuted(x int32, k int, y, z int32) bool {
	for _, c := range m.r.Refuters[k] {
		cl := &m.r.Clauses[c]
		g := cl.Positions[len(cl.Positions)-1].Group
		switch {
		case !m.fits(cl, g, y, 1<<k):
		case len(cl.Shapes) == 1:
			if in := (instance{clause: c, groups: pair{y, -1}}); m.holds(&in, cl, 0, x) {
				return true
			}
		case z >= 0 && m.fits(cl, 1-g, z, 0):
			in := instance{clause: c}
			in.groups[g], in.groups[1-g] = y, z
			if (!cl.Compares() || cl.Applies(m.matches[in.groups[0]].key, m.matches[in.groups[1]].key)) && m.holds(&in, cl, 0, x) {
				return true
			}
		}
	}
	return false
}

// fits tells whether match y, with another member of kind more, is what the
// clause speaks of in group g.
func (m *Monitor) fits(cl *clauses.Clause, g int, y int32, more clauses.Kinds) bool {
	t := &m.matches[y]
	s := m.r.Shapes[cl.Shapes[g]]
	w := m.r.Kinds[t.target].Writers
	return int(t.target) == s.Target && m.active(y) && (t.kinds|more)&w == s.Writers
}

// holds tells whether the clause has an instance with x in the last position,
// all links known and no way out but x itself.
func (m *Monitor) holds(in *instance, cl *clauses.Clause, i int, x int32) bool {
	p := &cl.Positions[i]
	if i == len(cl.Positions)-1 {
		return m.known(in, p, x) && m.noWayOut(in, cl, x)
	}
	for _, o := range m.matches[in.groups[p.Group]].members {
		if int(m.ops[o].kind) == p.Kind && m.known(in, p, o) {
			in.ops[i] = o
			if m.holds(in, cl, i+1, x) {
				return true
			}
		}
	}
	return false
}

func (m *Monitor) known(in *instance, p *clauses.Position, x int32) bool {
	for _, l := range p.Links {
		a, b := in.ops[l.From], x
		if !l.After {
			a, b = b, a
		}
		if m.compare(a, b) != before {
			return false
		}
	}
	return true
}

// noWayOut tells whether no running operation but x could change the matches.
func (m *Monitor) noWayOut(in *instance, cl *clauses.Clause, x int32) bool {
	for g := range cl.Shapes {
		if cl.Forbid[g] == 0 {
			continue
		}
		for _, p := range m.pending {
			if p == x || m.ops[p].forced {
				continue
			}
			for _, k := range m.r.Methods[m.ops[p].method].Kinds {
				if cl.Forbid[g].Has(k) && m.keyMatches(p, &m.r.Kinds[k], in.groups[g]) {
					return false
				}
			}
		}
	}
	return true
}
