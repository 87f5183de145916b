package monitor

import (
	"slices"
	"sort"
)

// forcing is a procedure that knows which values pending removes must have
// taken.
type forcing interface {
	// check decides if pending removes take nothing more.
	check(c *columns) (f failure, ok bool)

	// forced is a value that some pending remove must take because of a
	// failure; -1 if it is a violation whatever they do.
	forced(c *columns, f failure) int32
}

// failure is why a prefix is not linearizable as long as pending removes take
// nothing more: an operation that found nothing and has no gap, or else values.
type failure struct {
	op     int32 // -1 if it is the values
	values []int32
}

// taking searches which values pending removes took.
type taking struct {
	forcing
	*container
	checks int  // so far
	wary   bool // a choice was wrong
}

// maxWork bounds how many events are looked at to choose pending removes, in
// all. At least fewChecks decisions are made.
const (
	maxWork   = 50_000_000
	fewChecks = 50
)

func (s *taking) check(c *columns) (f failure, ok bool) {
	s.checks++
	return s.forcing.check(c)
}

// take decides, given a value that one of the pending removes which are not
// used must take: it tries which. Two are as good as each other if nothing
// returned between their calls, and an earlier one constrains less than a later
// one. Where more values must be taken than there are pending removes there is
// nothing to try.
//
// Each try costs as many decisions as pending removes are left, or fewer. If
// the answer is linearizable the values stay as they were taken.
func (s *taking) take(c *columns, forced int32, used []bool) answer {
	if s.checks > fewChecks+maxWork/(int(s.n)+1) {
		return unclear
	}
	if !s.inTime(c, forced, used) {
		return violating
	}
	result, old := violating, s.values[forced]
	for t := range used {
		if used[t] || t > 0 && !used[t-1] && c.alike(s.tokens[t-1], s.tokens[t]) {
			continue
		}
		used[t], s.values[forced].rs = true, s.tokens[t]
		a := s.taken(c, used)
		if a == linearizable {
			return a
		}
		used[t], s.values[forced], s.wary = false, old, true
		switch a {
		case hopeless:
			return result
		case unclear:
			result = a
		}
	}
	return result
}

// hopeless is the answer if a value was taken too late, whatever the others do.
const hopeless = unclear + 1

// taken decides after one more value was taken.
func (s *taking) taken(c *columns, used []bool) answer {
	f, ok := s.check(c)
	if ok {
		return linearizable
	}
	forced := s.forced(c, f)
	if forced < 0 || !s.alone(c) {
		return hopeless
	}
	for _, u := range used {
		if !u {
			return s.take(c, forced, used)
		}
	}
	return violating
}

// unlessTaken is the answer where it is not known which values pending removes
// must have taken.
func (s *taking) unlessTaken(c *columns) answer {
	if s.alone(c) {
		return unclear
	}
	return violating
}

// alone decides without the values that are left.
func (s *taking) alone(c *columns) bool {
	return s.without(func(drop func(int32)) bool {
		for v := range s.values {
			if s.isLeft(&s.values[v]) {
				drop(int32(v))
			}
		}
		_, ok := s.check(c)
		return ok
	})
}

// inTime tells whether there may be enough pending removes, called in time, for
// the values that must be taken. A value that must be taken constrains least if
// it is not there at all; if then another must be taken, it must be now. The later
// a value is taken the more it constrains, so those that are in time for it are
// the first few; and of n values with the same few, or fewer, there are no more
// than these. That is looked at first of all, and once a choice was wrong.
func (s *taking) inTime(c *columns, forced int32, used []bool) bool {
	var free, few []int
	for t, u := range used {
		if !u {
			free = append(free, t)
		}
	}
	look := s.wary || len(free) == len(used)
	ok := s.without(func(drop func(int32)) bool {
		for len(few) < len(free) {
			few = append(few, len(free))
			if look {
				few[len(few)-1] = sort.Search(len(free), func(i int) bool { return s.tooLate(c, forced, s.tokens[free[i]]) })
			}
			drop(forced)
			f, ok := s.check(c)
			if ok {
				return true
			}
			if forced = s.forced(c, f); forced < 0 {
				return false
			}
		}
		return false
	})
	slices.Sort(few)
	for i, n := range few {
		ok = ok && n > i
	}
	return ok
}

// tooLate tells whether a value cannot have been taken by a call, whatever the
// others that are left do.
func (s *taking) tooLate(c *columns, v, call int32) bool {
	old := s.values[v].rs
	s.values[v].rs = call
	ok := s.alone(c)
	s.values[v].rs = old
	return !ok
}

// without calls f, which may drop values, and puts them back.
func (s *taking) without(f func(drop func(v int32)) bool) bool {
	var dropped, saved []int32
	ok := f(func(v int32) {
		dropped, saved = append(dropped, v), append(saved, s.values[v].as)
		s.values[v].as = 0
	})
	for i, v := range dropped {
		s.values[v].as = saved[i]
	}
	return ok
}
