// Package multiset is the running example of "Runtime refinement checking": a
// multiset in an array with a lock for each slot, recorded, with a
// specification, a view on each side, and seven ways to get it wrong.
//
// InsertPair first reserves two slots and then makes both elements valid at
// once, under both locks. LookUp and Remove scan the array.
package multiset

import (
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/record"
)

// Multiset holds integers, each any number of times, up to a number of elements.
type Multiset struct {
	slots    []slot
	removals atomic.Uint64
	defect   Defect

	rec                        *record.Recorder
	insertPair, lookUp, remove record.Method
	content, valid, locks      record.Variable
}

// slot is a place for an element. Its lock protects it.
type slot struct {
	mu      sync.Mutex
	content int
	full    bool // there is a content: the slot is reserved
	valid   bool // the content is an element
}

// New makes an empty multiset of at most n elements, recorded by rec.
func New(n int, rec *record.Recorder, d Defect) *Multiset {
	return &Multiset{
		slots: make([]slot, n), defect: d, rec: rec,
		insertPair: rec.Method("insertPair"), lookUp: rec.Method("lookUp"), remove: rec.Method("remove"),
		content: rec.Variable("content"), valid: rec.Variable("valid"), locks: rec.Variable("lock"),
	}
}

// Session is a goroutine's access to a multiset.
type Session struct {
	m     *Multiset
	h     *record.Handle
	yield func()
}

// Session makes the access of one goroutine, named process. If yield is not nil
// it is called wherever another goroutine may take over.
func (m *Multiset) Session(process string, yield func()) *Session {
	if yield == nil {
		yield = func() {}
	}
	return &Session{m, m.rec.Handle(process), yield}
}

// InsertPair adds x and y, or neither: it returns false if it found no room.
func (s *Session) InsertPair(x, y int) bool {
	s.h.Call(s.m.insertPair, record.Int(x), record.Int(y))
	ok := s.insert(x, y)
	s.h.Return(truth(ok))
	return ok
}

func (s *Session) insert(x, y int) bool {
	i := s.findSlot(x)
	if i < 0 {
		s.h.Commit()
		return false
	}
	j := s.findSlot(y)
	if j < 0 {
		if s.m.defect != KeepsSlot {
			s.acquire(i)
			s.clear(i)
			s.release(i)
		}
		s.h.Commit()
		return false
	}
	if s.m.defect == WrongCommit {
		s.h.Commit()
	}
	s.validate(i, j)
	return true
}

// validate makes slots i and j valid. The operation takes effect when it gives
// the first lock back.
func (s *Session) validate(i, j int) {
	if s.m.defect == ValidUnlocked {
		s.setValid(i)
		s.setValid(j)
		s.h.Commit()
		return
	}
	s.acquireBoth(i, j)
	if s.m.defect == UnlocksEarly {
		s.h.Commit()
		s.releaseBoth(i, j)
		s.setValid(i)
		s.setValid(j)
		return
	}
	for _, k := range []int{i, j} {
		if s.m.defect == LosesCopy && s.elsewhere(k) {
			s.clear(k)
		} else {
			s.setValid(k)
		}
	}
	if s.m.defect != WrongCommit {
		s.h.Commit()
	}
	s.releaseBoth(i, j)
}

// findSlot reserves a slot for x: its index, or -1.
func (s *Session) findSlot(x int) int {
	for i := range s.m.slots {
		if s.reserve(i, x) {
			return i
		}
	}
	return -1
}

func (s *Session) reserve(i, x int) bool {
	if s.m.defect == FindsUnlocked {
		if s.m.slots[i].full {
			return false
		}
		s.yield()
		s.fill(i, x)
		return true
	}
	s.acquire(i)
	defer s.release(i)
	if s.m.slots[i].full {
		return false
	}
	s.fill(i, x)
	return true
}

// LookUp reports whether x is an element.
func (s *Session) LookUp(x int) bool {
	s.h.Call(s.m.lookUp, record.Int(x))
	found := s.scan(x, func(int) {})
	s.h.Return(truth(found))
	return found
}

// Remove takes x out once, and returns false if it is no element. Without
// effect it only observes, and needs no commit.
func (s *Session) Remove(x int) bool {
	s.h.Call(s.m.remove, record.Int(x))
	found := s.scan(x, func(i int) {
		s.unsetValid(i)
		s.clear(i)
		s.m.removals.Add(1)
		s.h.Commit()
	})
	s.h.Return(truth(found))
	return found
}

// scan looks for x and hands its slot to found, under the slot's lock. If
// something was removed while it looked in vain it looks again: x may have come
// back behind it before it left ahead of it.
func (s *Session) scan(x int, found func(i int)) bool {
	for {
		before := s.m.removals.Load()
		for i := range s.m.slots {
			if s.check(i, x, found) {
				return true
			}
		}
		if s.m.removals.Load() == before {
			return false
		}
	}
}

func (s *Session) check(i, x int, found func(i int)) bool {
	if s.m.defect == LooksUnlocked {
		s.yield()
	} else {
		s.acquire(i)
		defer s.release(i)
	}
	if sl := &s.m.slots[i]; !sl.valid || sl.content != x {
		return false
	}
	found(i)
	return true
}

func truth(b bool) record.Outcome {
	if b {
		return record.True
	}
	return record.False
}
