package follow

import (
	"cmp"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// set follows sets, each value for itself: see set. A value is kept while
// it may be in, and while operations on it run.
type set struct {
	broken
	now     int64
	values  map[history.Value]*setValue
	free    []*setValue // to be used again
	running []setCall   // in the order of their calls

	needsRemove bool // as in set, of every existence
}

// setValue is a value of a set since it was certainly out and nothing about it
// ran.
type setValue struct {
	as, rs, re   int64 // the call of the add that returned; the remove; 0 if there is none
	a, last      int64 // the first return of the add and of what saw it in, and the last call of what did
	missed       int64 // the first return of what saw it out and was called after a
	adds, rems   calls // of pending adds and removes
	others       int   // what else runs
	againAndGone bool  // it was added a second time
}

// setCall is an operation that runs.
type setCall struct {
	at int64
	x  *setValue
}

// NewSet follows a set; needsRemove: see batch.Set.
func NewSet(needsRemove bool) Follower {
	return &set{values: map[history.Value]*setValue{}, needsRemove: needsRemove}
}

func (s *set) called(o calling) (int64, string) {
	s.now++
	x := s.values[o.asked]
	if x == nil {
		x = recycled(&s.free)
		s.values[own(o.asked)] = x
	}
	s.running = append(s.running, setCall{s.now, x})
	switch o.open {
	case columns.MaybeAdd:
		x.adds = append(x.adds, s.now)
	case columns.MaybeRemove:
		x.rems = append(x.rems, s.now)
	default:
		x.others++
	}
	return s.now, ""
}

func (s *set) returned(o returning) batch.Answer {
	s.now++
	i, _ := slices.BinarySearchFunc(s.running, o.at, func(r setCall, at int64) int { return cmp.Compare(r.at, at) })
	x := s.running[i].x
	s.running = slices.Delete(s.running, i, i+1)
	switch o.open {
	case columns.MaybeAdd:
		x.adds = without(x.adds, o.at)
	case columns.MaybeRemove:
		x.rems = without(x.rems, o.at)
	default:
		x.others--
	}
	if r, bad := x.returned(o.did, o.at, s.now); bad {
		if x.unsure(s.needsRemove) {
			return batch.Unclear
		}
		return s.no(r, o.asked)
	}
	out := x.as == 0 && x.a == 0 || x.re != 0
	if out && len(x.adds)+len(x.rems)+x.others == 0 {
		delete(s.values, o.asked)
		if *x = (setValue{adds: x.adds[:0], rems: x.rems[:0]}); len(s.free) < 1024 {
			s.free = append(s.free, x)
		}
	}
	return batch.Linearizable
}

// unsure reports whether the value may have been added with effect twice.
func (x *setValue) unsure(needsRemove bool) bool {
	if needsRemove && x.rs == 0 && len(x.rems) == 0 {
		return false
	}
	return x.againAndGone || len(x.adds) > 1 || len(x.adds) == 1 && x.as != 0
}

// returned takes note of an operation, called at some event, that returns now.
func (x *setValue) returned(did columns.Role, call, now int64) (r batch.Rule, bad bool) {
	switch did {
	case columns.Add:
		x.againAndGone = x.as != 0
		x.as = call
		x.seen(now)
	case columns.Remove:
		if x.rs != 0 {
			return batch.Twice, true
		}
		x.rs, x.re = call, now
	case columns.Present:
		x.seen(now)
		x.last = max(x.last, call)
	case columns.Absent:
		if x.a != 0 && x.a < call && x.missed == 0 {
			x.missed = now
		}
	}
	return x.judge(now)
}

// seen notes that the value was in by now.
func (x *setValue) seen(now int64) {
	if x.a == 0 {
		x.a = now
	}
}

// judge is life.judge with what there is.
func (x *setValue) judge(now int64) (r batch.Rule, bad bool) {
	as := x.as
	if as == 0 && len(x.adds) > 0 {
		as = x.adds[0]
	}
	in := x.a != 0 || x.rs != 0
	switch {
	case !in:
		return 0, false
	case as == 0:
		return batch.NeverAdded, true
	case x.a != 0 && x.a < as || x.re != 0 && x.re < as:
		return batch.BeforeAdd, true
	case x.re != 0 && x.re < x.last:
		return batch.Lifetime, true
	}
	until := x.rs
	if until == 0 && len(x.rems) > 0 {
		until = x.rems[0]
	}
	if until == 0 {
		until = now + 1
	}
	return batch.Lifetime, x.missed != 0 && x.missed < max(until, x.last)
}

func (s *set) live() int { return len(s.values) + len(s.running) }

// without takes a call out.
func without(c calls, at int64) calls {
	i, _ := slices.BinarySearch(c, at)
	return slices.Delete(c, i, i+1)
}
