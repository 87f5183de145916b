package wgl

import (
	"context"
	"math/bits"

	"github.com/adtinfer/adtinfer/history"
)

// System is what is searched: numbered states and the operations of one
// execution, numbered in order of their calls.
//
// The search takes and undoes steps like a stack, so that a System may keep
// more than the number of the current state.
type System interface {
	// Start is the initial state.
	Start() int32

	// Take lets an operation take effect in the current state, in its k-th way:
	// a completed operation has the way 0 only, a pending one may have several.
	// What follows must depend on the state it returns and on which
	// operations took effect, alone.
	Take(op int32, way int) (next int32, step Step)

	// Undo takes the last step back that was Taken.
	Undo()

	// Accepts tells whether the current state may be the last one, when all
	// completed operations took effect and the others never will.
	Accepts() bool

	// ReadOnly tells whether an operation changes nothing wherever it can be
	// taken.
	ReadOnly(op int32) bool

	// Class is the same, and not negative, for operations that differ in
	// nothing but their intervals.
	Class(op int32) int32
}

// Step is what came of Take.
type Step int8

const (
	Refused Step = iota // not this way
	Taken
	NoWay // neither this way nor one with a higher number
)

// searcher is the search over one timeline.
type searcher struct {
	*timeline
	sys     System
	cache   *cache
	elder   []int32 // by operation: the one of its class that returns just before it, or none
	returns []int32 // by operation: its rank among the returns

	rank  int      // of the first return that did not take effect
	state int32    //
	at    []int32  // by slot: the operation running there
	live  []uint64 // slots in use when byReturn[rank] returned
	done  []uint64 // those of them that took effect

	frames []frame
	dones  []uint64 // done before each frame's step
	reach  int      // the highest rank so far
	steps  int
}

// frame is a step taken, and what was tried instead of it already.
type frame struct {
	rank  int
	state int32
	slot  int32 // the next candidate is this slot, in this way
	way   int32
}

// Search looks for a linearization of an execution in a system: an order in
// which its completed operations, and some of the others, may take effect. lru
// bounds the cache; 0 is no bound. The error is the context's.
func Search(ctx context.Context, e *history.Execution, sys System, lru int) (found bool, err error) {
	found, _, err = search(ctx, newTimeline(e, everything(e), e.Events), sys, lru)
	return found, err
}

// everything lists the operations of an execution.
func everything(e *history.Execution) []int32 {
	ops := make([]int32, len(e.Ops))
	for i := range ops {
		ops[i] = int32(i)
	}
	return ops
}

// search looks for a linearization. reach is the rank of the first return that
// no partial linearization got past: the prefixes before it are linearizable.
// The error is the context's.
func search(ctx context.Context, t *timeline, sys System, limit int) (found bool, reach int, err error) {
	s := &searcher{timeline: t, sys: sys, cache: newCache(t.words, limit)}
	s.at = make([]int32, t.slots)
	s.live, s.done = make([]uint64, t.words), make([]uint64, t.words)
	s.enter(0, t.called[0])
	s.state = sys.Start()
	s.ages()
	found, err = s.run(ctx)
	return found, s.reach, err
}

// ages finds the elders. Pending operations count as returning after all
// others, in order of their calls.
func (s *searcher) ages() {
	s.elder, s.returns = make([]int32, len(s.slot)), make([]int32, len(s.slot))
	var last []int32 // by class, plus one
	meet := func(op int32) {
		s.elder[op] = none
		if c := int(s.sys.Class(op)); c >= 0 {
			for len(last) <= c {
				last = append(last, 0)
			}
			s.elder[op] = last[c] - 1
			last[c] = op + 1
		}
	}
	for op := range s.returns {
		s.returns[op] = int32(len(s.byReturn))
	}
	for r, op := range s.byReturn {
		s.returns[op] = int32(r)
		meet(op)
	}
	for op, r := range s.returns {
		if r == int32(len(s.byReturn)) {
			meet(int32(op))
		}
	}
}

