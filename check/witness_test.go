package check_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestWitness: every verdict has evidence that verifies, as it is and when it was
// written and read, and any other evidence that verifies is a proof.
func TestWitness(t *testing.T) {
	n := testsize.Samples(100)
	if testsize.Nightly() {
		n *= 2 // 10,000 in all
	}
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.Keyed = false // answers may break an axiom, too
			w := newWitnessTest(t, s)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 41))
				w.one(s.Execution(r, 3+r.IntN(9), 1+r.IntN(5), 6), r)
			}
			t.Logf("%+v", w.witnessCounts)
			if w.Violations < int(n)/20 || w.Linearizations < int(n)/20 || w.Rejected < int(n) || w.Proofs == 0 {
				t.Error("too one-sided a sample")
			}
		})
	}
}

type witnessTest struct {
	t      *testing.T
	s      subject
	th     *theory.Theory
	engine checktest.Ready
	before *history.Execution // the one before
	witnessCounts
}

// witnessCounts says what was looked at. Derivations were compared with what they
// mean in all worlds where these are few.
type witnessCounts struct {
	Violations, Linearizations, Steps, Longest, Supposing int
	Compared, Rejected, Proofs                            int
}

func newWitnessTest(t *testing.T, s subject) *witnessTest {
	w := &witnessTest{t: t, s: s, th: build(t, s.source)}
	w.engine = ready(t, by{Engine: "symbolic"}, w.th)
	return w
}

func (w *witnessTest) one(e *history.Execution, r *rand.Rand) {
	res, err := w.engine.Check(w.t.Context(), w.th, e)
	if errors.As(err, new(*check.OutsideLanguage)) || err == nil && res.Verdict == check.Inconclusive {
		return
	}
	if err != nil {
		w.t.Fatal(err)
	}
	ev, err := w.engine.Witness(w.t.Context(), e, res)
	if err != nil {
		w.t.Fatalf("%+v: %v\n%s", res, err, historytest.Text(e))
	}
	if ev.Violation != (res.Verdict == check.Violation) {
		w.t.Fatalf("evidence for the other verdict: %+v\n%s", res, historytest.Text(e))
	}
	if got, err := w.verify(e, ev); err != nil {
		w.t.Fatalf("%+v: %v\n%s\n%s", res, err, got, historytest.Text(e))
	}
	w.Steps, w.Longest = w.Steps+len(ev.Steps), max(w.Longest, len(ev.Steps))
	if slices.ContainsFunc(ev.Steps, func(s evidence.Step) bool { return s.Suppose }) {
		w.Supposing++
	}
	if w.before != nil && evidence.Digest(w.before) != evidence.Digest(e) {
		if got, err := w.verify(w.before, ev); err == nil {
			w.t.Fatalf("accepted for another log:\n%s\n%s", got, historytest.Text(w.before))
		}
	}
	w.before = e
	if ev.Violation {
		w.Violations++
		w.derivations(e, ev, r)
	} else {
		w.Linearizations++
		w.linearizations(e, ev, r)
	}
}

// verify writes, reads and verifies.
func (w *witnessTest) verify(e *history.Execution, ev *evidence.Evidence) (written string, err error) {
	var b bytes.Buffer
	if err := evidence.Write(&b, ev); err != nil {
		w.t.Fatal(err)
	}
	written = b.String()
	read, err := evidence.Read(&b, "x")
	if err != nil {
		return written, err
	}
	return written, verify.Check(w.t.Context(), w.th, e, read, w.s.Model.Admits)
}

// linearizations changes a linearization in one place: what is accepted then is
// exactly what the slow definition accepts.
func (w *witnessTest) linearizations(e *history.Execution, ev *evidence.Evidence, r *rand.Rand) {
	for i := range ev.Order {
		for kind := range 4 {
			order := slices.Clone(ev.Order)
			j := r.IntN(len(order))
			switch kind {
			case 0:
				order = slices.Delete(order, i, i+1)
			case 1:
				order[i], order[j] = order[j], order[i]
			case 2:
				order[i].Op = e.Ops[r.IntN(len(e.Ops))].ID
			case 3:
				order[i].Outcome, order[i].Rets = history.Some, []history.Value{history.Value(strconv.Itoa(r.IntN(4)))}
			}
			changed := *ev
			changed.Order = order
			written, err := w.verify(e, &changed)
			if proof := isLinearization(w.s.Model, e, order); proof != (err == nil) {
				w.t.Fatalf("a proof is %v, and the verifier says %v:\n%s\n%s", proof, err, written, historytest.Text(e))
			}
			w.count(err)
		}
	}
}

func (w *witnessTest) count(err error) {
	if err == nil {
		w.Proofs++
	} else {
		w.Rejected++
	}
}

// derivations changes a derivation in one place: what is accepted then is a proof.
func (w *witnessTest) derivations(e *history.Execution, ev *evidence.Evidence, r *rand.Rand) {
	m := newMeaning(w.th, e.Prefix(ev.Prefix), 5000)
	if m != nil && !m.isProof(ev.Steps) {
		w.t.Fatalf("no proof: %+v\n%s", ev.Steps, historytest.Text(e))
	}
	if m != nil {
		w.Compared++
	}
	for i := range ev.Steps {
		for kind := range 6 {
			changed := *ev
			changed.Steps = changedSteps(ev.Steps, i, kind, e, r)
			written, err := w.verify(e, &changed)
			if w.count(err); err == nil && m != nil && !m.isProof(changed.Steps) {
				w.t.Fatalf("accepted, and no proof:\n%s\n%s", written, historytest.Text(e))
			}
		}
	}
	for _, prefix := range []int{ev.Prefix - 1, e.Events + 1} {
		changed := *ev
		changed.Prefix = prefix
		if written, err := w.verify(e, &changed); err == nil && w.s.Model.Linearizable(e.Prefix(prefix)) {
			w.t.Fatalf("accepted for a prefix that is no violation:\n%s\n%s", written, historytest.Text(e))
		}
	}
}

// changedSteps changes the i-th step.
func changedSteps(steps []evidence.Step, i, kind int, e *history.Execution, r *rand.Rand) []evidence.Step {
	steps = slices.Clone(steps)
	s := &steps[i]
	s.Ops = slices.Clone(s.Ops)
	other := e.Ops[r.IntN(len(e.Ops))].ID
	switch kind {
	case 0:
		return slices.Delete(steps, i, i+1)
	case 1:
		j := r.IntN(len(steps))
		steps[i], steps[j] = steps[j], steps[i]
	case 2:
		if len(s.Ops) > 0 {
			s.Ops[r.IntN(len(s.Ops))] = other
		}
	case 3:
		if n := len(s.Ops); n > 1 {
			k := r.IntN(n - 1)
			s.Ops[k], s.Ops[k+1] = s.Ops[k+1], s.Ops[k]
		}
	case 4:
		if s.Fact.Is != evidence.Contradiction {
			s.Fact = s.Fact.Opposite()
		}
	case 5:
		if s.Fact.Is != evidence.Contradiction {
			s.Fact.B = other
		}
	}
	return steps
}
