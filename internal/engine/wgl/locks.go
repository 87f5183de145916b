package wgl

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
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

// mutex is held by one owner at a time, who may be unknown: one that was acquired without an owner, or by nil, is held by
// somebody. Release without an owner releases any; of a release by nil nobody knows whether it is by the owner.
type mutex struct{}

func (mutex) Init() State { return &holder{} }

// ReadOnly leaves out a release that failed, if it says whose: it tells who is not the owner.
func (mutex) ReadOnly(l *history.Label) bool {
	return l.Outcome != history.Pending && refused(l) && (l.Method == "acquire" || len(l.Args) == 0)
}

func (mutex) Step(s State, l *history.Label) (State, bool) {
	held := s.(*holder)
	switch {
	case len(l.Args) > 1 || l.Method != "acquire" && l.Method != "release":
		return nil, false
	case (l.Method == "acquire") == held.held:
		return held, attempted(l, false)
	case l.Method == "acquire" && (len(l.Args) == 0 || isNull(l.Args[0])):
		return &holder{held: true}, attempted(l, true)
	case l.Method == "acquire":
		return &holder{held: true, known: true, owner: l.Args[0]}, attempted(l, true)
	case len(l.Args) == 0:
		return &holder{}, attempted(l, true)
	case isNull(l.Args[0]):
		if attempted(l, true) {
			return &holder{}, true
		}
		return held, refused(l)
	}
	return held.release(l)
}

// isNull reports whether a value says that nobody knows.
func isNull(v history.Value) bool { return v == "nil" || v == "null" }

// holder is the state of a mutex.
type holder struct {
	held, known bool
	owner       history.Value   // if known
	not         []history.Value // who it is not, in order, if it is not known
}

// release is a release by a given owner.
func (h *holder) release(l *history.Label) (State, bool) {
	who := l.Args[0]
	at, not := slices.BinarySearch(h.not, who)
	switch {
	case h.known && h.owner != who, not:
		return h, attempted(l, false)
	case h.known || attempted(l, true):
		return &holder{}, attempted(l, true)
	}
	return &holder{held: true, not: slices.Insert(slices.Clone(h.not), at, who)}, refused(l)
}

func (h *holder) Equal(s State) bool {
	o := s.(*holder)
	return h.held == o.held && h.known == o.known && h.owner == o.owner && slices.Equal(h.not, o.not)
}

func (h *holder) Hash() uint64 {
	if !h.held {
		return 0
	}
	n := uint64(1)
	for _, v := range h.not {
		n = semantics.Mix(n ^ semantics.HashValue(v))
	}
	return n ^ semantics.HashValue(h.owner)
}

func (h *holder) String() string {
	switch {
	case !h.held:
		return "nothing"
	case h.known:
		return "owner " + string(h.owner)
	case len(h.not) > 0:
		return listed("held, not by ", len(h.not), func(i int) string { return string(h.not[i]) }, "")
	}
	return "held"
}

// fenced is a lock that gives each who acquires it a token, a number greater than all before. A lease may end at any
// time, so that another may acquire the lock; after that the token is of no use.
type fenced struct{ lease bool }

func (fenced) Init() State { return &token{last: math.MinInt64} }

// ReadOnly leaves out what tells that a lease had not ended.
func (m fenced) ReadOnly(l *history.Label) bool {
	return !m.lease && l.Method == "acquire" && l.Outcome != history.Pending && (refused(l) || l.Outcome == history.Nil)
}

// Refuses says what is no token.
func (fenced) Refuses(l *history.Label) error { return notIntegers(l, l.Args, l.Rets) }

