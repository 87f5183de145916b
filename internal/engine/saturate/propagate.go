package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// propagate draws all conclusions of what is new.
func (m *Monitor) propagate() {
	for m.violation == nil {
		switch {
		case len(m.facts) > 0:
			f := m.facts[len(m.facts)-1]
			m.facts = m.facts[:len(m.facts)-1]
			m.learnt(f)
		case len(m.joined) > 0:
			x := m.joined[len(m.joined)-1]
			m.joined = m.joined[:len(m.joined)-1]
			m.changed(x)
		case len(m.recheck) > 0:
			p := m.recheck[len(m.recheck)-1]
			m.recheck = m.recheck[:len(m.recheck)-1]
			if p[1] < 0 {
				m.alone(p[0])
			} else {
				m.together(p[0], p[1])
			}
		default:
			return
		}
	}
	m.facts, m.joined, m.recheck = m.facts[:0], m.joined[:0], m.recheck[:0]
}

// learnt handles a new fact.
func (m *Monitor) learnt(f fact) {
	m.close(f.a, f.b)
	x, y := m.ops[f.a].match, m.ops[f.b].match
	switch {
	case x < 0 || y < 0:
	case x == y:
		m.alone(x)
	default:
		m.nearer(x)
		m.nearer(y)
		m.togetherBy(x, y, f)
	}
}

// changed handles that x is new in its match, or the match newly active.
func (m *Monitor) changed(x int32) {
	y := m.ops[x].match
	t := &m.matches[y]
	if !m.active(y) {
		return
	}
	m.touchAll(y)
	m.alone(y)
	m.stamp++
	t.stamp = m.stamp
	for _, a := range m.matches[y].members {
		for i := range m.ops[a].overlaps {
			if z := m.ops[m.ops[a].overlaps[i].op].match; z >= 0 && m.matches[z].stamp != m.stamp {
				m.matches[z].stamp = m.stamp
				m.together(y, z)
			}
		}
	}
	m.around(x, y)
	if len(t.blocked) > 0 {
		for _, z := range t.blocked {
			m.recheck = append(m.recheck, pair{y, z})
		}
		if !m.probing.on {
			t.blocked = t.blocked[:0]
		}
	}
}

// around looks at matches that do not overlap with match y, of which x is a new
// member.
func (m *Monitor) around(x, y int32) {
	t := &m.matches[y]
	ps := m.r.Pivots[int(t.shape)*len(m.r.Kinds)+int(m.ops[x].kind)]
	for i := range ps {
		p := &ps[i]
		before, after := m.bounds(p, y)
		l := &m.series[p.Series]
		for j := l.next(l.from(after)); j < len(l.ops); j = l.next(j + 1) {
			if l.late == 0 && l.times[j] >= before {
				break
			}
			o := &m.ops[l.ops[j]]
			if o.call <= after || o.ret >= before || m.matches[o.match].stamp == m.stamp {
				continue
			}
			m.matches[o.match].stamp = m.stamp
			if m.together(y, o.match); m.violation != nil {
				return
			}
		}
	}
}

// bounds is the time within which the pivot must lie: before a call, after a
// return, of the operations next to it in the pattern.
func (m *Monitor) bounds(p *clauses.Pivot, y int32) (before, after int) {
	after = -1
	if p.Prev >= 0 {
		after = never
	}
	for _, a := range m.matches[y].members {
		o := &m.ops[a]
		if int(o.kind) == p.Next {
			before = max(before, o.call)
		}
		if int(o.kind) == p.Prev {
			after = min(after, o.ret)
		}
	}
	return before, after
}

// alone applies the clauses about one match.
func (m *Monitor) alone(y int32) {
	if m.active(y) {
		for _, c := range m.r.One[m.matches[y].shape] {
			m.apply(c, pair{y, -1})
		}
	}
}

// together applies the clauses about two matches.
func (m *Monitor) together(y, z int32) {
	if y == z || !m.active(y) || !m.active(z) {
		return
	}
	a, b := &m.matches[y], &m.matches[z]
	for _, p := range m.r.Two[int(a.shape)*len(m.r.Shapes)+int(b.shape)] {
		if p.Swapped {
			m.apply(p.Clause, pair{z, y})
		} else {
			m.apply(p.Clause, pair{y, z})
		}
	}
}

// togetherBy applies the clauses about two matches that a new fact, about an
// operation of the first and one of the second, may have left with one open link.
func (m *Monitor) togetherBy(y, z int32, f fact) {
	a, b := &m.matches[y], &m.matches[z]
	i, j := m.r.Kinds[m.ops[f.a].kind].Slot, m.r.Kinds[m.ops[f.b].kind].Slot
	if !a.simple || !b.simple || i < 0 || j < 0 {
		m.together(y, z)
		return
	}
	if !m.active(y) || !m.active(z) {
		return
	}
	bit := uint64(1) << (8*i + j)
	for _, p := range m.r.Two[int(a.shape)*len(m.r.Shapes)+int(b.shape)] {
		first, groups := 0, pair{y, z} // the group of f.a
		if p.Swapped {
			first, groups = 1, pair{z, y}
		}
		if m.r.Clauses[p.Clause].MayTurn(first, bit) {
			m.apply(p.Clause, groups)
		}
	}
}

