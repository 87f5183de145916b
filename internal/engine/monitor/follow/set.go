package follow

import (
	"cmp"
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// set follows sets, each value for itself: see set. A value is kept while
// it may be in, and while operations on it run.
type set struct {
	broken
	now     int64
	values  wording.Map[setValue]
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
	adds, rems   pending
	others       int32 // what else runs
	againAndGone bool  // it was added a second time
}

// pending are the adds of a value that run, or the removes.
type pending struct {
	n     int32
	first int64 // the call of the first of them, if there are any
}

// setCall is an operation that runs.
type setCall struct {
	at   int64
	open batch.Role
	x    *setValue
}

// NewSet follows a set; needsRemove: see batch.Set.
func NewSet(needsRemove bool) Follower {
	return &set{needsRemove: needsRemove}
}

func (s *set) called(o calling) (int64, string) {
	s.now++
	v := wording.KeyOf(o.asked)
	x := s.values.Get(v)
	if x == nil {
		x = recycled(&s.free)
		s.values.Put(v.Own(), x)
	}
	s.running = append(s.running, setCall{s.now, o.open, x})
	if p := x.pending(o.open); p != nil {
		if p.n++; p.n == 1 {
			p.first = s.now
		}
	} else {
		x.others++
	}
	return s.now, ""
}

// pending are the running operations that may do something to the value; nil if nobody
// asks which they are.
func (x *setValue) pending(open batch.Role) *pending {
	switch open {
	case batch.MaybeAdd:
		return &x.adds
	case batch.MaybeRemove:
		return &x.rems
	}
	return nil
}

// ends takes out an operation that returns, the ith of those that run.
func (s *set) ends(i int) *setValue {
	o := s.running[i]
	s.running = slices.Delete(s.running, i, i+1)
	p := o.x.pending(o.open)
	if p == nil {
		o.x.others--
		return o.x
	}
	if p.n--; p.n == 0 {
		p.first = 0
	} else if p.first == o.at {
		for s.running[i].x != o.x || s.running[i].open != o.open {
			i++
		}
		p.first = s.running[i].at
	}
	return o.x
}

func (s *set) returned(o returning) batch.Answer {
	s.now++
	i, _ := slices.BinarySearchFunc(s.running, o.at, func(r setCall, at int64) int { return cmp.Compare(r.at, at) })
	x := s.ends(i)
	if r, bad := x.returned(o.did, o.at, s.now); bad {
		if x.unsure(s.needsRemove) {
			return batch.Unclear
		}
		return s.no(r, o.asked)
	}
	out := x.as == 0 && x.a == 0 || x.re != 0
	if out && x.adds.n+x.rems.n+x.others == 0 {
		s.values.Delete(wording.KeyOf(o.asked))
		if *x = (setValue{}); len(s.free) < 1024 {
			s.free = append(s.free, x)
		}
	}
	return batch.Linearizable
}

// unsure reports whether the value may have been added with effect twice.
func (x *setValue) unsure(needsRemove bool) bool {
	if needsRemove && x.rs == 0 && x.rems.n == 0 {
		return false
	}
	return x.againAndGone || x.adds.n > 1 || x.adds.n == 1 && x.as != 0
}

// returned takes note of an operation, called at some event, that returns now.
func (x *setValue) returned(did batch.Role, call, now int64) (r batch.Rule, bad bool) {
	switch did {
	case batch.Add:
		x.againAndGone = x.as != 0
		x.as = call
		x.seen(now)
	case batch.Remove:
		if x.rs != 0 {
			return batch.Twice, true
		}
		x.rs, x.re = call, now
	case batch.Present:
		x.seen(now)
		x.last = max(x.last, call)
	case batch.Absent:
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
	as := cmp.Or(x.as, x.adds.first)
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
	until := cmp.Or(x.rs, x.rems.first, now+1)
	return batch.Lifetime, x.missed != 0 && x.missed < max(until, x.last)
}

func (s *set) live() int { return s.values.Len() + len(s.running) }

// without takes a call out.
func without(c calls, at int64) calls {
	i, _ := slices.BinarySearch(c, at)
	return slices.Delete(c, i, i+1)
}
