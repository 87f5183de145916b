package reference_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/golden"
	"github.com/adtinfer/adtinfer/internal/states"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestSpacesOfTypes walks random words through the states of golden types and
// compares with Replay, word by word.
func TestSpacesOfTypes(t *testing.T) {
	t.Parallel()
	types := golden.Types()
	if !testsize.Long() {
		types = slices.DeleteFunc(types, func(typ golden.Type) bool {
			return !slices.Contains([]string{"deque", "pqheap", "lrulist"}, typ.Name)
		})
	}
	for _, typ := range types {
		t.Run(typ.Name, func(t *testing.T) {
			p, err := reference.Load(context.Background(), typ.Dir(t), typ.Options())
			if err != nil {
				t.Skip(err)
			}
			defer p.Close()
			s, err := p.Implementation.(states.Keeper).States(context.Background())
			var f *reference.Fault
			if typ.States == "-" && errors.As(err, &f) && f.Reason == driver.Differs {
				return // it contradicts itself
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			t.Logf("%+v", s.Kept())
			if _, ok := p.Implementation.(reference.Acceptor); ok {
				return // see TestSpaceOfAcceptor
			}
			words := testsize.Samples(1000)
			if testsize.Nightly() {
				words = 100_000
			}
			compareWithReplay(t, p.Implementation, s, int(words), 1)
			compareForms(t, p.Implementation, s)
		})
	}
}

// compareForms walks random steps at once: Step answers the same afterwards as a
// Space in which nobody walked, and two states have two forms.
func compareForms(t *testing.T, impl reference.Implementation, walked states.Space) {
	t.Helper()
	ctx, rng := context.Background(), rand.New(rand.NewPCG(2, 2))
	other, err := impl.(states.Keeper).States(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	labels, calls := randomCalls(t, impl, walked, rng)
	a, b := walked.Start(), other.Start()
	met := map[int32]bool{a: true}
	for range testsize.Samples(100) {
		steps := make([]states.Pair, 0, len(calls))
		for _, c := range calls {
			steps = append(steps, states.Pair{State: a, Call: c})
		}
		if err := walked.Walk(ctx, steps); err != nil {
			t.Fatal(err)
		}
		i := rng.IntN(len(calls))
		c, err := other.Call(&labels[i])
		if err != nil {
			t.Fatal(err)
		}
		nextA, answerA, errA := walked.Step(ctx, a, calls[i], nil)
		nextB, answerB, errB := other.Step(ctx, b, c, nil)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%s: walked: %v, else: %v", labels[i], errA, errB)
		}
		if errA != nil {
			continue
		}
		if x, y := drawState(walked.Answer(answerA)), drawState(other.Answer(answerB)); x != y {
			t.Fatalf("%s => %s, walked: %s", labels[i], y, x)
		}
		a, b = nextA, nextB
		met[a] = true
	}
	if !walked.Kept().Interned {
		return
	}
	all := slices.Sorted(maps.Keys(met))
	forms, err := walked.Forms(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int32{}
	for i, f := range forms {
		text := fmt.Sprint(f)
		if n, ok := seen[text]; ok {
			t.Fatalf("states %d and %d have one form: %s", n, all[i], text)
		}
		seen[text] = all[i]
	}
}

// compareWithReplay makes random calls in a Space and by Replay.
func compareWithReplay(t *testing.T, impl reference.Implementation, s states.Space, words int, seed uint64) {
	t.Helper()
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 1))
	labels, calls := randomCalls(t, impl, s, rng)
	for range words {
		state := s.Start()
		var seq []reference.Call
		var got []string
		for range 1 + rng.IntN(12) {
			if len(calls) == 0 {
				return
			}
			i := rng.IntN(len(calls))
			m := slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == labels[i].Method })
			next, a, err := s.Step(ctx, state, calls[i], anyAnswer(calls[:rng.IntN(len(calls))]))
			var f *reference.Fault
			if errors.As(err, &f) {
				_, again := impl.Replay(ctx, [][]reference.Call{append(seq, reference.Call{Method: m, Values: labels[i].Args})})
				if again == nil {
					t.Fatalf("seed %d: %v, but not by Replay", seed, f)
				}
				labels, calls = slices.Delete(labels, i, i+1), slices.Delete(calls, i, i+1) // each takes a process
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			seq = append(seq, reference.Call{Method: m, Values: labels[i].Args})
			got = append(got, drawState(s.Answer(a)))
			if s.Answer(a).Blocked {
				if next != state {
					t.Fatal("a call that blocks leads somewhere")
				}
				break
			}
			state = next
		}
		answers, err := impl.Replay(ctx, [][]reference.Call{seq})
		if err != nil {
			t.Fatalf("seed %d: %v, but not in a Space", seed, err)
		}
		var want []string
		for _, a := range answers[0] {
			for k, v := range a.Rets {
				a.Rets[k] = history.Value(strings.Trim(string(v), `()"`))
			}
			want = append(want, drawState(states.Answer{Outcome: a.Outcome, Rets: a.Rets, Blocked: a.Blocked}))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v: %v, want %v", seed, seq, got, want)
		}
	}
}

// randomCalls announces calls of all methods with arguments that their types take.
func randomCalls(t *testing.T, impl reference.Implementation, s states.Space, rng *rand.Rand) (labels []history.Label, calls []int32) {
	t.Helper()
	for _, m := range impl.Methods() {
		for range 1 + 3*len(m.Args) {
			l := history.Label{Kind: history.Kind{Method: m.Name}}
			for _, p := range m.Params {
				v := fmt.Sprint(rng.IntN(4))
				if _, ok := p.Text(v); !ok {
					v = p.Numbered(1 + rng.IntN(2))
				}
				l.Args = append(l.Args, history.Value(v))
			}
			n, err := s.Call(&l)
			if err != nil {
				t.Fatal(err)
			}
			labels, calls = append(labels, l), append(calls, n)
		}
	}
	return labels, calls
}

// anyAnswer expects nothing of calls ahead.
func anyAnswer(calls []int32) (ahead []states.Ahead) {
	for _, c := range calls {
		ahead = append(ahead, states.Ahead{Call: c})
	}
	return ahead
}
