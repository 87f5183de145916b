package check_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestWitnessSets: there is evidence for every verdict about a type with an automaton or
// a product, and it is accepted by the theory alone. What is blamed is a violation by
// itself, whatever is left out, and belongs to the key that is named.
func TestWitnessSets(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		t.Run(typ.Name, func(t *testing.T) {
			c, err := check.New(typ.Theory, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			made, named, states := map[bool]int{}, 0, 0
			for seed := range testsize.Samples(1_000) {
				r := rand.New(rand.NewPCG(seed, 41))
				if typ.Lost = 0; r.IntN(2) == 0 {
					typ.Lost = 4
				}
				e := typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
				res, err := c.Check(t.Context(), e)
				if err != nil || typ.Name == "ticket" && res.Verdict == check.Inconclusive {
					if typ.Name != "ticket" {
						historytest.Fatal(t, e, "seed %d: %v", seed, err)
					}
					continue
				}
				ev, err := c.Witness(t.Context(), e, res)
				if err != nil && typ.Name == "ticket" {
					continue // what a running call answers is open
				}
				if err != nil {
					historytest.Fatal(t, e, "seed %d: %+v: %v", seed, res, err)
				}
				var file bytes.Buffer
				if err = evidence.Write(&file, ev); err == nil {
					ev, err = evidence.Read(&file, "x")
				}
				if err == nil {
					err = verify.Check(t.Context(), typ.Theory, e, ev, nil)
				}
				if err != nil {
					historytest.Fatal(t, e, "seed %d: %+v: %v, of %+v", seed, res, err, ev)
				}
				if made[ev.Violation]++; !ev.Violation {
					continue
				}
				x, err := c.Explain(t.Context(), e, res)
				if err != nil {
					historytest.Fatal(t, e, "seed %d: %v", seed, err)
				}
				blamed(t, typ, e, x)
				if len(x.Keys) > 0 {
					named++
				}
				if len(x.States) > 1 {
					states++
				}
			}
			t.Logf("%v, %d with a key, %d with several states", made, named, states)
			if made[true] == 0 || made[false] == 0 || typ.Name == "store" && named != made[true] {
				t.Error("one-sided")
			}
		})
	}
}

// blamed looks at the operations of an explanation.
func blamed(t *testing.T, typ historytest.Described, e *history.Execution, x *check.Explanation) {
	t.Helper()
	if typ.Model.ShortestViolation(x.Execution) == 0 {
		historytest.Fatal(t, e, "what is blamed is no violation: %v", x.Execution)
	}
	for _, o := range x.Execution.Ops {
		if !slices.ContainsFunc(e.Ops, func(own history.Operation) bool { return own.ID == o.ID && slices.Equal(own.Args, o.Args) }) {
			historytest.Fatal(t, e, "[%s] %s is no operation of the log", o.ID, o.Label)
		}
		if p := typ.Theory.Spec.Product; p != nil && len(x.Keys) > 0 {
			if _, key, _ := p.Of(o.Method).Project(o.Label); key != "" && key != x.Keys[0] {
				historytest.Fatal(t, e, "[%s] %s has not key %s", o.ID, o.Label, x.Keys[0])
			}
		}
	}
	if x.Last.Method == "" || x.State == "" {
		historytest.Fatal(t, e, "no order before the last event: %+v", x)
	}
}

// queues is a queue for each of two keys, by the patterns of a queue.
func queues(t *testing.T) historytest.Described {
	th := &theory.Theory{Name: "queues", Spec: theory.Spec{Width: 1, Product: &theory.Product{Part: historytest.Example(t, "queue").Spec}}}
	for _, m := range th.Spec.Product.Part.Methods {
		th.Spec.Product.Keys = append(th.Spec.Product.Keys, theory.Key{Method: m.Name, Role: theory.ByKey})
		m.Args++
		m.Aliases = nil
		th.Spec.Methods = append(th.Spec.Methods, m)
	}
	typ, one := historytest.Queue(), historytest.Queue().Model
	typ.Methods[0].Takes, typ.Methods[0].Brings, typ.Methods[1].Takes = 2, true, 2
	typ.Model = func(s string, l *history.Label) []historytest.Way {
		first, second, _ := strings.Cut(s, ";")
		own := *l
		own.Args = l.Args[1:]
		ways := one(first, &own)
		if l.Args[0] == "2" {
			ways = one(second, &own)
		}
		for i := range ways {
			if l.Args[0] == "2" {
				ways[i].Next = first + ";" + ways[i].Next
			} else {
				ways[i].Next += ";" + second
			}
		}
		return ways
	}
	return historytest.Described{Type: typ, Theory: th}
}

