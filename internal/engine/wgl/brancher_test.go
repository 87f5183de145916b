package wgl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// pick is a bag from which remove takes any value: a pending one may take each.
// It also reports whether it holds nothing, which makes removals matter.
type pick struct{}

type bagState [4]int8 // how often each value is there

func (b bagState) Equal(t wgl.State) bool { return b == t.(bagState) }

func (b bagState) Hash() uint64 {
	return uint64(b[0]) + 3*uint64(b[1]) + 9*uint64(b[2]) + 27*uint64(b[3])
}

func (pick) Init() wgl.State { return bagState{} }

func (pick) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	b := s.(bagState)
	switch {
	case l.Method == "add":
		b[l.Args[0][0]-'1']++
		return b, true
	case l.Method == "empty" || l.Outcome == history.Nil:
		return s, (b == bagState{}) == (l.Outcome != history.False)
	}
	v := int(l.Rets[0][0] - '1')
	if v >= len(b) || b[v] == 0 {
		return nil, false
	}
	b[v]--
	return b, true
}

func (p pick) Branches(s wgl.State, l *history.Label) (all []wgl.State) {
	switch l.Method {
	case "add":
		next, _ := p.Step(s, l)
		return []wgl.State{next}
	case "empty":
		return []wgl.State{s}
	}
	for v, n := range s.(bagState) {
		if n > 0 {
			b := s.(bagState)
			b[v]--
			all = append(all, b)
		}
	}
	return all
}

func TestBrancher(t *testing.T) {
	s := historytest.Bag()
	s.Methods = []historytest.Method{
		{Name: "add", Takes: 3, Outcomes: []history.Outcome{history.None}},
		{Name: "remove", Outcomes: []history.Outcome{history.Some, history.Nil}},
		{Name: "empty", Outcomes: []history.Outcome{history.True, history.False}},
	}
	bad := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 6))
		s.Lost = 2 + r.IntN(5)
		e := s.Execution(r, 3+r.IntN(7), 1+r.IntN(4), 3)
		want := s.Model.ShortestViolation(e)
		got, err := wgl.Check(t.Context(), pick{}, e, wgl.Options{LRU: int(seed % 3)})
		if err != nil || got.Linearizable != (want == 0) || got.Prefix != want {
			t.Fatalf("seed %d: %+v, %v; want %d\n%s", seed, got, err, want, historytest.Text(e))
		}
		if want > 0 {
			bad++
		}
	}
	if bad < 300 || bad > 2700 {
		t.Errorf("too one-sided a sample: %d of 3000 violate", bad)
	}
}
