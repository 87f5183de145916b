package multiset

import "github.com/adtinfer/adtinfer/record"

// Each change of a slot is recorded while the slot's lock is held, so that the
// order of the log is the order of the changes.

func (s *Session) acquire(i int) {
	s.yield()
	for !s.m.slots[i].mu.TryLock() {
		s.yield()
	}
	s.h.Acquire(s.m.locks, i)
	s.yield()
}

func (s *Session) release(i int) {
	s.h.Release(s.m.locks, i)
	s.m.slots[i].mu.Unlock()
	s.yield()
}

// acquireBoth takes two locks, which are different ones but for defects.
func (s *Session) acquireBoth(i, j int) {
	s.acquire(min(i, j))
	if i != j {
		s.acquire(max(i, j))
	}
}

func (s *Session) releaseBoth(i, j int) {
	s.release(i)
	if i != j {
		s.release(j)
	}
}

func (s *Session) fill(i, x int) {
	s.m.slots[i].content, s.m.slots[i].full = x, true
	s.h.Write(s.m.content, i, record.Int(x))
	s.yield()
}

func (s *Session) clear(i int) {
	s.m.slots[i].content, s.m.slots[i].full = 0, false
	s.h.Write(s.m.content, i, record.Value{})
	s.yield()
}

func (s *Session) setValid(i int) {
	s.m.slots[i].valid = true
	s.h.Write(s.m.valid, i, record.Bool(true))
	s.yield()
}

func (s *Session) unsetValid(i int) {
	s.m.slots[i].valid = false
	s.h.Write(s.m.valid, i, record.Bool(false))
	s.yield()
}

// elsewhere reports whether another slot has the content of slot k as an element.
func (s *Session) elsewhere(k int) bool {
	for i := range s.m.slots {
		if sl := &s.m.slots[i]; i != k && sl.valid && sl.content == s.m.slots[k].content {
			return true
		}
	}
	return false
}
