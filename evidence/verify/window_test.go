package verify_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// windows is all evidence by windows that an attacker may write for the first events
// of a log.
func windows(typ historytest.Described, e *history.Execution, prefix int) (all []*evidence.Evidence) {
	for _, keys := range [][]history.Value{nil, {"1"}, {"2"}, {"3"}, {"1", "1"}} {
		for first := range prefix + 1 {
			all = append(all, &evidence.Evidence{Theory: typ.Name, Log: evidence.Digest(e), Violation: true, Prefix: prefix, Keys: keys, Window: &evidence.Window{First: first}})
		}
	}
	return all
}

// accepted reports whether evidence is; it ends the test if it is neither accepted nor
// rejected.
func accepted(t *testing.T, typ historytest.Described, e *history.Execution, ev *evidence.Evidence) bool {
	t.Helper()
	err := verify.Check(t.Context(), typ.Theory, e, ev, nil)
	if err != nil && !errors.As(err, new(*verify.Wrong)) {
		historytest.Fatal(t, e, "%v", err)
	}
	return err == nil
}

// TestAttackWindows: a window is accepted of violations alone, whatever it is about, and of each of
// these one is that is about all; also of logs with an answer or an event changed.
func TestAttackWindows(t *testing.T) {
	plain := historytest.Described{Type: historytest.PlainSet(), Theory: historytest.Theory(t, "theories/plainset.theory.yaml")}
	tickets := historytest.Described{Type: historytest.Semaphore(), Theory: historytest.Theory(t, "theories/semaphore.theory.yaml")}
	for _, typ := range append(historytest.ByAutomata(), plain, tickets) {
		t.Run(typ.Name, func(t *testing.T) {
			if typ.Theory == plain.Theory || typ.Theory == tickets.Theory {
				testsize.NeedsLong(t)
			}
			violations, local, n := 0, 0, testsize.Samples(400)
			speaks := typ.Theory.Formulas().Sequences()
			if typ.Name == plain.Name {
				n = max(n/20, 4) // its automaton is computed each time
			}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 21))
				if typ.Lost = 0; r.IntN(2) == 0 {
					typ.Lost = 4
				}
				e := typ.Execution(r, 3+r.IntN(5), 1+r.IntN(4), 4*r.IntN(2))
				for range 3 {
					want := typ.Model.ShortestViolation(e)
					prefix := e.Events - r.IntN(2)
					found, byKey, inLanguage := false, false, true
					if typ.Name == tickets.Name && typ.Theory == tickets.Theory {
						_, inLanguage, _ = speaks.Admits(t.Context(), labelsOf(e.Prefix(prefix)))
					}
					for _, ev := range windows(typ, e, prefix) {
						ok := accepted(t, typ, e, ev)
						if ok && (!inLanguage || want == 0 || want > prefix) {
							historytest.Fatal(t, e, "seed %d: accepted of %d events, and the shortest violation has %d: keys %v, window %d", seed, prefix, want, ev.Keys, ev.Window.First)
						}
						found, byKey = found || ok, byKey || ok && len(ev.Keys) > 0
					}
					if inLanguage && want > 0 && want <= prefix {
						violations++
						if byKey {
							local++
						}
						if p := typ.Theory.Spec.Product; !found && typ.Name != "ticket" || p != nil && typ.Theory.Spec.IsLocal() && !byKey || typ.Name == plain.Name && !byKey {
							historytest.Fatal(t, e, "seed %d: no evidence of the violation after %d events", seed, want)
						}
					}
					e = changed(r, typ.Type, e)
				}
			}
			t.Logf("%d violations, %d by a key", violations, local)
			if violations == 0 {
				t.Error("no violations")
			}
		})
	}
}

// labelsOf are those of all operations, in any order, and what pending ones can answer.
func labelsOf(e *history.Execution) (labels []history.Label) {
	for i := range e.Ops {
		if labels = append(labels, e.Ops[i].Label); labels[i].Outcome == history.Pending {
			labels[i].Outcome = history.None
		}
	}
	return labels
}

