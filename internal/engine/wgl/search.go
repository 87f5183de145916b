package wgl

import (
	"errors"

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
	// a completed operation that cannot be left out has the way 0 only, a pending one
	// may have several.
	// What follows must depend on the state it returns and on which
	// operations took effect, alone.
	Take(op int32, way int) (next int32, step Step)

	// Undo takes the last step back that was Taken.
	Undo()

	// Accepts reports whether the current state may be the last one, when all
	// completed operations took effect and the others never will.
	Accepts() bool

	// ReadOnly reports whether an operation changes nothing wherever it can be
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
//
// The candidates for the next step are in a list in order of their middles, half-way
// between call and return: that is mostly the order in which they took effect. Pending
// ones come after all others, the first of each class that did not take effect: nothing
// waits for most of them. An operation taken out of the list keeps its links, so that it
// can be put back when the step is undone.
type searcher struct {
	*timeline
	classes
	sys     System
	machine *machine // sys, if it is one
	cache   *cache

	rank       int // of the first return that did not take effect
	state      int32
	prev, next []int32 // by operation, and the list's end: neighbours in the list
	listed     []bool
	took       []bool   // by pending operation: it took effect
	done       []uint64 // slots of operations that took effect and did not return before byReturn[rank], and lanes of pending ones

	sparing bool   // no two pending operations take effect one right after the other
	proof   *proof // of what was supposed, or nil
	top     int32  // the last of the operations that took effect and are not supposed to change nothing, or none

	frames []frame
	steps  int

	reach  int     // the highest rank so far
	best   []int32 // the operations of the first frames that got there, the last time that frames were undone
	common int     // so many of them are those of the frames still
	at     int32   // the state after them
	ahead  bool    // reach is that of the frames, and best is older
}

// frame is a step taken. The next thing to try instead is op, in this way.
type frame struct {
	rank    int
	state   int32
	op, way int32
	last    bool // nothing needs to be tried instead

	top, holder int32 // before the step, if there is a proof
}

// everything lists the operations of an execution.
func everything(e *history.Execution) []int32 {
	ops := make([]int32, len(e.Ops))
	for i := range ops {
		ops[i] = int32(i)
	}
	return ops
}

// haltSteps is the number of steps between two calls of halt.
const haltSteps = 1 << 10

// way is what a search found: a linearization, or the longest one of a prefix.
type way struct {
	found bool
	reach int     // the rank of the first return that no partial linearization got past: the prefixes before it are linearizable
	order []int32 // the operations up to there
	state int32   // after them
}

// search looks for a linearization. Every now and then it tells halt how many
// bytes it takes and how far it got, and asks whether it must end, and with which error.
func search(halt func(bytes, reach int) error, t *timeline, sys System, limit int) (way, error) {
	m, _ := sys.(*machine)
	if m != nil && len(t.slot)-len(t.byReturn) >= manyPending {
		s := newSearcher(t, sys, limit)
		s.sparing = true
		if way, err := s.search(patient(halt)); way.found || err != nil && err != errImpatient && err != errWrong {
			return way, err
		}
	}
	if m == nil || m.supposed == nil {
		return newSearcher(t, sys, limit).search(halt)
	}
	m.supposed.again()
	for prove := false; ; {
		s := newSearcher(t, sys, limit)
		if prove {
			s.proof = newProof(m, t)
		}
		way, err := s.search(halt)
		wrong := m.supposed.wrong
		used := m.supposed.again()
		switch {
		case err == nil && way.found || err != nil && err != errWrong:
			return way, err
		case wrong:
		case !used || prove:
			return way, nil
		default:
			prove = true
		}
	}
}

// Where so many operations are pending, the search first goes ways on which no two of them take effect one right after
// the other: mostly there is a linearization like that, and there are far fewer ways. It ends after patience
// times haltSteps that get it no further. Tests change the former.
var manyPending = 64

const patience = 1000

var errImpatient = errors.New("wgl: no further for a long time")

// patient is halt for such a search.
func patient(halt func(bytes, reach int) error) func(bytes, reach int) error {
	furthest, times := 0, 0
	return func(bytes, reach int) error {
		if times++; reach > furthest {
			furthest, times = reach, 0
		}
		if times > patience {
			return errImpatient
		}
		return halt(bytes, reach)
	}
}

func newSearcher(t *timeline, sys System, limit int) *searcher {
	n := len(t.slot)
	s := &searcher{timeline: t, classes: classesOf(t, sys), sys: sys, top: none}
	s.cache = newCache(t.fixed, s.guards, limit, n)
	s.done = make([]uint64, t.fixed+len(s.guards))
	links := make([]int32, 2*n+4)
	s.prev, s.next, s.listed, s.took = links[:n+2], links[n+2:], make([]bool, n), make([]bool, n)
	end, border := int32(n), int32(n)+1
	s.prev[end], s.next[end], s.prev[border], s.next[border] = border, border, end, end
	s.frames = make([]frame, 0, n)
	return s
}

func (s *searcher) search(halt func(bytes, reach int) error) (way, error) {
	s.enter(0, s.called[0])
	s.state = s.sys.Start()
	s.at = s.state
	switch m := s.sys.(type) {
	case *machine:
		s.machine = m
		m.soon = func() []Soon { return m.soonest(s) }
	case *partial:
		m.due = func(op int32) bool { return s.returns[op] == int32(s.rank) }
	}
	found, err := s.run(halt)
	if found || s.ahead {
		s.keep()
	}
	return way{found, s.reach, s.best, s.at}, err
}

// keep keeps the frames as those that got furthest.
func (s *searcher) keep() {
	s.best = s.best[:s.common]
	for _, f := range s.frames[s.common:] {
		s.best = append(s.best, f.op)
	}
	s.common, s.at, s.ahead = len(s.best), s.state, false
}

// bytes is how much memory the search takes, about.
func (s *searcher) bytes() int {
	const frameBytes, opBytes = 32, 64
	n := s.cache.bytes() + frameBytes*cap(s.frames) + opBytes*len(s.slot)
	if s.machine != nil {
		n += s.machine.bytes()
	}
	return n
}

// yields reports whether an operation can wait for another of its class, which
// returns earlier and can take effect now: in any linearization the two can
// change places.
func (s *searcher) yields(op int32) bool {
	for e := s.elder[op]; e != none && s.returns[e] >= int32(s.rank); e = s.elder[e] {
		if s.listed[e] {
			return true
		}
	}
	return false
}

func (s *searcher) run(halt func(bytes, reach int) error) (bool, error) {
	end := int32(len(s.slot))
	op, way := s.next[end], int32(0)
	for fresh := true; ; {
		if fresh && s.rank == len(s.byReturn) && s.sys.Accepts() {
			return true, nil
		}
		if s.steps++; s.steps%haltSteps == 0 {
			if err := halt(s.bytes(), s.reach); err != nil {
				return false, err
			}
		}
		if s.machine != nil && s.machine.supposed != nil && s.machine.supposed.wrong {
			return false, errWrong
		}
		if fresh && s.takeReader() {
			op, way = s.next[end], 0
			continue
		}
		if fresh = s.takeNext(op, way); fresh {
			op, way = s.next[end], 0
			continue
		}
		for last := true; last; {
			if len(s.frames) == 0 {
				return false, nil
			}
			op, way, last = s.back()
		}
	}
}

// takeReader takes a step that changes nothing, if there is one. Nothing else
// needs to be tried instead: a linearization without it can be had with it,
// since all that must precede it did. Pending operations, behind the border, need not
// take effect.
func (s *searcher) takeReader() bool {
	end := int32(len(s.slot))
	for op := s.next[end]; op != end+1; op = s.next[op] {
		sure := s.sys.ReadOnly(op)
		if !sure && (s.machine == nil || !s.machine.idle(op)) {
			continue
		}
		next, step := s.sys.Take(op, 0)
		switch {
		case step != Taken:
		case sure || next == s.state:
			if !sure {
				s.machine.uses(op)
			}
			s.push(op, 0, next, true)
			return true
		default:
			s.sys.Undo()
		}
	}
	return false
}

// takeNext takes the first step from the given operation and way on that leads
// to a configuration not seen before.
func (s *searcher) takeNext(op, way int32) bool {
	for end := int32(len(s.slot)); op != end; op, way = s.next[op], 0 {
		if op > end && s.sparing && len(s.frames) > 0 && s.pending(s.frames[len(s.frames)-1].op) {
			return false // only pending operations are left
		}
		if op > end || s.sys.ReadOnly(op) || s.yields(op) {
			continue
		}
		for ; ; way++ {
			next, step := s.sys.Take(op, int(way))
			if step == NoWay {
				break
			}
			if step == Taken && next == s.state && s.pending(op) { // it need not take effect
				s.sys.Undo()
				continue
			}
			if step == Taken {
				s.push(op, way+1, next, false)
				if s.cache.add(int32(s.rank), s.state, s.done) {
					if s.proof != nil {
						s.proof.check(s)
					}
					return true
				}
				s.back()
			}
		}
	}
	return false
}

// push records a step and moves on past the returns it allows.
func (s *searcher) push(op, way, next int32, last bool) {
	f := frame{rank: s.rank, state: s.state, op: op, way: way, last: last, top: s.top}
	if s.proof != nil {
		if !s.pending(op) {
			holder := &s.proof.holder[s.slot[op]]
			f.holder, *holder = *holder, op
		}
		if !last {
			s.top = max(s.top, s.proof.least[op])
		}
	}
	s.frames = append(s.frames, f)
	s.state = next
	s.unlist(op)
	if s.pending(op) {
		s.took[op] = true
		s.done[s.lane[op].word] += s.lane[op].unit
		if next := s.after[op]; next != none && next < s.called[s.rank] {
			s.list(next, s.prev[op], s.next[op])
		}
	} else {
		s.flip(op)
	}
	for s.rank < len(s.byReturn) && !s.listed[s.byReturn[s.rank]] {
		s.flip(s.byReturn[s.rank])
		s.enter(s.called[s.rank], s.called[s.rank+1])
		s.rank++
	}
	if s.rank > s.reach {
		s.reach, s.ahead = s.rank, true
	}
}

// back undoes the last step and returns where to go on instead.
func (s *searcher) back() (op, way int32, last bool) {
	if s.ahead {
		s.keep()
	}
	f := s.frames[len(s.frames)-1]
	s.frames = s.frames[:len(s.frames)-1]
	s.common = min(s.common, len(s.frames))
	for s.rank > f.rank {
		s.rank--
		for op := s.called[s.rank+1] - 1; op >= s.called[s.rank]; op-- {
			if s.listed[op] {
				s.unlist(op)
			}
		}
		s.flip(s.byReturn[s.rank])
	}
	if s.pending(f.op) {
		s.took[f.op] = false
		s.done[s.lane[f.op].word] -= s.lane[f.op].unit
		if next := s.after[f.op]; next != none && s.listed[next] {
			s.unlist(next)
		}
	} else {
		s.flip(f.op)
		if s.proof != nil {
			s.proof.holder[s.slot[f.op]] = f.holder
		}
	}
	s.list(f.op, s.prev[f.op], s.next[f.op])
	s.state, s.top = f.state, f.top
	s.sys.Undo()
	return f.op, f.way, f.last
}

// enter puts operations from number a to b into the list: before the border in order of
// their middles or, if they are pending, at its end.
func (s *searcher) enter(a, b int32) {
	end := int32(len(s.slot))
	for op := a; op < b; op++ {
		if s.pending(op) {
			if first := s.before[op]; first == none || s.took[first] {
				s.list(op, s.prev[end], end)
			}
			continue
		}
		next := end + 1
		last := s.prev[next]
		for last != end && s.middle[last] > s.middle[op] {
			next, last = last, s.prev[last]
		}
		s.list(op, last, next)
	}
}

// list puts an operation into the list between two others.
func (s *searcher) list(op, last, next int32) {
	s.prev[op], s.next[op], s.listed[op] = last, next, true
	s.next[last], s.prev[next] = op, op
}

func (s *searcher) unlist(op int32) {
	s.next[s.prev[op]], s.prev[s.next[op]], s.listed[op] = s.next[op], s.prev[op], false
}

// flip puts the slot of an operation that returns into done, or takes it out.
func (s *searcher) flip(op int32) {
	r := s.slot[op]
	s.done[r>>6] ^= 1 << (r & 63)
}

// pending reports whether an operation does not return.
func (s *searcher) pending(op int32) bool { return int(s.returns[op]) == len(s.byReturn) }
