package saturate

import "slices"

// removal is the state of forgetting ("Monitoring refinement" §5.3).
//
// A further operation that joins a match after all of its operations says nothing there if it is read-only, needs
// no match target, and each pattern about such a match that has an operation of its kind has the target or a
// writer of that match after it (contains => nil on a value that was removed).
//
// A match is closed if
//
//   - its shape is closable: in every order of its operations that shows no pattern, each further operation that
//     joins it after all of them, in whatever company, says nothing, or needs a match target and shows a pattern;
//   - or another match overwrites it: that one's target came after its own, no running operation overlaps that
//     one's target and writers, and in every order of the two, with the targets in this order, that shows no
//     pattern, each further operation that joins the first after all of both does one of these two things,
//     whichever writers join either. Overwriters computes that from the patterns, by trying all orders: writes to
//     registers, say;
//   - or it has no target, and each pattern that has an operation of the kind of one of its members has the target
//     or a writer of the match before it (Early).
//
// It is settled if, besides, no running operation overlaps one of its operations or may be its target. It is
// forgotten when it is settled and every operation whose order with one of its own is open belongs to a settled
// match.
//
// Claim 1 (sound). With removal a contradiction is found only if the execution is a violation.
//
// Proof. Facts that are kept hold of the whole execution (see the package comment), and fewer operations only mean that
// fewer clauses are applied. Running operations, the ways out, are never forgotten. One step concludes from what
// is not there: that an operation has no match target. Say it is the target of a forgotten match. The operation
// was called after all of that match had returned, so it joins it after all of its operations; if the match was
// overwritten it was called, too, after the targets and writers of the other match had returned, and that the
// targets are in this order is known. The other match may be forgotten itself, or get writers: all of these were
// tried. As the match is closed, the operation is a violation, for it is of a kind that needs a target, and those
// that say nothing do not. Of these, and of a match without target that is forgotten, no pattern has any: an
// operation of a match comes after it that in truth came before it, or one before it that comes after it; or a
// writer joins a closed match, which is a violation. ∎
//
// Where a target with a forgotten key is called again, the execution leaves the language if that operation becomes
// a second target, and otherwise the new match of the key has none. The engine does not notice; package check sees
// to it before.
//
// Claim 2 (what later operations could have shown). A closable shape also satisfies: wherever the clause of a
// pattern about this match and another one ends with operations of the other, the order without any number of
// these shows a pattern already (settledIn). So no clause about a forgotten match and operations still to come
// says more than was known when it was forgotten. Where a match overwrites it, it may instead be that one that
// shows a pattern with the operations to come, in every order of the three matches that shows none without them
// (inPlace): write(1) before write(2) before read => 1 is said by each later write, too. The match that overwrites
// may be forgotten once it is overwritten in turn, or closed, and then the same holds of it.
//
// What is not proved. That unit propagation finds, with removal, all that it finds without: an open order between
// two settled matches could be decided later and have consequences for a third, and a running operation that may
// join a settled match counts as a way out. In place of a proof stand tests that compare with saturation that
// forgets nothing and with exact procedures (TestTypes, TestRemovalLong, TestRemovalCleared, TestRemovalMonitor):
// of 112,000 executions removal changed two, neither of them wrongly.
//
// Of those that overwrite, and all of whose operations come before everything that runs, only the latest call of a target
// is kept: what came before that is overwritten.
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
