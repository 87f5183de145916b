package saturate

import "slices"

// removal is the state of forgetting ("Monitoring refinement" §5.3).
//
// A match is settled when it is closed (Rules.settle) and no running operation
// overlaps it: nothing can join it, or come between its operations. It is
// forgotten when, in addition, each operation whose order with one of its own is
// still open belongs to a settled match, too. All its consequences have been
// drawn by then and stay.
//
// Some matches are closed when a later one has overwritten them. Of those that
// overwrite, and all of whose operations come before everything that runs, only
// the latest call of a target is kept: what came before that is overwritten.
type removal struct {
	closing []int32 // closed matches that running operations may overlap, in order of their ends
	first   int     // of closing
	near    []int32 // settled matches that may have become forgettable

	overwriting bool    // some matches overwrite others
	open        []int32 // matches that wait to be overwritten
	writing     []writing
	written     []int // by shape: the latest call of a target of a match that overwrites
}

// writing is a match that overwrites others once no running operation overlaps it.
type writing struct {
	match, shape int32
	call, at     int // of its target; the event since which all of its operations are over
}

// closed queues match y if it is closed, or may be once it is overwritten, and notes that
// it overwrites others.
func (s *Saturation) closed(y int32) {
	t := &s.matches[y]
	if !s.o.Removal || s.probing.on || len(t.candidates) > 0 {
		return
	}
	if !t.queued && s.closable(t, y) && (!t.open || s.r.Closable[t.shape]) {
		t.queued = true
		s.closing = append(s.closing, y)
	}
	if s.overwriting && t.shape >= 0 && !t.writes && s.r.Overwrites[t.shape] && s.complete(y) {
		t.writes = true
		s.writing = append(s.writing, writing{y, t.shape, s.ops[t.slots[0]].call, s.now - 1})
	}
}

// closable reports whether match y, at t, is closed, or may be once it is overwritten.
func (s *Saturation) closable(t *match, y int32) bool {
	switch {
	case t.promised > 0 || t.settled || len(t.candidates) > 0:
		return false
	case t.shape < 0:
		return t.kinds != 0 && t.kinds&^s.r.Early == 0
	case s.r.Closable[t.shape], s.overwriting && len(s.r.Overwriters[t.shape]) > 0:
		return s.active(y)
	}
	return false
}

// complete reports whether the target and the writers of match y are over.
func (s *Saturation) complete(y int32) bool {
	t := &s.matches[y]
	return s.active(y) && len(t.candidates) == 0 && !slices.ContainsFunc(t.members, func(x int32) bool {
		return s.ops[x].ret == never && s.r.Kinds[s.ops[x].kind].Slot >= 0
	})
}

// overwritten reports whether a match came before one that overwrites it.
func (s *Saturation) overwritten(t *match) bool {
	return slices.ContainsFunc(s.r.Overwriters[t.shape], func(by int32) bool { return s.ops[t.slots[0]].hi < s.written[by] })
}

// nearer notes that an order between match y and another was decided.
func (s *Saturation) nearer(y int32) {
	if s.matches[y].settled && !s.probing.on {
		s.near = append(s.near, y)
	}
}

// remove forgets what can be forgotten.
func (s *Saturation) remove() {
	oldest := never
	if len(s.pending) > 0 {
		oldest = s.ops[s.pending[0]].call
	}
	if len(s.writing) > 0 && s.write(oldest) {
		s.open = slices.DeleteFunc(s.open, func(y int32) bool { return !s.matches[y].open || s.end(y, oldest) })
	}
	for s.first < len(s.closing) {
		y := s.closing[s.first]
		if s.matches[y].last > oldest {
			break
		}
		s.first++
		t := &s.matches[y]
		if t.queued = false; !s.end(y, oldest) && !t.open {
			t.open = true
			s.open = append(s.open, y)
		}
	}
	if s.first > len(s.closing)/2 {
		s.closing = slices.Delete(s.closing, 0, s.first)
		s.first = 0
	}
	for len(s.near) > 0 {
		y := s.near[len(s.near)-1]
		s.near = s.near[:len(s.near)-1]
		if t := &s.matches[y]; t.live && t.settled && s.forgettable(y) {
			s.forget(y)
		}
	}
}

// write takes note of the matches that overwrite others by now, if there are new ones.
func (s *Saturation) write(oldest int) (found bool) {
	n := 0
	for _, w := range s.writing {
		if w.at > oldest {
			break
		}
		n++
		if t := &s.matches[w.match]; t.live && t.shape == w.shape && s.ops[t.slots[0]].call == w.call && s.complete(w.match) && s.written[w.shape] < w.call {
			s.written[w.shape], found = w.call, true
		}
	}
	s.writing = slices.Delete(s.writing, 0, n)
	return found
}

// end settles a match that was closed, if it still is and no running operation overlaps
// it. It is false while the match has to wait for that.
func (s *Saturation) end(y int32, oldest int) bool {
	t := &s.matches[y]
	if s.closable(t, y) {
		if t.last > oldest || t.shape >= 0 && !s.r.Closable[t.shape] && !s.overwritten(t) {
			return false
		}
		s.settle(y)
	}
	t.open = false
	return true
}

// settle marks match y, and looks at it and at its neighbours again.
func (s *Saturation) settle(y int32) {
	t := &s.matches[y]
	t.settled = true
	s.near = append(s.near, y)
	for _, x := range t.members {
		for _, e := range s.ops[x].overlaps {
			if z := s.ops[e.op].match; e.order == unknown && z >= 0 && z != y && s.matches[z].settled {
				s.near = append(s.near, z)
			}
		}
	}
}

func (s *Saturation) forgettable(y int32) bool {
	for _, x := range s.matches[y].members {
		for _, e := range s.ops[x].overlaps {
			if z := s.ops[e.op].match; e.order == unknown && (z < 0 || !s.matches[z].settled) {
				return false
			}
		}
	}
	return true
}

// forget drops match y with its operations.
func (s *Saturation) forget(y int32) {
	for _, x := range s.matches[y].members {
		s.disconnect(x)
		s.unlist(x)
		s.ops[x].live = false
		s.spare = append(s.spare, x)
	}
	s.drop(y)
}
