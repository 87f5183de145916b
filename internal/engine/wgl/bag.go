package wgl

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// set is a set; its values are independent.
type set struct{}

func (set) Init() State { return &values{} }

func (set) Key(l *history.Label) history.Value {
	if len(l.Args) == 0 {
		return ""
	}
	return l.Args[0]
}

func (set) ReadOnly(l *history.Label) bool {
	return l.Method == "contains" || (l.Method == "insert") == (l.Outcome == history.Some)
}

func (set) Step(s State, l *history.Label) (State, bool) {
	insert, remove := is(l, "insert", 1), is(l, "remove", 1)
	if !insert && !remove && !is(l, "contains", 1) {
		return nil, false
	}
	held, v := s.(*values), l.Args[0]
	at, there := slices.BinarySearch(held.vs, v)
	o := history.Nil
	if there {
		o = history.Some
	}
	switch {
	case !answers(l, o, v):
		return nil, false
	case insert && !there:
		return held.with(slices.Insert(slices.Clone(held.vs), at, v), v), true
	case remove && there:
		return held.with(slices.Delete(slices.Clone(held.vs), at, at+1), v), true
	}
	return held, true
}

// values is the state of a set, or of a bag: its values in order.
type values struct {
	vs   []history.Value
	hash uint64 // the exclusive or of theirs
}

func (s *values) with(vs []history.Value, changed history.Value) *values {
	return &values{vs, s.hash ^ HashValue(changed)}
}

func (s *values) Hash() uint64 { return s.hash }

func (s *values) String() string {
	return listed("{", len(s.vs), func(i int) string { return string(s.vs[i]) }, "}")
}

func (s *values) Equal(t State) bool { return slices.Equal(s.vs, t.(*values).vs) }

// bag is a container that gives back values in any order, or in that of their
// size: it takes out, and peeks at, a value before which none comes.
type bag struct {
	before func(a, b history.Value) int // nil: none comes before another
}

func (bag) Init() State { return &values{} }

func (bag) ReadOnly(l *history.Label) bool {
	return l.Method == "peek" || l.Method == "remove" && l.Outcome == history.Nil
}

func (b bag) Step(s State, l *history.Label) (State, bool) {
	held := s.(*values)
	switch {
	case is(l, "add", 1):
		if !answers(l, history.None, "") {
			return nil, false
		}
		at, _ := slices.BinarySearch(held.vs, l.Args[0])
		return held.with(slices.Insert(slices.Clone(held.vs), at, l.Args[0]), l.Args[0]), true
	case !is(l, "remove", 0) && !is(l, "peek", 0):
		return nil, false
	case l.Outcome == history.Pending || l.Outcome == history.Nil:
		return held, l.Outcome == history.Pending || len(held.vs) == 0 && len(l.Rets) == 0
	case l.Outcome != history.Some || len(l.Rets) != 1 || !slices.Contains(b.first(held), l.Rets[0]):
		return nil, false
	case l.Method == "peek":
		return held, true
	}
	return held.minus(l.Rets[0]), true
}

// Branches are the states after a pending call: a remove may take out any of
// the values that come first.
func (b bag) Branches(s State, l *history.Label) []State {
	held := s.(*values)
	if is(l, "remove", 0) && len(held.vs) > 0 {
		var after []State
		for _, v := range b.first(held) {
			after = append(after, held.minus(v))
		}
		return after
	}
	if next, ok := b.Step(s, l); ok {
		return []State{next}
	}
	return nil
}

// first lists the values before which none comes.
func (b bag) first(s *values) []history.Value {
	if b.before == nil {
		return s.vs
	}
	var best []history.Value
	for _, v := range s.vs {
		switch {
		case len(best) == 0 || b.before(v, best[0]) < 0:
			best = append(best[:0], v)
		case b.before(v, best[0]) == 0:
			best = append(best, v)
		}
	}
	return best
}

func (s *values) minus(v history.Value) *values {
	at, _ := slices.BinarySearch(s.vs, v)
	return s.with(slices.Delete(slices.Clone(s.vs), at, at+1), v)
}

// smallest compares values as whole numbers; those that are none come last, in
// the order of their text.
func smallest(a, b history.Value) int {
	x, xok := new(big.Int).SetString(string(a), 10)
	y, yok := new(big.Int).SetString(string(b), 10)
	switch {
	case xok && yok:
		return x.Cmp(y)
	case xok:
		return -1
	case yok:
		return 1
	}
	return cmp.Compare(a, b)
}

func largest(a, b history.Value) int { return smallest(b, a) }
