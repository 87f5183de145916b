package models

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// state is a state of an automaton. It does not change.
type state struct {
	location  int32
	registers []history.Value
	counters  []int64
	keyed     []tally // by counter; nil if none is keyed

	room [2]history.Value // for registers, if they are few
}

// Equal compares with a state of the same automaton.
func (s *state) Equal(t wgl.State) bool {
	o := t.(*state)
	return s == o || s.location == o.location && slices.Equal(s.registers, o.registers) && slices.Equal(s.counters, o.counters) &&
		slices.EqualFunc(s.keyed, o.keyed, func(a, b tally) bool { return a.hash == b.hash && slices.Equal(a.counts, b.counts) })
}

// Hash is the same for equal states.
func (s *state) Hash() uint64 {
	h := wgl.Mix(uint64(s.location))
	for _, v := range s.registers {
		h = wgl.Mix(h ^ wgl.HashValue(v))
	}
	for _, n := range s.counters {
		h = wgl.Mix(h ^ uint64(n))
	}
	for i := range s.keyed {
		h = wgl.Mix(h ^ s.keyed[i].hash)
	}
	return h
}

// Size is how many bytes the state takes, about.
func (s *state) Size() int {
	n := 128 + 16*len(s.registers) + 8*len(s.counters)
	for i := range s.keyed {
		n += 40 + 24*len(s.keyed[i].counts)
	}
	return n
}

// tally is the numbers of a keyed counter that are not what it starts with, in order
// of the keys.
type tally struct {
	counts []count
	hash   uint64 // the sum of theirs
}

type count struct {
	key history.Value
	n   int64
}

func (c count) hash() uint64 { return wgl.Mix(wgl.HashValue(c.key) ^ uint64(c.n)) }

func (t tally) find(key history.Value) (int, bool) {
	return slices.BinarySearchFunc(t.counts, key, func(c count, key history.Value) int { return strings.Compare(string(c.key), string(key)) })
}

// get is the number of a key.
func (t tally) get(key history.Value, start int64) int64 {
	if i, ok := t.find(key); ok {
		return t.counts[i].n
	}
	return start
}

// with is the tally in which n has been added to the number of a key.
func (t tally) with(c *automata.Counter, key history.Value, n int64) tally {
	i, ok := t.find(key)
	next := count{key, c.After(c.Start, n)}
	rest := t.counts[i:]
	if ok {
		next.n, rest = c.After(t.counts[i].n, n), t.counts[i+1:]
		t.hash -= t.counts[i].hash()
	}
	if next.n == c.Start {
		return tally{slices.Concat(t.counts[:i], rest), t.hash}
	}
	return tally{slices.Concat(t.counts[:i], []count{next}, rest), t.hash + next.hash()}
}

// Text is a state in words: the location, and what registers and counters hold.
func (m *machine) Text(s wgl.State) string {
	st := s.(*state)
	l := &m.Locations[st.location]
	parts := []string{l.Name}
	for i, r := range l.Registers {
		parts = append(parts, r+" = "+string(st.registers[i]))
	}
	for i, c := range m.Counters {
		if !c.Keyed {
			parts = append(parts, fmt.Sprintf("%s = %d", c.Name, st.counters[i]))
			continue
		}
		for _, k := range st.keyed[i].counts {
			parts = append(parts, fmt.Sprintf("%s of %s = %d", c.Name, k.key, k.n))
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}
