package automata

import (
	"iter"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// state is a State of a machine.
type state struct {
	State

	room [2]history.Value // for registers, if they are few
}

// Equal compares with a state of the same automaton.
func (s *state) Equal(t semantics.State) bool {
	o := t.(*state)
	return s == o || s.Location == o.Location && slices.Equal(s.Registers, o.Registers) && slices.Equal(s.Counters, o.Counters) &&
		slices.EqualFunc(s.Keyed, o.Keyed, func(a, b tally) bool { return a.hash == b.hash && slices.Equal(a.counts, b.counts) })
}

// Hash is the same for equal states.
func (s *state) Hash() uint64 {
	h := semantics.Mix(uint64(s.Location))
	for _, v := range s.Registers {
		h = semantics.Mix(h ^ semantics.HashValue(v))
	}
	for _, n := range s.Counters {
		h = semantics.Mix(h ^ uint64(n))
	}
	for i := range s.Keyed {
		h = semantics.Mix(h ^ s.Keyed[i].hash)
	}
	return h
}

// Size is how many bytes the state takes, about.
func (s *state) Size() int {
	n := 128 + 16*len(s.Registers) + 8*len(s.Counters)
	for i := range s.Keyed {
		n += 40 + 24*len(s.Keyed[i].counts)
	}
	return n
}

// tally is the numbers of a keyed counter that are not what it starts with, in order
// of the keys.
type tally struct {
	counts []entry
	hash   uint64 // the sum of theirs
}

type entry struct {
	key history.Value
	n   int64
}

func (e entry) hash() uint64 { return semantics.Mix(semantics.HashValue(e.key) ^ uint64(e.n)) }

func (t tally) find(key history.Value) (int, bool) {
	return slices.BinarySearchFunc(t.counts, key, func(e entry, key history.Value) int { return strings.Compare(string(e.key), string(key)) })
}

// get is the number of a key.
func (t tally) get(key history.Value, start int64) int64 {
	if i, ok := t.find(key); ok {
		return t.counts[i].n
	}
	return start
}

// All yields keys and their numbers, in order of the keys.
func (t tally) All() iter.Seq2[history.Value, int64] {
	return func(yield func(history.Value, int64) bool) {
		for _, c := range t.counts {
			if !yield(c.key, c.n) {
				return
			}
		}
	}
}

// with is the tally in which n has been added to the number of a key.
func (t tally) with(c *Counter, key history.Value, n int64) tally {
	i, ok := t.find(key)
	next := entry{key, c.after(c.Start, n)}
	rest := t.counts[i:]
	if ok {
		next.n, rest = c.after(t.counts[i].n, n), t.counts[i+1:]
		t.hash -= t.counts[i].hash()
	}
	if next.n == c.Start {
		return tally{slices.Concat(t.counts[:i], rest), t.hash}
	}
	return tally{slices.Concat(t.counts[:i], []entry{next}, rest), t.hash + next.hash()}
}
