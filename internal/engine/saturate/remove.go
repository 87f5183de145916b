package saturate

import "slices"

// removal is the state of forgetting ("Monitoring refinement" §5.3).
//
// A match is settled when it is closed (Rules.settle) and no running operation
// overlaps it: nothing can join it, or come between its operations. It is
// forgotten when, in addition, each operation whose order with one of its own is
// still open belongs to a settled match, too. All its consequences have been
// drawn by then and stay.
type removal struct {
	closing []int32 // closed matches that running operations may overlap, in order of their ends
	first   int     // of closing
	near    []int32 // settled matches that may have become forgettable
}

// closed queues match y if it is closed.
func (s *Saturation) closed(y int32) {
	t := &s.matches[y]
	if s.o.Removal && !s.probing.on && !t.queued && s.closedAs(y) {
		t.queued = true
		s.closing = append(s.closing, y)
	}
}

func (s *Saturation) closedAs(y int32) bool {
	t := &s.matches[y]
	return s.active(y) && len(t.candidates) == 0 && t.promised == 0 && !t.settled && s.r.Closable[t.shape]
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
	for s.first < len(s.closing) {
		y := s.closing[s.first]
		t := &s.matches[y]
		if t.last > oldest {
			break
		}
		s.first++
		t.queued = false
		if s.closedAs(y) {
			s.settle(y)
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