// maxPositions bounds the operations of a clause.
const maxPositions = 16

// instance is a clause with operations for its positions.
type instance struct {
	clause  int32
	groups  pair
	ops     [maxPositions]int32
	unknown int
	a, b    int32 // of the last link that is not known to hold: a before b
}

// apply looks at all instances of a clause in which at most one link is open.
func (m *Monitor) apply(c int32, groups pair) {
	cl := &m.r.Clauses[c]
	if cl.Compares() && groups[1] >= 0 && !cl.Applies(m.matches[groups[0]].key, m.matches[groups[1]].key) {
		return
	}
	if cl.Arrows != nil && m.matches[groups[0]].simple && (groups[1] < 0 || m.matches[groups[1]].simple) {
		m.applyOnce(c, cl, groups)
		return
	}
	in := instance{clause: c, groups: groups}
	m.fill(&in, cl, 0)
}

// applyOnce looks at the only instance of a clause in matches that have one
// operation for each position.
func (m *Monitor) applyOnce(c int32, cl *clauses.Clause, groups pair) {
	var open, a, b int32
	for i := range cl.Arrows {
		l := &cl.Arrows[i]
		x, y := m.matches[groups[l.FromGroup]].slots[l.From], m.matches[groups[l.ToGroup]].slots[l.To]
		p, q := &m.ops[x], &m.ops[y]
		o := p.apart(q)
		if o == unknown {
			o = p.find(q, x, y)
		}
		switch o {
		case after:
			return
		case unknown:
			if open++; open > 1 {
				return
			}
			a, b = x, y
		}
	}
	in := instance{clause: c, groups: groups, unknown: int(open), a: a, b: b}
	if m.still(&in, cl) {
		m.conclude(&in, cl)
	}
}

func (m *Monitor) fill(in *instance, cl *clauses.Clause, i int) {
	if i == len(cl.Positions) {
		if m.still(in, cl) {
			m.conclude(in, cl)
		}
		return
	}
	p := &cl.Positions[i]
	unknown, a, b := in.unknown, in.a, in.b
	members := m.matches[in.groups[p.Group]].members
	for _, x := range members {
		if int(m.ops[x].kind) == p.Kind && m.violation == nil && m.link(in, p, x) {
			in.ops[i] = x
			m.fill(in, cl, i+1)
		}
		in.unknown, in.a, in.b = unknown, a, b
	}
}

// still tells whether the matches have the shapes of the clause. An earlier
// instance may have forced an operation into one of them.
func (m *Monitor) still(in *instance, cl *clauses.Clause) bool {
	for g, s := range cl.Shapes {
		if m.matches[in.groups[g]].shape != int32(s) {
			return false
		}
	}
	return true
}

// link checks the links of x at a position to earlier ones; false if one cannot
// hold, or two are open.
func (m *Monitor) link(in *instance, p *clauses.Position, x int32) bool {
	for _, l := range p.Links {
		a, b := in.ops[l.From], x
		if !l.After {
			a, b = b, a
		}
		switch m.compare(a, b) {
		case after:
			return false
		case unknown:
			if in.unknown++; in.unknown > 1 {
				return false
			}
			in.a, in.b = a, b
		}
	}
	return true
}

// conclude handles an instance with at most one open link: together with the
// ways out it must have two open literals, or the last one is forced.
func (m *Monitor) conclude(in *instance, cl *clauses.Clause) {
	out := m.waysOut(in, cl)
	switch {
	case out.n == 0 && in.unknown == 0:
		m.conflict(verdict{clause: in.clause + 1})
	case out.n == 0:
		m.order(in.b, in.a, in.clause)
	case out.n == 1 && in.unknown == 0 && out.ways == 1:
		m.force(out.latest[0], out.kind, in.groups[out.group], in.clause)
	default:
		for _, x := range out.latest[:min(out.n, 2-in.unknown)] {
			m.watch(x, in.groups)
		}
		if len(cl.Shapes) == 2 && in.unknown == 0 {
			m.block(cl, in.groups)
		}
	}
}

// block notes that the matches violate unless a running operation joins one.
func (m *Monitor) block(cl *clauses.Clause, groups pair) {
	if m.probing.on {
		return
	}
	for g, y := range groups {
		t := &m.matches[y]
		if z := groups[1-g]; cl.Forbid[g] != 0 && !slices.Contains(t.blocked, z) {
			t.blocked = append(t.blocked, z)
			m.touchAll(y)
		}
	}
}
