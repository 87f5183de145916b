package saturate

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

func (m *Monitor) waysOut(in *instance, cl *clause) (out waysOut) {
	forbid := cl.forbid[0] | cl.forbid[1]
	if forbid == 0 {
		return out
	}
	for i := len(m.pending) - 1; i >= 0 && out.n < 2-in.unknown; i-- {
		x := m.pending[i]
		o := &m.ops[x]
		if o.forced || m.r.methods[o.method].mask&forbid == 0 {
			continue
		}
		ways := 0
		for g := range cl.shapes {
			for _, k := range m.r.methods[o.method].kinds {
				if cl.forbid[g].has(k) && m.mayJoin(x, k, in, g) {
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
	kd := &m.r.kinds[k]
	if len(m.probing.banned) > 0 && m.isBanned(guard{x, k, in.groups[g]}) {
		return false
	}
	return m.keyMatches(x, kd, in.groups[g]) && !m.refuted(x, k, in.groups[g], in.groups[1-g])
}

// refuted tells whether clauses exclude that running operation x, of which
// nothing is known but what came before it, returns as kind k into match y,
// looking at that match and one other only.
func (m *Monitor) refuted(x int32, k int, y, z int32) bool {
	for _, c := range m.r.refuters[k] {
		cl := &m.r.clauses[c]
		g := cl.pos[len(cl.pos)-1].group
		switch {
		case !m.fits(cl, g, y, 1<<k):
		case len(cl.shapes) == 1:
			if in := (instance{clause: c, groups: pair{y, -1}}); m.holds(&in, cl, 0, x) {
				return true
			}
		case z >= 0 && m.fits(cl, 1-g, z, 0):
			in := instance{clause: c}
			in.groups[g], in.groups[1-g] = y, z
			if m.holds(&in, cl, 0, x) {
				return true
			}
		}
	}
	return false
}

// fits tells whether match y, with another member of kind more, is what the
// clause speaks of in group g.
func (m *Monitor) fits(cl *clause, g int, y int32, more kinds) bool {
	t := &m.matches[y]
	s := m.r.shapes[cl.shapes[g]]
	w := m.r.kinds[t.target].writers
	return int(t.target) == s.target && t.active() && (t.kinds|more)&w == s.writers
}

// holds tells whether the clause has an instance with x in the last position,
// all links known and no way out but x itself.
func (m *Monitor) holds(in *instance, cl *clause, i int, x int32) bool {
	p := &cl.pos[i]
	if i == len(cl.pos)-1 {
		return m.known(in, p, x) && m.noWayOut(in, cl, x)
	}
	for _, o := range m.matches[in.groups[p.group]].members {
		if int(m.ops[o].kind) == p.kind && m.known(in, p, o) {
			in.ops[i] = o
			if m.holds(in, cl, i+1, x) {
				return true
			}
		}
	}
	return false
}

func (m *Monitor) known(in *instance, p *position, x int32) bool {
	for _, l := range p.links {
		a, b := in.ops[l.from], x
		if !l.after {
			a, b = b, a
		}
		if m.compare(a, b) != before {
			return false
		}
	}
	return true
}

// noWayOut tells whether no running operation but x could change the matches.
func (m *Monitor) noWayOut(in *instance, cl *clause, x int32) bool {
	for g := range cl.shapes {
		if cl.forbid[g] == 0 {
			continue
		}
		for _, p := range m.pending {
			if p == x || m.ops[p].forced {
				continue
			}
			for _, k := range m.r.methods[m.ops[p].method].kinds {
				if cl.forbid[g].has(k) && m.keyMatches(p, &m.r.kinds[k], in.groups[g]) {
					return false
				}
			}
		}
	}
	return true
}