// changed is a log with another value, another answer, or two events exchanged.
func changed(r *rand.Rand, typ historytest.Type, e *history.Execution) *history.Execution {
	e = &history.Execution{Ops: slices.Clone(e.Ops), Events: e.Events}
	if e.Events < 2 {
		return e
	}
	o := &e.Ops[r.IntN(len(e.Ops))]
	switch r.IntN(3) {
	case 0:
		o.Args = slices.Clone(o.Args)
		for i := range o.Args {
			o.Args[i] = history.Value(rune('1' + r.IntN(3)))
		}
	case 1:
		for i := range typ.Methods {
			if m := &typ.Methods[i]; m.Name == o.Method && o.Completed() {
				if o.Outcome, o.Rets = m.Outcomes[r.IntN(len(m.Outcomes))], nil; o.Outcome == history.Some {
					o.Rets = []history.Value{history.Value(rune('1' + r.IntN(5)))}
				}
			}
		}
	default:
		at := r.IntN(e.Events - 1)
		move := func(n int) int {
			switch n {
			case at:
				return at + 1
			case at + 1:
				return at
			}
			return n
		}
		for i := range e.Ops {
			o := &e.Ops[i]
			if o.Call == at && o.Return == at+1 {
				return e
			}
		}
		for i := range e.Ops {
			e.Ops[i].Call, e.Ops[i].Return = move(e.Ops[i].Call), move(e.Ops[i].Return)
		}
		slices.SortFunc(e.Ops, func(a, b history.Operation) int { return a.Call - b.Call })
	}
	return e
}

// TestAttackReplayed: forged orders are accepted by the theory alone if they are
// linearizations, and only then.
func TestAttackReplayed(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		counts := map[bool]int{}
		for seed := range testsize.Samples(2_000) {
			r := rand.New(rand.NewPCG(seed, 22))
			e := typ.Execution(r, 3+r.IntN(5), 1+r.IntN(3), 0)
			order := forged(e, r)
			for i := range order { // tickets are numbers in the model, and anything in the theory
				if rets := order[i].Rets; typ.Name == "ticket" && len(rets) == 1 && rets[0] == "alice" {
					rets[0] = "9"
				}
			}
			want := (&victim{Type: typ.Type}).linearization(e, order)
			got := accepted(t, typ, e, &evidence.Evidence{Theory: typ.Name, Log: evidence.Digest(e), Order: order})
			if counts[want]++; got != want {
				historytest.Fatal(t, e, "%s, seed %d: a linearization is %t, and accepted %t: %v", typ.Name, seed, want, got, order)
			}
		}
		if len(counts) < 2 {
			t.Errorf("%s: one-sided: %v", typ.Name, counts)
		}
	}
}

// TestWindowErrors: what the theory says nothing about is no violation.
func TestWindowErrors(t *testing.T) {
	all := historytest.ByAutomata()
	find := func(name string) historytest.Described {
		return all[slices.IndexFunc(all, func(d historytest.Described) bool { return d.Name == name })]
	}
	label := func(method string, out history.Outcome, args ...history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: out}, Args: args}
	}
	parts := find("sizedset")
	whole := *parts.Theory
	whole.Spec = theory.Spec{Width: 1, Methods: whole.Spec.Methods}
	for _, tt := range []struct {
		typ    historytest.Described
		keys   []history.Value
		first  int
		labels []history.Label
		want   string
	}{
		{find("mutex"), nil, 0, []history.Label{label("steal", history.True)}, "[1]: the theory has no method steal"},
		{find("mutex"), nil, 0, []history.Label{label("tryLock", history.Some)}, "[1]: tryLock does not answer value"},
		{find("mutex"), nil, 0, []history.Label{label("tryLock", history.True, "1")}, "[1]: tryLock has 0 arguments, not 1"},
		{find("casregister"), nil, 0, []history.Label{label("load", history.Some)}, "[1]: load => value has 1 values, not 0"},
		{find("mutex"), []history.Value{"1"}, 0, nil, "the evidence is about key 1, and the theory has no product there"},
		{find("mutex"), nil, 1, nil, "there are only 0 events"},
		{find("sum"), nil, 0, []history.Label{label("add", history.None, "x")}, `[1]: its argument is "x", which is no integer, and the theory counts with it`},
		{find("sum"), nil, 1, []history.Label{label("sum", history.Some)}, "what the automaton does depends on more than equality"},
		{find("store"), []history.Value{"1"}, 0, []history.Label{label("gut", history.Some, "1")}, "[1]: the theory has no method gut"},
		{find("store"), nil, 1, []history.Label{label("get", history.Nil, "1")}, "what the automaton does depends on more than equality"},
		{historytest.Described{Theory: &whole}, nil, 0, nil, "configurations: the theory has no automaton"},
	} {
		e := history.Sequential(tt.labels...)
		if tt.typ.Name == "sum" && tt.first > 0 {
			e.Ops[0].Rets = []history.Value{"1"}
		}
		ev := &evidence.Evidence{Theory: tt.typ.Theory.Name, Log: evidence.Digest(e), Violation: true, Prefix: e.Events, Keys: tt.keys, Window: &evidence.Window{First: tt.first}}
		err := verify.Check(t.Context(), tt.typ.Theory, e, ev, nil)
		var wrong *verify.Wrong
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Msg, tt.want) {
			t.Errorf("%s, %v: got %v, want %s", tt.typ.Name, tt.labels, err, tt.want)
		}
	}
}
