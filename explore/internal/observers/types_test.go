package observers

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// files are theories with observers, and how many of these: of all kinds.
var files = map[string]int{
	"examples/queue/queue.theory.yaml":             4,
	"examples/stack/stack.theory.yaml":             4,
	"examples/set/set.theory.yaml":                 1,
	"examples/register/register.theory.yaml":       1,
	"examples/casregister/casregister.theory.yaml": 1,
	"examples/kv/kv.theory.yaml":                   1,
	"examples/lock/lock.theory.yaml":               1,
	"examples/mutex/mutex.theory.yaml":             1,
	"examples/semaphore/semaphore.theory.yaml":     1,
	"examples/deque/deque.theory.yaml":             22,
	"examples/worksteal/worksteal.theory.yaml":     10,
	"theories/bag.theory.yaml":                     1,
	"theories/plainset.theory.yaml":                1,
	"theories/register.theory.yaml":                1,
	"theories/queue.theory.yaml":                   1,
}

// machines are automata of other types.
var machines = map[string]string{
	"flag": `
-> (clear)  set            (set)
            test => false  (clear)
            reset          (clear)
   (set)    set            (set)
            test => true   (set)
            reset          (clear)`,
	"once": `
-> (open)       decide(x) => x  (decided x)
                read => -       (open)
   (decided r)  decide(x) => r  (decided r)
                read => r       (decided r)`,
	"swap": `
at first r = 0
-> (r)  swap(x) => r  (x)
        read => r     (r)`,
	"slot": `
-> (empty)   offer(x) => true   (full x)
             take => -          (empty)
   (full r)  offer(x) => false  (full r)
             take => r          (empty)`,
	"pair": `
-> (none)    first(x)   (one x)
             both => -  (none)
   (one r)   first(x)   (two r, x)
             both => -  (one r)
   (two r, s) first(x)   (two s, x)
             both => s  (two r, s)`,
}

var machineMethods = map[string][]history.MethodSig{
	"flag": {sig("set", 0, "none"), sig("test", 0, "true", "false"), sig("reset", 0, "none")},
	"once": {sig("decide", 1, "value"), sig("read", 0, "value", "nil")},
	"swap": {sig("swap", 1, "value"), sig("read", 0, "value")},
	"slot": {sig("offer", 1, "true", "false"), sig("take", 0, "value", "nil")},
	"pair": {sig("first", 1, "none"), sig("both", 0, "value", "nil")},
}

func sig(name string, args int, outcomes ...history.Outcome) history.MethodSig {
	m := history.MethodSig{Name: name, Args: args}
	for _, o := range outcomes {
		s := history.OutcomeSig{Outcome: o}
		if o == history.Some {
			s.Rets = 1
		}
		m.Outcomes = append(m.Outcomes, s)
	}
	return m
}

func machineTheory(t *testing.T, name string) *theory.Theory {
	t.Helper()
	a, err := automata.Parse(strings.TrimPrefix(machines[name], "\n"), machineMethods[name])
	if err != nil {
		t.Fatal(err)
	}
	return &theory.Theory{Name: name, Spec: theory.Spec{Width: 1, Methods: machineMethods[name], Automaton: a}}
}

// all are all these theories.
func all(t *testing.T) map[string]*theory.Theory {
	ts := map[string]*theory.Theory{}
	for file := range files {
		ts[file] = read(t, file)
	}
	for name := range machines {
		ts[name] = machineTheory(t, name)
	}
	return ts
}

// TestTypes compares observers with their theories on long random sequences.
func TestTypes(t *testing.T) {
	for of, th := range all(t) {
		t.Run(of, func(t *testing.T) {
			if (len(th.Spec.Patterns) > 30 || th.Name == "bag" || th.Name == "queue" && len(th.Spec.Axioms) > 0) && !testsize.Long() {
				t.Skip("takes seconds")
			}
			t.Parallel()
			s, err := From(t.Context(), th)
			if err != nil {
				t.Fatal(err)
			}
			if want := files[of]; len(s.Observers) != max(1, want) {
				t.Errorf("%d observers, want %d\n%s", len(s.Observers), want, s.Text())
			}
			n, bad := 0, 0
			o := newOracle(t.Context(), th)
			for seed := range testsize.Samples(1000) {
				r := rand.New(rand.NewPCG(seed, 4))
				labels := randomTrace(r, o, 12)
				if labels == nil {
					continue
				}
				v, err := o.says(labels)
				if err != nil {
					t.Fatal(err)
				}
				if n++; v == refused {
					bad++
				}
				if (s.Rejects(labels) >= 0) != (v == refused) {
					t.Fatalf("seed %d: %s: refused %v, rejected at %d by\n%s", seed, textOf(labels), v == refused, s.Rejects(labels), s.Text())
				}
			}
			t.Logf("%d observers, compared on %+v; %d random sequences, %d are none of the type", len(s.Observers), s.Compared, n, bad)
			if bad == 0 || bad == n {
				t.Error("a comparison without")
			}
		})
	}
}

