package saturate

import "slices"

// probing is the state of failed-literal probing: a literal is assumed, its
// consequences are drawn, and everything is undone. If they contradict each
// other the literal's negation holds.
//
// Only literals near what changed are tried: those of operations that gained a
// fact or joined a match since the last return, or whose match came to depend
// on running operations.
type probing struct {
	on      bool // something is assumed
	round   int32
	epoch   uint16  // changes with what holds
	touched []int32 // operations
	banned  []guard
	trail   []undo
	saved   []savedMatch
}

// guard is "running operation op returns as kind into match".
type guard struct {
	op    int32
	kind  int
	match int32
}

// undo restores one operation: that it comes before b if that is not negative, its
// latest end if hi is positive, else how it was known to return.
type undo struct {
	a, b      int32
	hi        int
	kind      int32
	candidate int32
}

// savedMatch is a match as it was before an assumption.
type savedMatch struct {
	y int32
	match
}

// touch notes that something about x changed.
func (m *Monitor) touch(x int32) {
	if o := &m.ops[x]; m.o.Probe && !m.probing.on && !o.touched {
		o.touched = true
		m.probing.touched = append(m.probing.touched, x)
	}
}

func (m *Monitor) touchAll(y int32) {
	if m.o.Probe && y >= 0 && m.matches[y].live {
		for _, x := range m.matches[y].members {
			m.touch(x)
		}
	}
}

// probe tries literals until none fails. What is known to be false of running
// operations is forgotten at the end: it need not stay so.
func (m *Monitor) probe() {
	if !m.o.Probe {
		return
	}
	p := &m.probing
	p.epoch++
	for i := 0; i < len(p.touched); i++ {
		x := p.touched[i]
		m.ops[x].touched = false
		if m.violation != nil || m.stopped() {
			continue
		}
		m.probeOrders(x)
		if y := m.ops[x].match; y >= 0 && m.violation == nil {
			m.probeGuards(y)
		}
	}
	p.touched, p.banned = p.touched[:0], p.banned[:0]
}

func (m *Monitor) stopped() bool { return m.o.Stop != nil && m.o.Stop() }

// maxProbed bounds the neighbours of the operations that are tried. One that
// runs for long has very many, and each order with it has consequences for all
// that came before: trying them would take time in proportion to the log, for
// every event.
const maxProbed = 100

func (m *Monitor) tooMany(x int32) bool { return len(m.ops[x].overlaps) > maxProbed }

// probeOrders tries both orders of x and each neighbour.
func (m *Monitor) probeOrders(x int32) {
	if m.tooMany(x) {
		return
	}
	for i := 0; i < len(m.ops[x].overlaps) && m.violation == nil && !m.stopped(); i++ {
		e := m.ops[x].overlaps[i]
		if e.order != unknown || m.ops[x].match < 0 || m.ops[e.op].match < 0 || m.tooMany(e.op) {
			continue
		}
		if m.failsBefore(x, e.op) {
			m.order(e.op, x, probed)
		} else if m.failsBefore(e.op, x) {
			m.order(x, e.op, probed)
		} else {
			continue
		}
		m.probing.epoch++
		m.propagate()
	}
}

// failsBefore tells whether "a before b" leads to a contradiction. It needs no
// trying if it followed from something that led to none: what follows from it
// followed then, too.
func (m *Monitor) failsBefore(a, b int32) bool {
	if n := m.neighbour(a, b); n.tried == m.probing.epoch {
		return false
	}
	return m.fails(func() { m.order(a, b, probed) })
}

// probeGuards tries whether the running operations that may join match y can,
// and whether they need not.
func (m *Monitor) probeGuards(y int32) {
	t := &m.matches[y]
	if !m.active(y) {
		return
	}
	open := m.r.Kinds[t.target].Writers
	for i := 0; i < len(m.pending) && m.violation == nil && t.shape >= 0 && !m.stopped(); i++ {
		x := m.pending[i]
		o := &m.ops[x]
		if m.tooMany(x) {
			continue
		}
		for _, k := range m.r.Methods[o.method].Kinds {
			g := guard{x, k, y}
			if o.forced || !open.Has(k) || t.kinds.Has(k) || m.isBanned(g) || !m.keyMatches(x, &m.r.Kinds[k], y) {
				continue
			}
			switch {
			case m.fails(func() { m.force(x, k, y, probed) }):
				m.ban(g)
			case m.fails(func() { m.ban(g) }):
				m.force(x, k, y, probed)
			default:
				continue
			}
			m.probing.epoch++
			m.propagate()
		}
	}
}

func (m *Monitor) isBanned(g guard) bool { return slices.Contains(m.probing.banned, g) }

// ban notes that a guard is false, for now. What the operation was a way out of
// is worth trying again.
func (m *Monitor) ban(g guard) {
	m.probing.banned = append(m.probing.banned, g)
	for _, w := range m.ops[g.op].watches {
		m.touchAll(w[0])
		m.touchAll(w[1])
	}
	m.recheck = append(m.recheck, m.ops[g.op].watches...)
}

// fails tells whether an assumption leads to a contradiction.
func (m *Monitor) fails(assume func()) bool {
	p := &m.probing
	p.on = true
	p.round++
	banned := len(p.banned)
	assume()
	m.propagate()
	failed := m.violation != nil
	m.violation = nil
	if !failed {
		for _, u := range p.trail {
			if u.b >= 0 {
				m.neighbour(u.a, u.b).tried = p.epoch
			}
		}
	}
	p.banned = p.banned[:banned]
	m.restore()
	p.on = false
	return failed
}

// restore undoes everything since the assumption.
func (m *Monitor) restore() {
	p := &m.probing
	for i := len(p.trail) - 1; i >= 0; i-- {
		u := &p.trail[i]
		o := &m.ops[u.a]
		switch {
		case u.b >= 0:
			m.set(u.a, u.b, unknown)
		case u.hi > 0:
			o.hi = u.hi
		default:
			o.forced, o.kind, o.match, o.candidate = false, u.kind, -1, u.candidate
		}
	}
	p.trail = p.trail[:0]
	for i := range p.saved {
		s := &p.saved[i]
		t := &m.matches[s.y]
		members := t.members[:len(s.members)]
		*t = s.match
		t.members = members
	}
	p.saved = p.saved[:0]
}

// save keeps match y as it is until the assumption is undone.
func (m *Monitor) save(y int32) {
	p := &m.probing
	t := &m.matches[y]
	if !p.on || t.saved == p.round {
		return
	}
	t.saved = p.round
	s := savedMatch{y, *t}
	s.candidates = slices.Clone(t.candidates)
	p.saved = append(p.saved, s)
}

// saveOp keeps how x is known to return until the assumption is undone.
func (m *Monitor) saveOp(x int32) {
	if o := &m.ops[x]; m.probing.on {
		m.probing.trail = append(m.probing.trail, undo{a: x, b: -1, kind: o.kind, candidate: o.candidate})
	}
}

func (m *Monitor) setHi(x int32, hi int) {
	o := &m.ops[x]
	if m.probing.on {
		m.probing.trail = append(m.probing.trail, undo{a: x, b: -1, hi: o.hi})
	}
	o.hi = hi
}
