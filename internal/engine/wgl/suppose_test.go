package wgl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// asModel is a deterministic data type as a model that says nothing of what
// changes nothing.
type asModel struct{ historytest.Model }

type text string

func (s text) Equal(t wgl.State) bool { return s == t }
func (s text) Hash() uint64           { return uint64(len(s)) }

func (asModel) Init() wgl.State { return text("") }

func (m asModel) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	for _, w := range m.Model(string(s.(text)), l) {
		if l.Outcome == history.Pending || w.Gives(l) {
			return text(w.Next), true
		}
	}
	return nil, false
}

// automaton is a random type: in most states its methods change nothing, which
// hides that they do in others.
func automaton(r *rand.Rand) historytest.Type {
	type move struct {
		outcome history.Outcome
		next    string
	}
	moves, names := map[string]move{}, []string{"", "s", "ss", "sss", "ssss"}
	methods, idle := []string{"a", "b", "c", "d"}, 2+r.IntN(8)
	for _, state := range names {
		for _, method := range methods {
			m := move{history.None, state}
			if r.IntN(10) >= idle {
				m.next = names[r.IntN(len(names))]
			}
			if r.IntN(2) == 0 {
				m.outcome = []history.Outcome{history.True, history.False}[r.IntN(2)]
			}
			moves[state+method] = m
		}
	}
	t := historytest.Type{Name: "automaton", Lost: r.IntN(8), Model: func(s string, l *history.Label) []historytest.Way {
		m := moves[s+l.Method]
		return []historytest.Way{{Outcome: m.outcome, Next: m.next}}
	}}
	for _, m := range methods {
		t.Methods = append(t.Methods, historytest.Method{Name: m, Outcomes: []history.Outcome{history.None, history.True, history.False}})
	}
	return t
}

// TestSupposed: what a search supposes of models that do not say what changes
// nothing makes no verdict wrong.
func TestSupposed(t *testing.T) {
	bad, n := 0, testsize.Samples(60_000)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 21))
		s := automaton(r)
		e := s.Execution(r, 2+r.IntN(8), 1+r.IntN(5), r.IntN(6))
		first := s.Model.ShortestViolation(e)
		got, err := wgl.Check(t.Context(), asModel{s.Model}, e, wgl.Options{LRU: int(seed % 3)})
		if err != nil || got.Prefix != first || got.Linearizable != (first == 0) {
			historytest.Fatal(t, e, "seed %d: %+v, %v, want %d", seed, got, err, first)
		}
		if wrong := explains(s.Model, e, got); wrong != "" {
			historytest.Fatal(t, e, "seed %d: %v: %s", seed, got.Order, wrong)
		}
		if first > 0 {
			bad++
		}
	}
	if bad < int(n)/10 || bad > int(n)*9/10 {
		t.Errorf("too one-sided a sample: %d of %d violate", bad, n)
	}
}
