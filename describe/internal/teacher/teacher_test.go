package teacher_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// store maps names to names; Take waits until there is something to take.
type store struct{ values map[string]string }

func newStore() *store { return &store{values: map[string]string{}} }

func (s *store) Put(k, v string) { s.values[k] = v }
func (s *store) Get(k string) (string, bool) {
	v, ok := s.values[k]
	return v, ok
}

func (s *store) Take(k string) (string, error) {
	v, ok := s.values[k]
	if !ok {
		return "", reference.Blocked
	}
	delete(s.values, k)
	return v, nil
}

// TestAsk compares what is remembered with what a new Teacher is told, and with a
// map.
func TestAsk(t *testing.T) {
	impl, err := reference.Of(newStore)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	old := teacher.New(impl)
	for seed := range uint64(testsize.Samples(1000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		words := make([][]teacher.Call, 1+r.IntN(3))
		for i := range words {
			for range r.IntN(6) {
				c := teacher.Call{Method: r.IntN(3)}
				for p := range old.Methods()[c.Method].Args {
					c.Args = append(c.Args, old.Value(c.Method, p, 1+r.IntN(2)))
				}
				words[i] = append(words[i], c)
			}
		}
		got, err := old.Ask(t.Context(), words)
		if err != nil {
			t.Fatal(err)
		}
		again, err := teacher.New(impl).Ask(t.Context(), words)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range words {
			if !slices.EqualFunc(got[i].Labels, again[i].Labels, same) || got[i].Blocks != again[i].Blocks {
				t.Fatalf("seed %d: %v is answered by %v, and %v", seed, w, got[i], again[i])
			}
			values := map[history.Value]history.Value{}
			for j, c := range w {
				method := old.Methods()[c.Method].Name
				v, has := values[append(c.Args, "")[0]]
				if method == "take" && !has {
					if !got[i].Blocks || len(got[i].Labels) != j {
						t.Fatalf("seed %d: %v: %v", seed, w, got[i])
					}
					break
				}
				switch l := got[i].Labels[j]; method {
				case "put":
					values[c.Args[0]] = c.Args[1]
				case "take":
					delete(values, c.Args[0])
					fallthrough
				case "get":
					if has != (l.Outcome == history.Some) || has && !slices.Equal(l.Rets, []history.Value{v}) {
						t.Fatalf("seed %d: %v: %v", seed, w, got[i])
					}
				}
			}
		}
	}
	if old.Asked == 0 {
		t.Error(old.Asked, "words asked")
	}
}

func same(a, b history.Label) bool {
	return a.Kind == b.Kind && slices.Equal(a.Args, b.Args) && slices.Equal(a.Rets, b.Rets)
}

// counting counts the sequences that a reference runs.
type counting struct {
	reference.Implementation
	sequences int
	fails     error
}

func (c *counting) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	if c.fails != nil {
		return nil, c.fails
	}
	c.sequences += len(seqs)
	return c.Implementation.Replay(ctx, seqs)
}

// TestAskOnce: a word that comes several times, or begins another, is run once, and again after the reference
// failed.
func TestAskOnce(t *testing.T) {
	impl, err := reference.Of(newStore)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	c := &counting{Implementation: impl}
	a := teacher.New(c)
	method := slices.IndexFunc(a.Methods(), func(m reference.Method) bool { return m.Name == "put" })
	put := teacher.Call{Method: method, Args: []history.Value{"a", "b"}}
	words := [][]teacher.Call{{put, put}, {put}, {put, put}, {}, {put}}
	c.fails = errors.New("it is not there")
	if _, err := a.Ask(t.Context(), words); err != c.fails {
		t.Fatal(err)
	}
	c.fails = nil
	for range 2 {
		answers, err := a.Ask(t.Context(), words)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range words {
			if len(answers[i].Labels) != len(w) || answers[i].Blocks {
				t.Errorf("%v is answered by %v", w, answers[i])
			}
		}
	}
	if c.sequences != 1 {
		t.Errorf("the reference ran %d sequences, want 1", c.sequences)
	}
}
