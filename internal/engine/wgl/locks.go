package wgl

import (
	"fmt"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// lock is a lock that tells who holds it.
type lock struct{}

func (lock) Init() State { return &maybe{} }

func (lock) ReadOnly(l *history.Label) bool {
	return (l.Method == "lock") == (l.Outcome == history.Some)
}

func (lock) Step(s State, l *history.Label) (State, bool) {
	held := s.(*maybe)
	ok := answers(l, held.outcome(), held.value)
	switch {
	case is(l, "unlock", 0) && held.held:
		return &maybe{}, ok
	case is(l, "lock", 1) && !held.held:
		return &maybe{true, l.Args[0]}, ok
	case is(l, "lock", 1) || is(l, "unlock", 0):
		return held, ok
	}
	return nil, false
}

// mutex is held by one owner at a time, who may be nobody in particular. One that
// was acquired without an owner is released without one; release without an owner
// releases any.
type mutex struct{}

func (mutex) Init() State { return &maybe{} }

func (mutex) ReadOnly(l *history.Label) bool { return l.Outcome != history.Pending && refused(l) }

func (mutex) Step(s State, l *history.Label) (State, bool) {
	held, who := s.(*maybe), maybe{held: true}
	if len(l.Args) == 1 {
		who.value = "owner " + l.Args[0]
	}
	switch {
	case len(l.Args) > 1:
	case l.Method == "acquire" && !held.held:
		return &who, attempted(l, true)
	case l.Method == "release" && held.held && (len(l.Args) == 0 || *held == who):
		return &maybe{}, attempted(l, true)
	case l.Method == "acquire" || l.Method == "release":
		return held, attempted(l, false)
	}
	return nil, false
}

// semaphore has a number of permits.
type semaphore struct{ permits int64 }

func (m semaphore) Init() State { return integer(m.permits) }

func (semaphore) ReadOnly(l *history.Label) bool { return mutex{}.ReadOnly(l) }

func (m semaphore) Step(s State, l *history.Label) (State, bool) {
	free := s.(integer)
	switch {
	case is(l, "acquire", 0) && free > 0:
		return free - 1, attempted(l, true)
	case is(l, "release", 0) && int64(free) < m.permits:
		return free + 1, attempted(l, true)
	case is(l, "acquire", 0) || is(l, "release", 0):
		return free, attempted(l, false)
	}
	return nil, false
}

// counter counts, modulo 2^64 as Go does.
type counter struct{ first integer }

func (c counter) Init() State { return c.first }

func (counter) ReadOnly(l *history.Label) bool { return l.Method == "read" }

// Refuses says which numbers a counter cannot add.
func (counter) Refuses(l *history.Label) error {
	if l.Method == "add" && len(l.Args) == 1 {
		return notInteger(l, l.Args[0])
	}
	return nil
}

func (counter) Step(s State, l *history.Label) (State, bool) {
	sum := s.(integer)
	switch {
	case is(l, "read", 0):
		return sum, answers(l, history.Some, sum.value())
	case is(l, "inc", 0):
		sum++
	case is(l, "dec", 0):
		sum--
	case is(l, "add", 1):
		n, err := strconv.ParseInt(string(l.Args[0]), 10, 64)
		if err != nil {
			return nil, false
		}
		sum += integer(n)
	default:
		return nil, false
	}
	return sum, answers(l, history.None, "") || answers(l, history.Some, sum.value())
}

// integer is a state that is a number.
type integer int64

func (n integer) Equal(s State) bool { return n == s }
func (n integer) Hash() uint64       { return uint64(n) }
func (n integer) String() string     { return string(n.value()) }

func (n integer) value() history.Value { return history.Value(strconv.FormatInt(int64(n), 10)) }

func notInteger(l *history.Label, v history.Value) error {
	if _, err := strconv.ParseInt(string(v), 10, 64); err != nil {
		return fmt.Errorf("%s takes a whole number, not %q", l.Method, v)
	}
	return nil
}
