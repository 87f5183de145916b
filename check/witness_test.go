package check_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
)

// Admits makes a model the specification of a verifier.
func (m model) Admits(_ context.Context, labels []history.Label) (int, error) {
	state := ""
	for i := range labels {
		out, rets, next := m(state, &labels[i])
		if out != labels[i].Outcome || !slices.Equal(rets, labels[i].Rets) {
			return i, nil
		}
		state = next
	}
	return len(labels), nil
}

// TestWitness: every verdict has evidence that verifies, as it is and when it was
// written and read.
func TestWitness(t *testing.T) {
	n := uint64(2000)
	if testing.Short() {
		n = 200
	}
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			engine, err := check.Prepare(check.Symbolic{}, th)
			if err != nil {
				t.Fatal(err)
			}
			explainer, err := check.NewExplainer(th)
			if err != nil {
				t.Fatal(err)
			}
			counts := map[check.Verdict]int{}
			steps, longest, supposing := 0, 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 41))
				e := s.execution(r, 3+r.IntN(9), 1+r.IntN(5), 6)
				res, err := engine.Check(t.Context(), th, e)
				if errors.As(err, new(*check.OutsideLanguage)) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				counts[res.Verdict]++
				if res.Verdict == check.Inconclusive {
					continue
				}
				ev, err := explainer.Witness(t.Context(), e, res)
				if err != nil {
					t.Fatalf("seed %d: %+v: %v\n%s", seed, res, err, text(e))
				}
				var b bytes.Buffer
				if err := evidence.Write(&b, ev); err != nil {
					t.Fatal(err)
				}
				written := b.String()
				read, err := evidence.Read(&b, "x")
				if err != nil {
					t.Fatalf("%v\n%s", err, written)
				}
				if err := verify.Check(t.Context(), th, e, read, s.model); err != nil {
					t.Fatalf("seed %d: %+v: %+v\n%s\n%s", seed, res, err, written, text(e))
				}
				steps, longest = steps+len(ev.Steps), max(longest, len(ev.Steps))
				if slices.ContainsFunc(ev.Steps, func(s evidence.Step) bool { return s.Suppose }) {
					supposing++
				}
			}
			t.Logf("%v; %d steps in all derivations, at most %d, %d of them with suppositions", counts, steps, longest, supposing)
			if counts[check.Violation] < int(n)/20 || counts[check.Linearizable] < int(n)/20 {
				t.Error("too one-sided a sample")
			}
		})
	}
}
