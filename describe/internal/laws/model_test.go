package laws

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestModel: a search over closed laws decides executions as a search over the reference does.
func TestModel(t *testing.T) {
	for _, tt := range testsize.Some(specs, 4) {
		if !tt.closed {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			impl, err := reference.New(reference.Spec{Name: tt.name, New: tt.new, Errors: map[string]error{"ErrFunds": errFunds}})
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			agrees(t, impl, Options{}, int(testsize.Samples(3_000)))
		})
	}
}

// TestModelFrozen: and so it does for types that nobody had seen.
func TestModelFrozen(t *testing.T) {
	testsize.NeedsLong(t)
	for _, half := range []string{"first", "second"} {
		wanted := func(name string) bool {
			at := slices.Index(frozen[half], name)
			return at >= 0 && (testsize.Nightly() || at%5 == 1 && name != dear)
		}
		each(t, half, wanted, func(t *testing.T, name string, impl reference.Implementation, o Options) {
			n := 500
			if testsize.Nightly() {
				n = 10_000
			}
			agrees(t, impl, o, n)
		})
	}
}

// agrees compares the verdicts of the laws of a reference with its own, on random executions
// half of which have a wrong answer.
func agrees(t *testing.T, impl reference.Implementation, o Options, executions int) {
	t.Helper()
	f, err := Learn(t.Context(), impl, o)
	if err != nil || !f.Closed {
		t.Fatal(err, f.Why)
	}
	admits(t, impl, f, o, executions/4)
	w := learning(t, impl, Options{}).w
	m, err := eq.NewModel(f.Document(), w.sigs)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := wgl.NewReference(impl)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	answers := map[string][]history.Label{}
	bad, failed := 0, 0
	for k := 0; k < executions; k++ {
		runs, err := w.sample(sampling{runs: 20, calls: 3 + k%9, seed: 90_000 + uint64(k), odd: k%3 == 0})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			if k++; k > executions || len(r.path) == 0 {
				break
			}
			e := w.overlapping(t, rnd, r)
			for _, o := range e.Ops {
				if o.Completed() {
					answers[o.Method] = append(answers[o.Method], o.Label)
				}
			}
			if o := &e.Ops[rnd.IntN(len(e.Ops))]; k%2 == 0 && o.Completed() {
				other := answers[o.Method][rnd.IntN(len(answers[o.Method]))]
				o.Outcome, o.Rets = other.Outcome, other.Rets
			}
			want := w.decide(t, ref, e)
			own := m.For(e)
			got, err := wgl.Check(t.Context(), own, e, wgl.Options{})
			if err != nil {
				failed++ // a number that a type does not have, after a wrong answer
				continue
			}
			if !want.Linearizable {
				bad++
			}
			if got.Linearizable != want.Linearizable || got.Prefix != want.Prefix {
				historytest.Fatal(t, e, "laws: %v %d, the reference: %v %d\n%s", got.Linearizable, got.Prefix, want.Linearizable, want.Prefix, shown(f))
			}
		}
	}
	if t.Logf("%d violations, %d undecided", bad, failed); bad < executions/40 || failed > executions/20 {
		t.Errorf("%d violations and %d undecided of %d", bad, failed, executions)
	}
}

// admits wants the laws to call nothing a violation that the reference does, where numbers are so large that
// no sample had them: what lies beyond what was tried is unknown, or right.
func admits(t *testing.T, impl reference.Implementation, f *Found, o Options, runs int) {
	t.Helper()
	w := learning(t, impl, o).w
	w.near = []int64{large / 2, large, 4 * large, 1_700_000_000, 1_000_000_000_000}
	m, err := eq.NewModel(f.Document(), w.sigs)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(8, 8))
	for k := 0; k < runs; k += 20 {
		some, err := w.sample(sampling{runs: 20, calls: 3 + k/20%9, seed: 190_000 + uint64(k)})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range some {
			if len(r.path) == 0 {
				continue
			}
			e := w.overlapping(t, rnd, r)
			if got, err := wgl.Check(t.Context(), m.For(e), e, wgl.Options{}); err == nil && !got.Linearizable {
				historytest.Fatal(t, e, "the laws do not admit what the reference did\n%s", shown(f))
			}
		}
	}
}

// decide is what the reference says.
func (w *world) decide(t *testing.T, ref *wgl.Reference, e *history.Execution) wgl.Result {
	t.Helper()
	m, err := ref.Model(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r, err := wgl.Check(t.Context(), m, e, wgl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// overlapping is a run as an execution: each call takes effect where it stood, and some have
// not returned.
func (w *world) overlapping(t *testing.T, rnd *rand.Rand, r *run) *history.Execution {
	t.Helper()
	e := &history.Execution{}
	type event struct {
		at   float64
		op   int
		back bool
	}
	var events []event
	state := w.space.Start()
	for i, x := range r.path {
		call, _ := w.call(x.method, x.args)
		next, n, err := w.space.Step(t.Context(), state, call, nil)
		if err != nil {
			t.Fatal(err)
		}
		state = next
		a := w.space.Answer(n)
		o := history.Operation{ID: fmt.Sprint(i + 1), Return: history.NoReturn}
		o.Method, o.Outcome, o.Rets = w.methods[x.method].Name, a.Outcome, a.Rets
		for _, v := range x.args {
			text, _ := w.textOf(v)
			o.Args = append(o.Args, history.Value(text))
		}
		events = append(events, event{float64(i) - 2*rnd.Float64(), i, false})
		if a.Blocked || rnd.IntN(8) == 0 {
			o.Outcome, o.Rets = history.Pending, nil
		} else {
			events = append(events, event{float64(i) + 2*rnd.Float64(), i, true})
		}
		e.Ops = append(e.Ops, o)
	}
	slices.SortFunc(events, func(a, b event) int {
		if a.at < b.at {
			return -1
		}
		return 1
	})
	for n, x := range events {
		if x.back {
			e.Ops[x.op].Return = n
		} else {
			e.Ops[x.op].Call = n
		}
	}
	e.Events = len(events)
	slices.SortFunc(e.Ops, func(a, b history.Operation) int { return a.Call - b.Call })
	return e
}
