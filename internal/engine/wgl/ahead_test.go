package wgl_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// remote is a register whose steps are made ahead.
type remote struct {
	wgl.Model
	t       *testing.T
	made    map[string]bool
	told    int // times that a step was made which had been told before
	stepped int
	soon    map[string]bool
}

func (m *remote) StepAhead(s wgl.State, l *history.Label, ahead func() []wgl.Soon) (wgl.State, bool) {
	if key := fmt.Sprint(s.Hash(), l); m.made[key] {
		m.t.Errorf("%s is stepped again", l)
	} else {
		m.made[key] = true
	}
	m.stepped++
	if m.soon[l.String()] {
		m.told++
	}
	here, soon := map[string]bool{}, ahead()
	for i, a := range soon {
		if a.After>>i&1 != 0 {
			m.t.Errorf("%s is told to come after itself", a.Label)
		}
		here[a.Label.String()], m.soon[a.Label.String()] = true, true
	}
	if len(soon) == 0 || len(soon) > 61 || !here[l.String()] {
		m.t.Errorf("%d labels are told at %s", len(soon), l)
	}
	return m.Step(s, l)
}

// TestAhead: a model that makes steps ahead is told most of them before.
func TestAhead(t *testing.T) {
	s := historytest.Register()
	e := s.Execution(rand.New(rand.NewPCG(1, 11)), 500, 6, 0)
	m := &remote{Model: builtin(t, s), t: t, made: map[string]bool{}, soon: map[string]bool{}}
	r, err := wgl.Check(t.Context(), m, e, wgl.Options{})
	if err != nil || !r.Linearizable {
		t.Fatal(r, err)
	}
	if m.stepped < 500 || m.told < m.stepped*80/100 {
		t.Errorf("%d of %d steps were told", m.told, m.stepped)
	}
}

// broken is a model that fails after some steps.
type broken struct {
	wgl.Model
	left int
}

var errBroken = errors.New("broken")

func (m *broken) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	if m.left--; m.left < 0 {
		return nil, false
	}
	return m.Model.Step(s, l)
}

func (m *broken) Err() error {
	if m.left < 0 {
		return errBroken
	}
	return nil
}

// TestFailing: whenever a model fails, the verdict is right or there is none.
func TestFailing(t *testing.T) {
	s, failed, decided := historytest.Lock().Reusing(3), 0, 0
	for seed := range testsize.Samples(1000) {
		r := rand.New(rand.NewPCG(seed, 12))
		e := s.Execution(r, 3+r.IntN(6), 1+r.IntN(4), 5)
		first := s.Model.ShortestViolation(e)
		for _, m := range []wgl.Model{&broken{builtin(t, s), r.IntN(20)}, wgl.Renamed(&broken{builtin(t, s), r.IntN(20)}, map[string][]string{"lock": {"other"}})} {
			got, err := wgl.Check(t.Context(), m, e, wgl.Options{})
			switch {
			case err == errBroken:
				failed++
			case err != nil || got.Linearizable != (first == 0) || got.Prefix != first && (!got.Upper || got.Prefix < first || got.Ended != errBroken):
				historytest.Fatal(t, e, "seed %d: %+v, %v, want %d", seed, got, err, first)
			default:
				decided++
			}
		}
	}
	if failed < 10 || decided < 10 {
		t.Errorf("%d failed, %d were decided", failed, decided)
	}
}

// anyOrder is a store of which n operations append to one key and read what never
// was there.
func anyOrder(n int) *history.Execution {
	e := &history.Execution{Events: 2*n + 2}
	for i := range n {
		e.Ops = append(e.Ops, history.Operation{ID: fmt.Sprint(i), Call: i, Return: n + i,
			Label: label("append", history.None, []history.Value{"k", history.Value('a' + rune(i))}, nil)})
	}
	e.Ops = append(e.Ops, history.Operation{ID: "get", Call: 2 * n, Return: 2*n + 1, Label: label("get", history.Some, []history.Value{"k"}, []history.Value{"?"})})
	return e
}

// TestMemory: a search that holds as much as it may ends without a verdict.
func TestMemory(t *testing.T) {
	e := anyOrder(8)
	for _, partition := range []bool{false, true} {
		r, err := wgl.Check(t.Context(), store{}, e, wgl.Options{Partition: partition, Memory: 1 << 20})
		if !errors.Is(err, wgl.ErrMemory) {
			t.Errorf("%+v, %v", r, err)
		}
		r, err = wgl.Check(t.Context(), store{}, e, wgl.Options{Partition: partition})
		if err != nil || r.Prefix != e.Events {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
