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
func (s *Saturation) touch(x int32) {
	if o := &s.ops[x]; s.o.Probe && !s.probing.on && !o.touched {
		o.touched = true
		s.probing.touched = append(s.probing.touched, x)
	}
}

func (s *Saturation) touchAll(y int32) {
	if s.o.Probe && y >= 0 && s.matches[y].live {
		for _, x := range s.matches[y].members {
			s.touch(x)
		}
	}
}

// probe tries literals until none fails. What is known to be false of running
// operations is forgotten at the end: it need not stay so.
func (s *Saturation) probe() {
	if !s.o.Probe {
		return
	}
	p := &s.probing
	p.epoch++
	for i := 0; i < len(p.touched); i++ {
		x := p.touched[i]
		s.ops[x].touched = false
		if s.violation != nil || s.stopped() {
			continue
		}
		s.probeOrders(x)
		if y := s.ops[x].match; y >= 0 && s.violation == nil {
			s.probeGuards(y)
		}
	}
	p.touched, p.banned = p.touched[:0], p.banned[:0]
}

func (s *Saturation) stopped() bool { return s.o.Stop != nil && s.o.Stop() }

// maxProbed bounds the neighbours of the operations that are tried. One that
// runs for long has very many, and each order with it has consequences for all
// that came before: trying them would take time in proportion to the log, for
// every event.
const maxProbed = 100

func (s *Saturation) tooMany(x int32) bool { return len(s.ops[x].overlaps) > maxProbed }

// probeOrders tries both orders of x and each neighbour.
func (s *Saturation) probeOrders(x int32) {
	if s.tooMany(x) {
		return
	}
	for i := 0; i < len(s.ops[x].overlaps) && s.violation == nil && !s.stopped(); i++ {
		e := s.ops[x].overlaps[i]
		if e.order != unknown || s.ops[x].match < 0 || s.ops[e.op].match < 0 || s.tooMany(e.op) {
			continue
		}
		if s.failsBefore(x, e.op) {
			s.order(e.op, x, probed)
		} else if s.failsBefore(e.op, x) {
			s.order(x, e.op, probed)
		} else {
			continue
		}
		s.probing.epoch++
		s.propagate()
	}
}

// failsBefore reports whether "a before b" leads to a contradiction. It needs no
// trying if it followed from something that led to none: what follows from it
// followed then, too.
func (s *Saturation) failsBefore(a, b int32) bool {
	if n := s.neighbour(a, b); n.tried == s.probing.epoch {
		return false
	}
	return s.fails(func() { s.order(a, b, probed) })
}

// probeGuards tries whether the running operations that may join match y can,
// and whether they need not.
func (s *Saturation) probeGuards(y int32) {
	t := &s.matches[y]
	if !s.active(y) {
		return
	}
	open := s.r.Kinds[t.target].Writers
	for i := 0; i < len(s.pending) && s.violation == nil && t.shape >= 0 && !s.stopped(); i++ {
		x := s.pending[i]
		o := &s.ops[x]
		if s.tooMany(x) {
			continue
		}
		for _, k := range s.r.Methods[o.method].Kinds {
			g := guard{x, k, y}
			if o.forced || !open.Has(k) || t.kinds.Has(k) || s.isBanned(g) || !s.keyMatches(x, &s.r.Kinds[k], y) {
				continue
			}
			switch {
			case s.fails(func() { s.force(x, k, y, probed) }):
				s.ban(g)
			case s.fails(func() { s.ban(g) }):
				s.force(x, k, y, probed)
			default:
				continue
			}
			s.probing.epoch++
			s.propagate()
		}
	}
}

func (s *Saturation) isBanned(g guard) bool { return slices.Contains(s.probing.banned, g) }

// ban notes that a guard is false, for now. What the operation was a way out of
// is worth trying again.
func (s *Saturation) ban(g guard) {
	s.probing.banned = append(s.probing.banned, g)
	for _, w := range s.ops[g.op].watches {
		s.touchAll(w[0])
		s.touchAll(w[1])
	}
	s.recheck = append(s.recheck, s.ops[g.op].watches...)
}

// fails reports whether an assumption leads to a contradiction.
func (s *Saturation) fails(assume func()) bool {
	p := &s.probing
	p.on = true
	p.round++
	banned := len(p.banned)
	assume()
	s.propagate()
	failed := s.violation != nil
	s.violation = nil
	if !failed {
		for _, u := range p.trail {
			if u.b >= 0 {
				s.neighbour(u.a, u.b).tried = p.epoch
			}
		}
	}
	p.banned = p.banned[:banned]
	s.restore()
	p.on = false
	return failed
}

// restore undoes everything since the assumption.
func (s *Saturation) restore() {
	p := &s.probing
	for i := len(p.trail) - 1; i >= 0; i-- {
		u := &p.trail[i]
		o := &s.ops[u.a]
		switch {
		case u.b >= 0:
			s.set(u.a, u.b, unknown)
		case u.hi > 0:
			o.hi = u.hi
		default:
			o.forced, o.kind, o.match, o.candidate = false, u.kind, -1, u.candidate
		}
	}
	p.trail = p.trail[:0]
	for i := range p.saved {
		was := &p.saved[i]
		t := &s.matches[was.y]
		members := t.members[:len(was.members)]
		*t = was.match
		t.members = members
	}
	p.saved = p.saved[:0]
}

// save keeps match y as it is until the assumption is undone.
func (s *Saturation) save(y int32) {
	p := &s.probing
	t := &s.matches[y]
	if !p.on || t.saved == p.round {
		return
	}
	t.saved = p.round
	was := savedMatch{y, *t}
	was.candidates = slices.Clone(t.candidates)
	p.saved = append(p.saved, was)
}

// saveOp keeps how x is known to return until the assumption is undone.
func (s *Saturation) saveOp(x int32) {
	if o := &s.ops[x]; s.probing.on {
		s.probing.trail = append(s.probing.trail, undo{a: x, b: -1, kind: o.kind, candidate: o.candidate})
	}
}

func (s *Saturation) setHi(x int32, hi int) {
	o := &s.ops[x]
	if s.probing.on {
		s.probing.trail = append(s.probing.trail, undo{a: x, b: -1, hi: o.hi})
	}
	o.hi = hi
}
