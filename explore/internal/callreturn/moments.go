package callreturn

import (
	"cmp"
	"math/bits"
	"slices"
)

// resolve has a thread return from the removal of a value, or of none if it is -1.
func (all moments) resolve(thread, value int) {
	for i := range all {
		m := &all[i]
		one := values(0)
		if value >= 0 {
			one = 1 << value
		}
		if m.by&(1<<thread) == 0 {
			m.stay |= m.there & one
		}
		m.by &^= 1 << thread
		m.there &^= one
		m.tidy()
	}
}

// tidy notes that nobody is left to remove values.
func (m *moment) tidy() {
	if m.by == 0 {
		m.stay |= m.there
		m.there = 0
	}
	if m.there == 0 {
		m.by = 0
	}
}

// fails reports whether values are left that nobody removes.
func (m moment) fails() bool {
	return m.stay != 0 || bits.OnesCount64(uint64(m.there)) > bits.OnesCount16(uint16(m.by))
}

// among is the moments as far as some values are concerned.
func (all moments) among(some values) moments {
	var own moments
	for _, m := range all {
		m.there, m.stay = m.there&some, m.stay&some
		m.tidy()
		own = own.with(m)
	}
	return own
}

// with is the moments with another one, without those that are no better than some other.
func (all moments) with(m moment) moments {
	if slices.ContainsFunc(all, func(x moment) bool { return x.covers(m) }) {
		return all
	}
	return append(slices.DeleteFunc(all, m.covers), m)
}

// covers reports whether m does whenever x does.
func (m moment) covers(x moment) bool {
	return m.stay&^x.stay == 0 && m.there&^(x.there|x.stay) == 0 && (m.there == 0 || x.by&^m.by == 0) && x.before&^m.before == 0
}

// sorted is the moments in order, which has no meaning.
func (all moments) sorted() moments {
	slices.SortFunc(all, moment.compare)
	return all
}

func (m moment) compare(x moment) int {
	return cmp.Or(cmp.Compare(m.there, x.there), cmp.Compare(m.stay, x.stay), cmp.Compare(m.by, x.by), cmp.Compare(m.before, x.before))
}

// observe notes the present moment for all running operations; for removals if they need moments.
func (s *state) observe(removals bool) {
	by := s.removing()
	for _, r := range s.runs {
		if r.busy && r.adds >= 0 && s.below != nil && s.gone&(1<<r.adds) == 0 {
			m := moment{there: s.there, by: by, before: anyone}
			s.below[r.adds] = s.below[r.adds].with(m)
		}
	}
	for t := range s.runs {
		if r := &s.runs[t]; removals && by&(1<<t) != 0 {
			m := moment{there: s.there, by: by &^ (1 << t)}
			m.tidy()
			r.moments = r.moments.with(m)
		}
	}
}

// leave has a thread return from a removal, of a moment at which a value of a stack may have been added:
// what is there then is below it.
func (m *moment) leave(thread, value int, left threads) {
	if value >= 0 && m.there&(1<<value) != 0 {
		m.there &^= 1 << value
		if m.by&(1<<thread) == 0 { // so what is above has left before
			if m.before == anyone {
				m.before = left
			}
			m.before &= left
		}
	}
	m.by &^= 1 << thread
	if m.before != anyone {
		m.before &^= 1 << thread
	}
	if m.there == 0 {
		m.by = 0
	}
}
