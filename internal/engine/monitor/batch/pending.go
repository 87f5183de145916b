package batch

import (
	"cmp"
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// forcing is a procedure that knows which values pending removes must have
// taken.
type forcing interface {
	// check decides if pending removes take nothing more. It may be unclear where
	// values were peeked at.
	check(c *columns.Columns) (failure, Answer)

	// blame is the witness of the first failure.
	blame(c *columns.Columns, f failure) Witness

	// forced lists values one of which some pending remove must take because of a
	// failure; none if it is a violation whatever they do.
	forced(c *columns.Columns, f failure) []int32

	// inTheWay lists values that are left, those first that seem to be in the way most;
	// small makes a procedure for some of the operations.
	inTheWay(c *columns.Columns, f failure) []int32
	small() Algorithm
}

// failure is why a prefix is not linearizable as long as pending removes take
// nothing more: an operation that found nothing and has no gap, or else values.
type failure struct {
	op     int32 // -1 if it is the values
	values []int32
}

// taking searches which values pending removes took. Proof:
// docs/proofs/pending-operations.md.
type taking struct {
	forcing
	*Container
	assign func(c *columns.Columns) bool // reports whether all fits if pending removes take certain values, which it gives them; nil: nobody knows which
	few    bool                          // it is about few operations of a prefix, see crowded
	checks int                           // so far
	wary   bool                          // a choice was wrong
}

// maxWork bounds how many events are looked at to choose pending removes, in
// all. At least fewChecks decisions are made, and no more than mostChecks of few operations.
const (
	maxWork    = 50_000_000
	fewChecks  = 50
	mostChecks = 1_000
)

// ended reports whether nothing more is tried.
func (s *taking) ended() bool {
	return s.checks > fewChecks+maxWork/(int(s.n)+1) || s.few && s.checks > mostChecks || s.stopped()
}

// decide decides a prefix in which nothing is wrong with one value alone.
func (s *taking) decide(c *columns.Columns) (Answer, Witness) {
	f, a := s.forcing.check(c)
	switch a {
	case Linearizable:
		return a, Witness{}
	case Unclear:
		return a, Witness{Op: -1}
	}
	w := s.blame(c, f)
	switch {
	case len(s.pending) == 0:
		return Violating, w
	case !s.few && s.crowded(c, f):
		return Violating, w
	case s.foretold(c):
		return Linearizable, Witness{}
	case !s.alone(c):
		return Violating, w
	case s.assign != nil && s.assign(c):
		return Linearizable, Witness{}
	}
	return s.take(c, s.forced(c, f), make([]bool, len(s.pending))), w
}

func (s *taking) check(c *columns.Columns) (failure, Answer) {
	s.checks++
	return s.forcing.check(c)
}

// take decides, given values one of which a pending remove that is not used must
// take: it tries which.
//
// Each try costs as many decisions as pending removes are left, or fewer. If
// the answer is linearizable the values stay as they were taken.
func (s *taking) take(c *columns.Columns, forced []int32, used []bool) Answer {
	switch {
	case s.ended():
		return Unclear
	case len(forced) == 1 && !s.inTime(c, forced[0], used):
		return Violating
	}
	result := Violating
	for _, v := range forced {
		switch a := s.takeOne(c, v, used); a {
		case Linearizable:
			return a
		case Unclear:
			result = a
		}
	}
	return result
}

// takeOne tries which pending remove took a value. Two are as good as each other if
// nothing returned between their calls, and an earlier one constrains less than a later
// one.
func (s *taking) takeOne(c *columns.Columns, v int32, used []bool) Answer {
	result, old := Violating, s.values[v]
	for t := range used {
		if used[t] || t > 0 && !used[t-1] && c.Alike(s.pending[t-1], s.pending[t]) {
			continue
		}
		if s.ended() {
			return Unclear
		}
		used[t], s.values[v].rs = true, s.pending[t]
		a := s.taken(c, used)
		if a == Linearizable {
			return a
		}
		used[t], s.values[v], s.wary = false, old, true
		switch a {
		case hopeless:
			return result
		case Unclear:
			result = a
		}
	}
	return result
}

// hopeless is the answer if a value was taken too late, whatever the others do.
const hopeless = Unclear + 1

// taken decides after one more value was taken.
func (s *taking) taken(c *columns.Columns, used []bool) Answer {
	f, a := s.check(c)
	if a != Violating {
		return a
	}
	forced := s.forced(c, f)
	if len(forced) == 0 || !s.alone(c) {
		return hopeless
	}
	for _, u := range used {
		if !u {
			return s.take(c, forced, used)
		}
	}
	return Violating
}

// alone reports whether it may be linearizable without the values that are left.
func (s *taking) alone(c *columns.Columns) bool {
	a := Violating
	s.withoutLeft(func() { _, a = s.check(c) })
	return a != Violating
}

// inTime reports whether there may be enough pending removes, called in time, for
// the values that must be taken. A value that must be taken constrains least if
// it is not there at all; if then another must be taken, it must be now. The later
// a value is taken the more it constrains, so those that are in time for it are
// the first few; and of n values with the same few, or fewer, there are no more
// than these. That is looked at first of all, and once a choice was wrong. It says yes
// where there is no time left to find out.
func (s *taking) inTime(c *columns.Columns, forced int32, used []bool) bool {
	var free, few []int
	for t, u := range used {
		if !u {
			free = append(free, t)
		}
	}
	look := s.wary || len(free) == len(used)
	ok := s.without(func(drop func(int32)) bool {
		for len(few) < len(free) {
			if s.ended() {
				return true
			}
			few = append(few, len(free))
			if look {
				few[len(few)-1] = sort.Search(len(free), func(i int) bool { return s.tooLate(c, forced, s.pending[free[i]]) })
			}
			drop(forced)
			f, a := s.check(c)
			if a != Violating {
				return true
			}
			next := s.forced(c, f)
			if len(next) != 1 {
				return len(next) > 0
			}
			forced = next[0]
		}
		return false
	})
	slices.Sort(few)
	for i, n := range few {
		ok = ok && n > i
	}
	return ok
}

// tooLate reports whether a value cannot have been taken by a call, whatever the
// others that are left do.
func (s *taking) tooLate(c *columns.Columns, v, call int32) bool {
	if s.ended() {
		return false
	}
	old := s.values[v].rs
	s.values[v].rs = call
	ok := s.alone(c)
	s.values[v].rs = old
	return !ok
}

// foretold has the pending removes of a prefix take what they return later in the execution, and
// reports whether all fits then. What returns next takes nothing: where that is what goes wrong,
// the prefix is the longest that is linearizable. Nor does what would be taken at a time when
// nothing fits. Any choice will do, see docs/proofs/pending-operations.md.
func (s *taking) foretold(c *columns.Columns) bool {
	var taken []int32
	for i := range c.Within(s.n) {
		if ret := c.Ret[i]; ret <= s.n+1 || ret == columns.Never || c.Role[i] != columns.Remove {
			continue
		}
		if v := c.Value[i]; int(v) < len(s.values) && s.isLeft(&s.values[v]) {
			s.values[v].rs = c.Call[i]
			taken = append(taken, v)
		}
	}
	for range taken {
		f, a := s.check(c)
		if a == Linearizable {
			return true
		}
		if f.op >= 0 || len(f.values) != 1 || !slices.Contains(taken, f.values[0]) {
			break
		}
		s.values[f.values[0]].rs = s.n + 1
	}
	for _, v := range taken {
		s.values[v].rs = s.n + 1
	}
	return false
}

// Of how many values that are left, by the pending removes, of how many that fail, and of how many
// last events' values a small part is made.
const (
	moreLeft   = 16
	fewValues  = 4
	lastEvents = 256
)

// crowded reports whether it is a violation for few values that are left, and what was removed last,
// whatever pending removes take. Whatever is left out, the rest of what is linearizable is.
func (s *taking) crowded(c *columns.Columns, f failure) bool {
	var picked []int32
	pick := func(f failure) {
		left := s.inTheWay(c, f)
		picked = append(picked, left[:min(len(left), 2*len(s.pending)+moreLeft)]...)
		if len(f.values) <= fewValues {
			picked = append(picked, f.values...)
		}
	}
	pick(f)
	for v := range s.values {
		if m := &s.values[v]; m.as != 0 && m.re <= s.n && m.re > s.n-lastEvents {
			picked = append(picked, int32(v))
			if m.re == s.n {
				pick(failure{-1, []int32{int32(v)}})
			}
		}
	}
	at := append([]int32(nil), s.pending...) // the calls of operations
	for _, v := range picked {
		m := &s.values[v]
		if at = append(at, m.as); m.rs <= s.n {
			at = append(at, m.rs)
		}
		s.eachPeek(v, func(op int32) { at = append(at, c.Call[op]) })
	}
	if f.op >= 0 {
		at = append(at, c.Call[f.op])
	}
	slices.Sort(at)
	at = slices.Compact(at)
	for i, call := range at {
		at[i] = int32(c.Within(call)) - 1
	}
	part, _ := c.Part(at, s.n)
	a, _ := s.small().Decide(part, part.Events)
	return a == Violating
}

// leftBefore lists the values that are left and in the way, by the begins of their cores.
func (k *Container) leftBefore(inTheWay func(v int32, m *match) bool) (left []int32) {
	for v := range k.values {
		if m := &k.values[v]; k.isLeft(m) && inTheWay(int32(v), m) {
			left = append(left, int32(v))
		}
	}
	slices.SortFunc(left, func(v, w int32) int { return cmp.Compare(k.from(v), k.from(w)) })
	return left
}

// Giving is a search: which pending removes took the values of a lock that nobody
// removed. One value may stay.
type Giving struct {
	Few     []int // by value: how many pending removes are in time for it, from the first on
	MayStay int   // how many values may stay
	Used    []bool
	alike   func(t int) bool    // pending remove t is as good as the one before; nil if that is not known
	Take    func(i, t int) bool // lets t take value i, or nobody if there is no such t, if it fits to the values before
	tries   int
}

// maxTries bounds how many choices of pending removes are tried.
const maxTries = 20_000

// Give gives pending removes to the values from the i-th on, in all ways.
func (g *Giving) Give(i int) Answer {
	if i == len(g.Few) {
		return Linearizable
	}
	if g.tries++; g.tries > maxTries {
		return Unclear
	}
	if !g.enough(i) {
		return Violating
	}
	result := Violating
	for t := range len(g.Used) + 1 {
		stays := t == len(g.Used)
		if !stays && (g.Used[t] || t >= g.Few[i] || t > 0 && !g.Used[t-1] && g.alike != nil && g.alike(t)) || !g.Take(i, t) {
			continue
		}
		if !stays {
			g.Used[t] = true
		}
		a := g.Give(i + 1)
		if !stays {
			g.Used[t] = false
		}
		if a == Linearizable {
			return a
		}
		result = max(result, a)
	}
	return result
}

// enough reports whether there may be as many pending removes left as values from
// the i-th on need: the later a value is taken the more it constrains, so those
// that are in time for it are the first few.
func (g *Giving) enough(i int) bool {
	need := make([]int, len(g.Used)+1) // values for which so many are in time
	for _, n := range g.Few[i:] {
		need[n]++
	}
	more := -g.MayStay // values than pending removes
	for t, n := range need {
		if more += n; more > 0 {
			return false
		}
		if t < len(g.Used) && !g.Used[t] {
			more--
		}
	}
	return true
}
