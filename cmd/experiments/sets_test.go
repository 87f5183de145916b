package main

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestSets: each concurrent set, used by one goroutine, is a set; so are those that are not
// faulty when four use it.
func TestSets(t *testing.T) {
	m, err := wgl.Builtin("set")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range concurrentSets() {
		s, in, r := c.new(), map[int]bool{}, rand.New(rand.NewPCG(1, 1))
		for range 2_000 {
			v := r.IntN(historytest.SetValues)
			got, want := false, in[v]
			switch r.IntN(3) {
			case 0:
				got, want = s.Add(v), !in[v]
				in[v] = true
			case 1:
				got = s.Remove(v)
				delete(in, v)
			default:
				got = s.Contains(v)
			}
			if got != want {
				t.Fatalf("%s: %d: %t, want %t", c.name, v, got, want)
			}
		}
		bad := 0
		for seed := range uint64(4) {
			res, err := wgl.Check(t.Context(), m, c.record(4, 400, seed), wgl.Options{Partition: true})
			if err != nil {
				t.Fatal(err)
			}
			if !res.Linearizable {
				bad++
			}
		}
		if faulty := c.name[:6] == "faulty"; !faulty && bad > 0 || faulty && bad == 0 {
			t.Errorf("%s: %d violations in 4 histories", c.name, bad)
		}
	}
}

// heights is the stack of "P-compositionality" Example 9: push and pop answer the height
// before. As cell it is what a partition by height sees: a push at a height, and the pop of
// what it put there, in turn.
type heights struct{ cell bool }

type heightState string

func (s heightState) Equal(o wgl.State) bool { return s == o.(heightState) }
func (s heightState) Hash() uint64           { return uint64(len(s)) }

func (heights) Init() wgl.State { return heightState("") }

func (h heights) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	in := s.(heightState)
	height := number(len(in))
	if h.cell { // its place is known from the partition
		height = l.Rets[0]
	}
	if l.Method == "push" {
		return in + heightState(l.Args[0]), height == l.Rets[0] && !(h.cell && in != "")
	}
	if in == "" {
		return in, false
	}
	top := in[len(in)-1:]
	return in[:len(in)-1], height == l.Rets[0] && history.Value(top) == l.Rets[1]
}

// TestExample9: the paper says that such a stack is linearizable if and only if each partition by
// the height is. It is not: in this history each is, whether a partition is held against the cell
// that it should be or against the stack with its operations alone, one of the two fails.
func TestExample9(t *testing.T) {
	push := func(v string, height int) history.Label {
		l := labelled("push", history.Some, height)
		l.Args = []history.Value{history.Value(v)}
		return l
	}
	pop := func(height int, v string) history.Label {
		l := labelled("pop", history.Some, height)
		l.Rets = append(l.Rets, history.Value(v))
		return l
	}
	// at is the height of the element that an operation is about.
	at := func(l history.Label) int {
		n := rank(l.Rets[0])
		if l.Method == "pop" {
			n--
		}
		return n
	}
	holds := func(m wgl.Model, ls ...history.Label) bool {
		r, err := wgl.Check(t.Context(), m, history.Sequential(ls...), wgl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Linearizable
	}
	parts := func(cell bool, ls []history.Label) bool {
		by := map[int][]history.Label{}
		for _, l := range ls {
			by[at(l)] = append(by[at(l)], l)
		}
		for _, part := range by {
			if !holds(heights{cell}, part...) {
				return false
			}
		}
		return true
	}
	// The stack is empty when b is said to be pushed on top of something.
	wrong := []history.Label{push("a", 0), pop(1, "a"), push("b", 1)}
	if holds(heights{}, wrong...) || !parts(true, wrong) {
		t.Error("the partitions of a history that is wrong are right, and were to show that")
	}
	right := []history.Label{push("a", 0), push("b", 1), pop(2, "b"), pop(1, "a")}
	if !holds(heights{}, right...) || parts(false, right) {
		t.Error("held against the stack itself, a partition of a right history fails, and was to show that")
	}
	if !parts(true, right) {
		t.Error("the cells accept a right history")
	}
}