// yields tells whether an operation can wait for another of its class, which
// returns earlier and can take effect now: in any linearization the two can
// change places.
func (s *searcher) yields(op int32) bool {
	for e := s.elder[op]; e != none; e = s.elder[e] {
		r := s.slot[e]
		if s.at[r] == e && (s.live[r>>6]&^s.done[r>>6])>>(r&63)&1 != 0 {
			return true
		}
		if s.returns[e] < int32(s.rank) {
			break // it and all before it took effect
		}
	}
	return false
}

func (s *searcher) run(ctx context.Context) (bool, error) {
	slot, way := int32(0), int32(0)
	for fresh := true; ; {
		if fresh && s.rank == len(s.byReturn) && s.sys.Accepts() {
			return true, nil
		}
		if s.steps++; s.steps&1023 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if fresh && s.takeReader() {
			continue
		}
		if fresh = s.takeNext(slot, way); fresh {
			slot, way = 0, 0
			continue
		}
		if len(s.frames) == 0 {
			return false, nil
		}
		slot, way = s.back()
	}
}

// takeReader takes a step that changes nothing, if there is one. Nothing else
// needs to be tried instead: a linearization without it can be had with it,
// since all that must precede it did.
func (s *searcher) takeReader() bool {
	for w := range s.live {
		for rest := s.live[w] &^ s.done[w]; rest != 0; rest &= rest - 1 {
			slot := int32(w*64 + bits.TrailingZeros64(rest))
			if op := s.at[slot]; s.sys.ReadOnly(op) {
				if next, step := s.sys.Take(op, 0); step == Taken {
					s.push(frame{s.rank, s.state, int32(s.slots), 0}, slot, next)
					return true
				}
			}
		}
	}
	return false
}

// takeNext takes the first step from the given slot and way on that leads to a
// configuration not seen before.
func (s *searcher) takeNext(slot, way int32) bool {
	for ; slot < int32(s.slots); slot, way = slot+1, 0 {
		w, bit := slot>>6, uint64(1)<<(slot&63)
		if s.live[w]&^s.done[w]&bit == 0 || s.sys.ReadOnly(s.at[slot]) {
			continue
		}
		op := s.at[slot]
		if s.yields(op) {
			continue
		}
		for ; ; way++ {
			next, step := s.sys.Take(op, int(way))
			if step == NoWay {
				break
			}
			if step == Taken {
				s.push(frame{s.rank, s.state, slot, way + 1}, slot, next)
				if s.cache.add(int32(s.rank), s.state, s.done) {
					return true
				}
				s.back()
			}
		}
	}
	return false
}

// push records a step and moves on past the returns it allows.
func (s *searcher) push(f frame, slot, next int32) {
	s.frames = append(s.frames, f)
	s.dones = append(s.dones, s.done...)
	s.state = next
	s.done[slot>>6] |= 1 << (slot & 63)
	for s.rank < len(s.byReturn) {
		r := s.slot[s.byReturn[s.rank]]
		w, bit := r>>6, uint64(1)<<(r&63)
		if s.done[w]&bit == 0 {
			break
		}
		s.done[w] &^= bit
		s.live[w] &^= bit
		s.enter(s.called[s.rank], s.called[s.rank+1])
		s.rank++
	}
	s.reach = max(s.reach, s.rank)
}

// back undoes the last step and returns where to go on instead.
func (s *searcher) back() (slot, way int32) {
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	for s.rank > f.rank {
		s.rank--
		for op := s.called[s.rank]; op < s.called[s.rank+1]; op++ {
			r := s.slot[op]
			s.live[r>>6] &^= 1 << (r & 63)
		}
		s.enterOne(s.byReturn[s.rank])
	}
	n := len(s.dones) - s.words
	copy(s.done, s.dones[n:])
	s.dones = s.dones[:n]
	s.state = f.state
	s.sys.Undo()
	return f.slot, f.way
}

// enter lets operations from number a to b run.
func (s *searcher) enter(a, b int32) {
	for op := a; op < b; op++ {
		s.enterOne(op)
	}
}

func (s *searcher) enterOne(op int32) {
	r := s.slot[op]
	s.at[r] = op
	s.live[r>>6] |= 1 << (r & 63)
}
