package wgl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// store holds values by key. One that is not there reads as absent.
type store struct{ absent maybe }

func (store) Init() State { return &pairs{} }

func (store) Key(l *history.Label) history.Value {
	if len(l.Args) == 0 {
		return ""
	}
	return l.Args[0]
}

func (store) ReadOnly(l *history.Label) bool {
	return l.Method == "get" || l.Method == "cas" && l.Outcome != history.Pending && refused(l)
}

func (m store) Step(s State, l *history.Label) (State, bool) {
	if len(l.Args) == 0 {
		return nil, false
	}
	held := s.(*pairs)
	at, there := held.find(l.Args[0])
	was := m.absent
	if there {
		was = maybe{true, held.all[at].value}
	}
	switch tells := answers(l, was.outcome(), was.value); {
	case is(l, "get", 1):
		return held, tells
	case is(l, "put", 2):
		return held.with(at, there, l.Args[0], l.Args[1]), tells || answers(l, history.None, "")
	case is(l, "append", 2):
		return held.with(at, there, l.Args[0], was.value+l.Args[1]), answers(l, history.None, "")
	case is(l, "delete", 1):
		did := history.False
		if there {
			did = history.True
		}
		return held.without(at, there), tells || answers(l, history.None, "") || answers(l, did, "")
	case is(l, "cas", 3):
		next, ok := was.swap(l, l.Args[1], l.Args[2])
		if !ok || next == State(&was) {
			return held, ok
		}
		return held.with(at, there, l.Args[0], l.Args[2]), true
	}
	return nil, false
}

// pairs is the state of a store: keys with values, in order of the keys.
type pairs struct {
	all  []pair
	hash uint64 // the sum of theirs
}

type pair struct{ key, value history.Value }

func (p pair) hash() uint64 {
	return semantics.Mix(semantics.HashValue(p.key)) ^ semantics.HashValue(p.value)
}

func (s *pairs) Hash() uint64 { return s.hash }

func (s *pairs) Equal(t State) bool { return slices.Equal(s.all, t.(*pairs).all) }

// Size is how many bytes the state takes, without values that it shares.
func (s *pairs) Size() int { return takenByState + 32*len(s.all) }

func (s *pairs) String() string {
	return listed("{", len(s.all), func(i int) string { return string(s.all[i].key) + ": " + string(s.all[i].value) }, "}")
}

func (s *pairs) find(key history.Value) (at int, there bool) {
	return slices.BinarySearchFunc(s.all, key, func(p pair, key history.Value) int { return strings.Compare(string(p.key), string(key)) })
}

// without is the state without the pair at a place, if there is one.
func (s *pairs) without(at int, there bool) *pairs {
	if !there {
		return s
	}
	return &pairs{slices.Concat(s.all[:at], s.all[at+1:]), s.hash - s.all[at].hash()}
}

// with is the state with a pair at a place, instead of that with the same key if
// there is one.
func (s *pairs) with(at int, there bool, key, value history.Value) *pairs {
	s = s.without(at, there)
	p := pair{key, value}
	return &pairs{slices.Concat(s.all[:at], []pair{p}, s.all[at:]), s.hash + p.hash()}
}

// maybe is a state that holds a value, or none.
type maybe struct {
	held  bool
	value history.Value
}

func (s *maybe) Equal(t State) bool { return *s == *t.(*maybe) }

func (s *maybe) Hash() uint64 {
	if !s.held {
		return 0
	}
	return semantics.HashValue(s.value)
}

func (s *maybe) String() string {
	if !s.held {
		return "nothing"
	}
	return string(s.value)
}

// outcome is what a method answers that tells the held value.
func (s *maybe) outcome() history.Outcome {
	if s.held {
		return history.Some
	}
	return history.Nil
}

// register is a read/write register that holds nothing at first.
type register struct{}

func (register) Init() State { return &maybe{} }

func (register) ReadOnly(l *history.Label) bool { return l.Method == "read" }

func (register) Step(s State, l *history.Label) (State, bool) {
	r := s.(*maybe)
	switch {
	case is(l, "write", 1):
		return &maybe{true, l.Args[0]}, answers(l, history.None, "")
	case is(l, "read", 0):
		return r, answers(l, r.outcome(), r.value)
	}
	return nil, false
}

// casRegister is a register with compare-and-swap, and what it holds at first.
type casRegister struct{ first maybe }

func (r casRegister) Init() State { return &r.first }

func (casRegister) ReadOnly(l *history.Label) bool {
	return l.Method == "read" || l.Method == "cas" && l.Outcome != history.Pending && refused(l)
}

func (casRegister) Step(s State, l *history.Label) (State, bool) {
	if is(l, "cas", 2) {
		return s.(*maybe).swap(l, l.Args[0], l.Args[1])
	}
	return register{}.Step(s, l)
}

// swap is what a compare-and-swap does.
func (s *maybe) swap(l *history.Label, old, value history.Value) (State, bool) {
	if s.held && s.value == old {
		return &maybe{true, value}, answers(l, history.True, "")
	}
	return s, refused(l)
}

// versioned is a register with a version, which is the number of writes.
type versioned struct{ first maybe }

func (r versioned) Init() State { return &version{maybe: r.first} }

func (versioned) ReadOnly(l *history.Label) bool {
	return l.Method == "read" || l.Outcome != history.Pending && refused(l)
}

// Refuses says what is no version.
func (versioned) Refuses(l *history.Label) error {
	switch {
	case l.Method == "read" && len(l.Rets) == 2:
		if _, ok := wholeNumber(l.Rets[1]); !ok {
			return fmt.Errorf("read answers a value and then its version, a whole number, not %q and %q", l.Rets[0], l.Rets[1])
		}
		return nil
	case l.Method == "write":
		return notIntegers(l, l.Args[min(1, len(l.Args)):], l.Rets)
	}
	return notIntegers(l, l.Args[:min(1, len(l.Args))], l.Rets)
}

func (versioned) Step(s State, l *history.Label) (State, bool) {
	held := s.(*version)
	now := integer(held.version).value()
	switch {
	case is(l, "read", 0) && !held.held:
		return held, answers(l, history.Nil, "")
	case is(l, "read", 0):
		return held, l.Outcome == history.Pending || l.Outcome == history.Some && slices.Equal(l.Rets, []history.Value{held.value, now})
	case is(l, "write", 1):
		return held.write(l, l.Args[0])
	case is(l, "write", 2) && l.Args[1] == now:
		return held.write(l, l.Args[0])
	case is(l, "cas", 2) && l.Args[0] == now:
		return held.write(l, l.Args[1])
	case is(l, "write", 2) || is(l, "cas", 2):
		return held, refused(l)
	}
	return nil, false
}

// version is a value, or none, with its version.
type version struct {
	maybe
	version int64
}

func (s *version) write(l *history.Label, v history.Value) (State, bool) {
	next := &version{maybe{true, v}, s.version + 1}
	return next, attempted(l, true) || answers(l, history.Some, integer(next.version).value())
}

func (s *version) Equal(t State) bool { return *s == *t.(*version) }
func (s *version) Hash() uint64       { return semantics.Mix(s.maybe.Hash()) + uint64(s.version) }
func (s *version) String() string     { return fmt.Sprintf("%s, version %d", s.maybe.String(), s.version) }
