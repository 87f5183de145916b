package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// shelf maps values to values.
type shelf struct{ values map[int]int }

func newShelf() *shelf { return &shelf{map[int]int{}} }

func (s *shelf) Put(k, v int) { s.values[k] = v }

func (s *shelf) Get(k int) (int, bool) {
	v, ok := s.values[k]
	return v, ok
}

// gate is a stack that waits where it has nothing to pop.
type gate struct{ values []int }

func (g *gate) Push(v int) { g.values = append(g.values, v) }

func (g *gate) Pop() (int, error) {
	n := len(g.values) - 1
	if n < 0 {
		return 0, reference.Blocked
	}
	v := g.values[n]
	g.values = g.values[:n]
	return v, nil
}

func (g *gate) Len() int { return len(g.values) }

type word = []reference.Call

// frugal is an implementation that is asked no word twice, and none that one of the
// same request begins with. It breaks down at words that are too long.
type frugal struct {
	reference.Implementation
	t       *testing.T
	longest int
	asked   map[string]bool
}

func (f *frugal) Replay(ctx context.Context, ws []word) ([][]reference.Answer, error) {
	inside := map[string]bool{}
	for _, w := range ws {
		if len(w) > f.longest {
			return nil, &reference.Fault{Reason: "breaks down", Sequence: fmt.Sprint(w)}
		}
		for n := range w {
			inside[fmt.Sprint(w[:n])] = true
		}
	}
	for _, w := range ws {
		if key := fmt.Sprint(w); f.asked[key] || inside[key] {
			f.t.Errorf("asked in vain: %v", w)
		} else {
			f.asked[key] = true
		}
	}
	return f.Implementation.Replay(ctx, ws)
}

// TestMemory: a memory answers as the reference does, and asks it as little as it can;
// one with little room answers all the same.
func TestMemory(t *testing.T) {
	for _, constructor := range []any{newShelf, func() *gate { return &gate{} }} {
		impl, err := reference.Of(constructor)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(11, 12))
		for range testsize.Samples(30) {
			f := &frugal{impl, t, 9, map[string]bool{}}
			m, small := live.NewMemory(f, 10_000), live.NewMemory(impl, 40)
			for range 6 {
				var ws []word
				for range 1 + rng.IntN(60) {
					ws = append(ws, randomWord(impl.Methods(), uint64(rng.IntN(500)), 10)[:rng.IntN(10)])
				}
				want, err := impl.Replay(t.Context(), ws)
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.Replay(t.Context(), ws)
				if err != nil {
					t.Fatal(err)
				}
				forgetful, err := small.Replay(t.Context(), ws)
				if err != nil {
					t.Fatal(err)
				}
				for i := range ws {
					if diff := cmp.Diff(want[i], got[i]) + cmp.Diff(want[i], forgetful[i]); diff != "" {
						t.Fatalf("%v (-reference +memory):\n%s", ws[i], diff)
					}
				}
			}
		}
	}
}

// TestMemoryBreaksDown: an error is the reference's about the words as they are, and
// nothing is taken for known after it.
func TestMemoryBreaksDown(t *testing.T) {
	impl, err := reference.Of(newShelf)
	if err != nil {
		t.Fatal(err)
	}
	var ws []word
	for i := range 20 {
		ws = append(ws, randomWord(impl.Methods(), uint64(i), i))
	}
	f := &frugal{impl, t, 9, map[string]bool{}}
	m := live.NewMemory(f, 1000)
	_, want := f.Replay(t.Context(), ws)
	_, got := m.Replay(t.Context(), ws)
	var fault *reference.Fault
	if !errors.As(got, &fault) || got.Error() != want.Error() {
		t.Fatalf("got %v, want %v", got, want)
	}
	f.longest = 100
	answers, err := m.Replay(t.Context(), ws)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range ws {
		if len(answers[i]) != len(w) {
			t.Errorf("%d answers to %d calls", len(answers[i]), len(w))
		}
	}
}

// randomWord calls methods on few values. The same seed makes the same word.
func randomWord(methods []reference.Method, seed uint64, n int) word {
	rng := rand.New(rand.NewPCG(seed, 5))
	w := make(word, n)
	for i := range w {
		w[i].Method = rng.IntN(len(methods))
		for range methods[w[i].Method].Args {
			w[i].Args = append(w[i].Args, 1+rng.IntN(4))
		}
	}
	return w
}