// randomTrace is a sequence of which all but the last operation is admitted. It may be short.
func randomTrace(r *rand.Rand, o *oracle, length int) (labels []history.Label) {
	values := 0
	for range 1 + r.IntN(length) {
		var next []history.Label
		var bad []history.Label
		var ns []int
		o.operations(min(values, 3), func(l history.Label, n int) error {
			switch v, err := o.says(append(slices.Clip(labels), l)); {
			case err != nil:
				return err
			case v == admitted:
				next, ns = append(next, l), append(ns, n)
			case v == refused:
				bad = append(bad, l)
			}
			return nil
		})
		if len(bad) > 0 && (len(next) == 0 || r.IntN(8) == 0) {
			return append(labels, bad[r.IntN(len(bad))])
		}
		if len(next) == 0 {
			return labels
		}
		k := r.IntN(len(next))
		labels, values = append(labels, next[k]), max(values, ns[k])
	}
	return labels
}

// TestControls changes observers: the gate refuses what is no longer exact.
func TestControls(t *testing.T) {
	for of, th := range all(t) {
		if slices.Contains([]string{"casregister", "deque", "kv", "worksteal"}, th.Name) || len(th.Spec.Axioms) > 0 {
			continue // many transitions, or slow
		}
		t.Run(of, func(t *testing.T) {
			t.Parallel()
			o := newOracle(t.Context(), th)
			s, err := o.find()
			if err != nil {
				t.Fatal(err)
			}
			caught, same := 0, 0
			for i, x := range s.Observers {
				for k, tr := range x.Transitions {
					for to := range len(x.States) + 1 {
						if to == tr.To {
							continue
						}
						own := *x
						own.Transitions = slices.Clone(x.Transitions)
						if own.Transitions[k].To = to; to == len(x.States) {
							own.Transitions = slices.Delete(own.Transitions, k, k+1)
						}
						others := slices.Clone(s.Observers)
						others[i] = &own
						var differs *Difference
						switch _, err := o.gate(others); {
						case errors.As(err, &differs):
							caught++
							if v, _ := newOracle(t.Context(), th).says(differs.Labels); (v == admitted) != differs.Admitted || (v == admitted) != (len(rejecting(others, differs.Labels)) > 0) {
								t.Fatalf("%v: that is no difference", err)
							}
						case err != nil:
							t.Fatal(err)
						default:
							same++ // others see it
						}
					}
				}
			}
			t.Logf("%d changes are refused, %d change nothing", caught, same)
			if caught == 0 {
				t.Error("changes are not refused")
			}
		})
	}
}

// TestNone says which theories have no observers, and why.
func TestNone(t *testing.T) {
	for file, want := range map[string]string{
		// In short executions it is a queue that always takes values.
		"examples/boundedqueue/boundedqueue.theory.yaml": "it counts",
		"examples/counter/counter.theory.yaml":           "it counts",
		"theories/exchanger.theory.yaml":                 "overlap",
		"theories/priorityqueue.theory.yaml":             "by their size",
	} {
		_, err := From(t.Context(), read(t, file))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "explore within bounds") {
			t.Errorf("%s: %v", file, err)
		}
	}
	th := read(t, "theories/queue.theory.yaml")
	th.Spec.Axioms = th.Spec.Axioms[:2] // of a bag
	if s, err := From(t.Context(), th); err != nil || len(s.Observers) != 1 || s.Observers[0].Registers != 1 {
		t.Errorf("of a bag: %v", err)
	}
}