func (m fenced) Step(s State, l *history.Label) (State, bool) {
	t := s.(*token)
	switch {
	case is(l, "acquire", 0):
		return m.acquire(t, l)
	case !is(l, "release", 1) && (!is(l, "renew", 1) || !m.lease):
		return nil, false
	}
	n, ok := wholeNumber(l.Args[0])
	at, not := slices.BinarySearch(t.not, n)
	switch {
	case !ok:
		return nil, false
	case t.dead, not, n < t.last, n == t.last && t.more, n > t.last && !t.more:
		return t, attempted(l, false)
	case l.Method == "renew" && attempted(l, true):
		return &token{last: n}, true
	case attempted(l, true):
		return &token{last: n, dead: true}, true
	case !refused(l) || !m.lease && !t.more:
		return nil, false
	case !t.more:
		return &token{last: n, dead: true}, true // the lease ended
	}
	// The token is another one, or the lease ended.
	return &token{last: t.last, more: true, not: slices.Insert(slices.Clone(t.not), at, n)}, true
}

// acquire is an acquire, which may not tell its token.
func (m fenced) acquire(t *token, l *history.Label) (State, bool) {
	held := !t.dead && t.last != math.MinInt64 || t.more
	switch {
	case l.Outcome == history.Nil && len(l.Rets) == 0, l.Outcome != history.Pending && refused(l):
		if m.lease && t.more {
			return t.held(), true
		}
		return t, held
	case held && !m.lease:
		return t, l.Outcome == history.Pending
	case t.last == math.MaxInt64:
		return nil, false
	}
	last := t.last
	if t.more && m.lease {
		last++ // the lease may have ended, so that the token may be any
	} else if t.more {
		last = t.held().last + 1
	}
	if l.Outcome != history.Some {
		return &token{last: last, more: true}, attempted(l, true)
	}
	n, ok := wholeNumber(l.Rets[0])
	if !ok || len(l.Rets) != 1 || n <= last {
		return nil, false
	}
	return &token{last: n}, true
}

// held is a token that is not known, now that it is of use, and so none of those that were of no use.
func (t *token) held() *token {
	h := &token{last: t.last, more: true, not: t.not}
	for len(h.not) > 0 && h.not[0] == h.last+1 {
		h.last, h.not = h.last+1, h.not[1:]
	}
	return h
}

// token is the state of a fenced lock.
type token struct {
	last int64   // the last token; the least number if there is none yet
	more bool    // the last token is not known: it is some number greater than last
	dead bool    // it was released, or its lease is known to have ended
	not  []int64 // which the last token is not, in order, if it is not known
}

func (t *token) Equal(s State) bool {
	o := s.(*token)
	return t.last == o.last && t.more == o.more && t.dead == o.dead && slices.Equal(t.not, o.not)
}

func (t *token) Hash() uint64 {
	h := semantics.Mix(uint64(t.last))
	for _, n := range t.not {
		h = semantics.Mix(h ^ uint64(n))
	}
	if t.dead {
		h++
	}
	if t.more {
		h += 2
	}
	return h
}

func (t *token) String() string {
	switch n := integer(t.last).String(); {
	case t.more && t.last == math.MinInt64:
		return "a token that is not known"
	case t.more:
		return "a token greater than " + n
	case t.last == math.MinInt64:
		return "nothing"
	case t.dead:
		return "free, after token " + n
	default:
		return "token " + n
	}
}

// semaphore has a number of permits.
type semaphore struct{ permits int64 }

func (m semaphore) Init() State { return integer(m.permits) }

func (semaphore) ReadOnly(l *history.Label) bool { return l.Outcome != history.Pending && refused(l) }

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

// integer is a state that is a number.
type integer int64

func (n integer) Equal(s State) bool { return n == s }
func (n integer) Hash() uint64       { return uint64(n) }
func (n integer) String() string     { return string(n.value()) }

func (n integer) value() history.Value { return history.Value(strconv.FormatInt(int64(n), 10)) }

// wholeNumber is a value as a number, if it is written as one of 64 bits is.
func wholeNumber(v history.Value) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil && integer(n).value() == v
}

// notIntegers is the error of the first of some arguments and answers of a label that is no such number.
func notIntegers(l *history.Label, args, rets []history.Value) error {
	for i, v := range slices.Concat(args, rets) {
		does := "takes"
		if i >= len(args) {
			does = "answers"
		}
		if _, ok := wholeNumber(v); !ok {
			return fmt.Errorf("%s %s a whole number, not %q", l.Method, does, v)
		}
	}
	return nil
}
