package check_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestWitnessAxioms: there is evidence for every verdict by axioms that mean an automaton. It
// is accepted by the theory alone, and that of violations not with another window, key or prefix, or of a log with
// another answer, unless what that says is true.
func TestWitnessAxioms(t *testing.T) {
	testsize.NeedsLong(t)
	for _, typ := range []historytest.Type{historytest.PlainSet(), historytest.Semaphore()} {
		t.Run(typ.Name, func(t *testing.T) { testWitnessAxioms(t, typ) })
	}
}

func testWitnessAxioms(t *testing.T, typ historytest.Type) {
	th := historytest.Theory(t, "theories/"+typ.Name+".theory.yaml")
	byKey := typ.Name == "plainset"
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	made, rejected := 0, 0
	for seed := range testsize.Samples(10_000) {
		r := rand.New(rand.NewPCG(seed, 51))
		typ.Lost = 4 * r.IntN(2)
		e := typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 2, 3}[r.IntN(3)])
		res, err := c.Check(t.Context(), e)
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		if res.Verdict == check.Linearizable && seed%8 == 0 {
			ev, err := c.Witness(t.Context(), e, res)
			if err == nil {
				err = verify.Check(t.Context(), th, e, ev, nil)
			}
			if err != nil {
				historytest.Fatal(t, e, "seed %d: %v", seed, err)
			}
		}
		if res.Verdict != check.Violation {
			continue
		}
		ev, err := c.Witness(t.Context(), e, res)
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		made++
		var file bytes.Buffer
		if err = evidence.Write(&file, ev); err == nil {
			ev, err = evidence.Read(&file, "x")
		}
		if err == nil {
			err = verify.Check(t.Context(), th, e, ev, nil)
		}
		if err != nil || byKey != (len(ev.Keys) == 1) || ev.Prefix != typ.Model.ShortestViolation(e) {
			historytest.Fatal(t, e, "seed %d: %v, of %+v", seed, err, ev)
		}
		for i := range e.Ops { // one answer more or less
			o := &e.Ops[i]
			if was := o.Outcome; o.Completed() && o.Method == "contains" {
				o.Outcome = history.True
				if was == history.True {
					o.Outcome = history.False
				}
				if err := verify.Check(t.Context(), th, e, ev, nil); err == nil {
					historytest.Fatal(t, e, "seed %d: evidence for another log is accepted", seed)
				}
				same := *ev
				same.Log = evidence.Digest(e)
				if err := verify.Check(t.Context(), th, e, &same, nil); err == nil && typ.Model.ShortestViolation(e.Prefix(ev.Prefix)) == 0 {
					historytest.Fatal(t, e, "seed %d: accepted of a log with another answer", seed)
				}
				o.Outcome = was
			}
		}
		other := *ev
		switch r.IntN(3) {
		case 0:
			other.Prefix -= 1 + r.IntN(2)
		case 1:
			other.Keys = nil
			other.Window = &evidence.Window{First: r.IntN(ev.Prefix)}
		default:
			other.Keys = append(other.Keys[:0:0], "3")
		}
		err = verify.Check(t.Context(), th, e, &other, nil)
		var wrong *verify.Wrong
		if err == nil && typ.Model.ShortestViolation(e.Prefix(other.Prefix)) == 0 || err != nil && !errors.As(err, &wrong) {
			historytest.Fatal(t, e, "seed %d: %v, of %+v", seed, err, other)
		}
		if err != nil {
			rejected++
		}
	}
	t.Logf("%d violations, %d changes rejected", made, rejected)
	if made == 0 || rejected < made/4 {
		t.Errorf("%d violations, %d changes rejected", made, rejected)
	}
}
