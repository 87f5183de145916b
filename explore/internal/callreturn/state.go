package callreturn

import (
	"encoding/binary"
	"slices"
)

// values is a set of values, threads of threads.
type (
	values  uint64
	threads uint16
)

// state is what is left to know of a history.
type state struct {
	runs []running
	// called values are those of which the addition was called. Those there are added and not removed, as
	// far as is known; those gone are removed.
	called, there, gone values
	// above[v] is what must not be there when v leaves, of what is there or may be yet.
	above []values
	// below is for each value of a stack that is not removed the moments at which it may have been added.
	below []moments
	// due is for each removal that returned the moments of which one has to do.
	due []moments
}

// running is what a thread does.
type running struct {
	busy    bool
	adds    int     // the value, or -1: it removes
	moments moments // of a removal, since its call; without those that are no better than others
}

// moment is one at which a removal may have taken effect. The values there have to be removed by
// threads that ran removals then; those that stay were not.
type moment struct {
	there, stay values
	by          threads
	before      threads // in below: one of them removes the value that was added
}

// anyone may remove a value, at any time.
const anyone threads = 1<<16 - 1

type moments []moment

func (s *state) clone() *state {
	c := *s
	c.runs, c.above, c.due = slices.Clone(s.runs), slices.Clone(s.above), slices.Clone(s.due)
	c.below = slices.Clone(s.below)
	for i := range c.below {
		c.below[i] = slices.Clone(c.below[i])
	}
	for i := range c.runs {
		c.runs[i].moments = slices.Clone(c.runs[i].moments)
	}
	for i := range c.due {
		c.due[i] = slices.Clone(c.due[i])
	}
	return &c
}

// removing lists the threads that run removals.
func (s *state) removing() (all threads) {
	for t, r := range s.runs {
		if r.busy && r.adds < 0 {
			all |= 1 << t
		}
	}
	return all
}

// call begins the addition of a value, or a removal.
func (s *state) call(order Order, thread, adds int) {
	s.runs[thread] = running{busy: true, adds: adds}
	if adds < 0 {
		return
	}
	s.called |= 1 << adds
	if order == FIFO {
		s.above[adds] = s.there
		return
	}
	for v := range s.above {
		if s.there&(1<<v) != 0 {
			s.above[v] |= 1 << adds
		}
	}
}

// added ends an addition. It is false if that cannot have been.
func (s *state) added(thread int) bool {
	v := s.runs[thread].adds
	s.runs[thread] = running{}
	s.there |= 1 << v &^ s.gone
	return s.below == nil || s.gone&(1<<v) != 0 || len(s.below[v]) > 0
}

// leaves resolves the moments of additions to a stack. It is false if a value is above one that left.
func (s *state) leaves(thread, value int) bool {
	for v := range s.below {
		if v == value {
			if !slices.ContainsFunc(s.below[v], func(m moment) bool { return m.before&(1<<thread) != 0 }) {
				return false
			}
			s.below[v] = nil
			continue
		}
		var own moments
		for _, m := range s.below[v] {
			if m.leave(thread, value, s.removing()); m.before != 0 {
				own = own.with(m)
			}
		}
		if s.below[v] = own; len(own) == 0 && s.there&(1<<v) != 0 {
			return false
		}
	}
	return true
}

// removed ends a removal of a value, or of none if it is -1. It is false if that cannot
// have been.
func (s *state) removed(order Order, thread, value int) bool {
	own := s.runs[thread].moments
	above := ^values(0)
	s.runs[thread] = running{}
	if value >= 0 {
		if s.called&(1<<value) == 0 || s.gone&(1<<value) != 0 {
			return false // VFresh, VRepeat
		}
		above = s.above[value]
		s.there &^= 1 << value
		s.gone |= 1 << value
		if order == FIFO { // the later the better
			own = moments{{there: s.there, by: s.removing()}}
		}
	}
	if !s.leaves(thread, value) {
		return false
	}
	for i := range s.runs {
		s.runs[i].moments.resolve(thread, value)
	}
	for i := range s.due {
		s.due[i].resolve(thread, value)
	}
	s.due = append(s.due, own.among(above))
	var due []moments
	for _, d := range s.due {
		d = slices.DeleteFunc(d, moment.fails)
		switch {
		case len(d) == 0:
			return false // VEmpty, VOrd
		case !slices.ContainsFunc(d, func(m moment) bool { return m.there == 0 }):
			due = append(due, d)
		}
	}
	s.due = due
	return true
}

// tidy forgets what no longer matters, and orders the rest.
func (s *state) tidy() {
	known := s.there
	for _, r := range s.runs {
		if r.busy && r.adds >= 0 {
			known |= 1 << r.adds
		}
		for _, m := range r.moments.sorted() {
			known |= m.there | m.stay
		}
	}
	for v := range s.above {
		if s.above[v] &= known; s.gone&(1<<v) != 0 {
			s.above[v] = 0
		}
	}
	for v := range s.below {
		s.below[v].sorted()
	}
	for i, d := range s.due {
		var own moments
		for _, m := range d {
			own = own.with(m)
		}
		s.due[i] = own.sorted()
	}
	slices.SortFunc(s.due, func(a, b moments) int { return slices.CompareFunc(a, b, moment.compare) })
	s.due = slices.CompactFunc(s.due, func(a, b moments) bool { return slices.Equal(a, b) })
}

// permuted is the state with other names for threads.
func (s *state) permuted(perm []uint8) *state {
	c := s.clone()
	renamed := func(some threads) (all threads) {
		if some == anyone {
			return some
		}
		for to, from := range perm {
			all |= (some >> from & 1) << to
		}
		return all
	}
	rename := func(all moments) {
		for i := range all {
			all[i].by, all[i].before = renamed(all[i].by), renamed(all[i].before)
		}
	}
	for to, from := range perm {
		c.runs[to] = s.runs[from]
		c.runs[to].moments = slices.Clone(s.runs[from].moments)
		rename(c.runs[to].moments)
	}
	for _, d := range slices.Concat(c.due, c.below) {
		rename(d)
	}
	return c
}

// key is the same for equal states alone.
func (s *state) key() string {
	var b []byte
	add := func(n uint64) { b = binary.AppendUvarint(b, n) }
	all := func(ms moments) {
		add(uint64(len(ms)))
		for _, m := range ms {
			add(uint64(m.there))
			add(uint64(m.stay))
			add(uint64(m.by))
			add(uint64(m.before))
		}
	}
	for _, r := range s.runs {
		if !r.busy {
			add(0)
			continue
		}
		add(uint64(r.adds + 2))
		all(r.moments)
	}
	add(uint64(s.called))
	add(uint64(s.there))
	add(uint64(s.gone))
	for _, v := range s.above {
		add(uint64(v))
	}
	for _, d := range slices.Concat(s.below, s.due) {
		all(d)
	}
	return string(b)
}