// TestWitnessParts: where patterns describe the part of a product, evidence is a
// derivation about a key, or linearizations of all keys put together.
func TestWitnessParts(t *testing.T) {
	typ := queues(t)
	c, err := check.New(typ.Theory, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	made := map[bool]int{}
	for seed := range testsize.Samples(1_000) {
		r := rand.New(rand.NewPCG(seed, 42))
		e := typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
		want := typ.Model.ShortestViolation(e)
		res, err := c.Check(t.Context(), e)
		if err != nil || res.Prefix != want {
			historytest.Fatal(t, e, "seed %d: %+v, %v, want a violation after %d events", seed, res, err, want)
		}
		ev, err := c.Witness(t.Context(), e, res)
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		if err := verify.Check(t.Context(), typ.Theory, e, ev, typ.Model.Admits); err != nil || ev.Violation != (want > 0) || ev.Violation && len(ev.Keys) != 1 {
			historytest.Fatal(t, e, "seed %d: %v, of %+v", seed, err, ev)
		}
		made[ev.Violation]++
	}
	if t.Log(made); len(made) < 2 {
		t.Error("one-sided")
	}
}

// TestWitnessControlled: of a queue with patterns and a control automaton evidence is a
// derivation about what the patterns see, or a window of the automaton; or one order for both.
func TestWitnessControlled(t *testing.T) {
	th, typ := controlledQueue(t)
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	windows, derivations, orders := 0, 0, 0
	for seed := range testsize.Samples(2_000) {
		e := ofType(typ, seed)
		res, err := c.Check(t.Context(), e)
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		if res.Verdict == check.NoViolationFound {
			continue
		}
		ev, err := c.Witness(t.Context(), e, res)
		if errors.As(err, new(*check.NoEvidence)) && strings.Contains(err.Error(), "may answer so that it breaks the rule") {
			continue
		}
		if err == nil {
			err = verify.Check(t.Context(), th, e, ev, func(ctx context.Context, labels []history.Label) (int, error) {
				if admitted, _, err := th.Sequences().Admits(ctx, labels); !admitted {
					return 0, err
				}
				return len(labels), nil
			})
		}
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %+v: %v, of %+v", seed, res, err, ev)
		}
		switch {
		case !ev.Violation:
			orders++
		case ev.Control:
			windows++
		default:
			derivations++
		}
	}
	if t.Logf("%d windows, %d derivations, %d orders", windows, derivations, orders); windows == 0 || derivations == 0 || orders == 0 {
		t.Error("one-sided")
	}
}

// TestControlledAttack: windows of a control automaton are accepted of violations alone.
func TestControlledAttack(t *testing.T) {
	th, typ := controlledQueue(t)
	found := 0
	for seed := range testsize.Samples(2_000) {
		e := ofType(typ, seed)
		want := typ.Model.ShortestViolation(e)
		for prefix := 1; prefix <= e.Events; prefix++ {
			ev := &evidence.Evidence{Theory: th.Name, Log: evidence.Digest(e), Violation: true, Prefix: prefix, Control: true, Window: &evidence.Window{}}
			err := verify.Check(t.Context(), th, e, ev, nil)
			if err == nil && (want == 0 || want > prefix) || err != nil && !errors.As(err, new(*verify.Wrong)) {
				historytest.Fatal(t, e, "seed %d: %d events, %v, and the shortest violation has %d", seed, prefix, err, want)
			}
			if err == nil {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("nothing was accepted")
	}
}
