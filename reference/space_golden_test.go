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
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestSpacesOfTypes walks random words through the states of golden types and
// compares with Replay, word by word.
func TestSpacesOfTypes(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, typ := range testsize.Some(golden.Types(), 6) {
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
			compareWithReplay(t, p.Implementation, s, int(min(1000, testsize.Samples(1000))), 1, 1)
			waits := typ.Name == "chanqueue"  // a call that waits takes a hundred times as long, and this is not copied
			if testsize.Nightly() && !waits { // with those, 100,000
				compareWithReplay(t, p.Implementation, s, 99_000, 100, 2)
				t.Log("100,000 words")
			}
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

// compareWithReplay makes random calls in a Space and by Replay, for so many words
// at once; of several words the Space walks the steps before it is asked for them.
func compareWithReplay(t *testing.T, impl reference.Implementation, s states.Space, words, atOnce int, seed uint64) {
	t.Helper()
	c := wordTest{impl: impl, s: s, rng: rand.New(rand.NewPCG(seed, 1))}
	c.labels, c.calls = randomCalls(t, impl, s, c.rng)
	for ; words > 0 && len(c.calls) > 0; words -= atOnce {
		var seqs [][]reference.Call
		var all []*word
		for range min(words, atOnce) {
			all = append(all, &word{state: s.Start(), left: 1 + c.rng.IntN(12)})
		}
		for len(c.calls) > 0 && slices.ContainsFunc(all, func(w *word) bool { return w.left > 0 }) {
			c.level(t, all)
		}
		for _, w := range all {
			seqs = append(seqs, w.seq)
		}
		answers, err := impl.Replay(context.Background(), seqs)
		if err != nil {
			t.Fatalf("seed %d: %v, but not in a Space", seed, err)
		}
		for i, w := range all {
			var want []string
			for _, a := range answers[i] {
				for k, v := range a.Rets {
					a.Rets[k] = history.Value(strings.Trim(string(v), `()"`))
				}
				want = append(want, drawState(states.Answer{Outcome: a.Outcome, Rets: a.Rets, Blocked: a.Blocked}))
			}
			if !slices.Equal(w.got, want) {
				t.Fatalf("seed %d: %v: %v, want %v", seed, w.seq, w.got, want)
			}
		}
	}
}

// wordTest makes random words in a Space.
type wordTest struct {
	impl   reference.Implementation
	s      states.Space
	rng    *rand.Rand
	labels []history.Label
	calls  []int32
}

// word is the calls of a word so far, and what they answered in the Space.
type word struct {
	state int32
	left  int // so many more calls
	seq   []reference.Call
	got   []string
}

// level makes the next call of each word.
func (c *wordTest) level(t *testing.T, all []*word) {
	t.Helper()
	ctx := context.Background()
	var next []int
	var steps []states.Pair
	for _, w := range all {
		i := c.rng.IntN(len(c.calls))
		if next = append(next, i); w.left > 0 {
			steps = append(steps, states.Pair{State: w.state, Call: c.calls[i]})
		}
	}
	if len(all) > 1 {
		if err := c.s.Walk(ctx, steps); err != nil {
			t.Fatal(err)
		}
	}
	for k, w := range all {
		if w.left--; w.left < 0 {
			continue
		}
		l, call := c.labels[next[k]], c.calls[next[k]]
		m := slices.IndexFunc(c.impl.Methods(), func(m reference.Method) bool { return m.Name == l.Method })
		seq := append(w.seq, reference.Call{Method: m, Values: l.Args})
		after, a, err := c.s.Step(ctx, w.state, call, anyAnswer(c.calls[:c.rng.IntN(len(c.calls))]))
		var f *reference.Fault
		if errors.As(err, &f) && len(all) == 1 {
			if _, again := c.impl.Replay(ctx, [][]reference.Call{seq}); again == nil {
				t.Fatalf("%v, but not by Replay", f)
			}
			c.labels, c.calls = slices.Delete(c.labels, next[k], next[k]+1), slices.Delete(c.calls, next[k], next[k]+1) // each takes a process
			w.left = 0
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		w.seq, w.got = seq, append(w.got, drawState(c.s.Answer(a)))
		if c.s.Answer(a).Blocked {
			if w.left = 0; after != w.state {
				t.Fatal("a call that blocks leads somewhere")
			}
		}
		w.state = after
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
func anyAnswer(calls []int32) func() []states.Ahead {
	var ahead []states.Ahead
	for _, c := range calls {
		ahead = append(ahead, states.Ahead{Call: c})
	}
	return func() []states.Ahead { return ahead }
}
