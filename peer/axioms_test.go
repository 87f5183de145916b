package peer

import (
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// shared is a type that theories describe by axioms or automata: how a Porcupine user
// would write it, and calls of it: the nth, by a process that called last before. step answers a call, or lets it wait.
type shared struct {
	name, theory string
	keyed        bool
	call         func(r *rand.Rand, n int, last history.Label) history.Label
	step         func(state string, l *history.Label) (o history.Outcome, ret, next string, ok bool)
}

func sharedTypes() []shared {
	value := func(n int) []history.Value { return []history.Value{history.Value(strconv.Itoa(n))} }
	return []shared{
		{"semaphore", "theories/semaphore.theory.yaml", false, func(r *rand.Rand, n int, last history.Label) history.Label {
			if last.Method == "acquire" {
				return history.Label{Kind: history.Kind{Method: "release"}, Args: last.Args}
			}
			return history.Label{Kind: history.Kind{Method: "acquire"}, Args: value(n)}
		}, func(state string, l *history.Label) (o history.Outcome, ret, next string, ok bool) {
			held := strings.Fields(state)
			at := slices.Index(held, string(l.Args[0]))
			switch {
			case l.Method == "acquire" && len(held) < 2:
				held = append(held, string(l.Args[0]))
			case l.Method == "release" && at >= 0:
				held = slices.Delete(held, at, at+1)
			default:
				return "", "", state, false
			}
			slices.Sort(held)
			return history.None, "", strings.Join(held, " "), true
		}},
		{"plainset", "theories/plainset.theory.yaml", true, func(r *rand.Rand, n int, last history.Label) history.Label {
			return history.Label{Kind: history.Kind{Method: []string{"add", "remove", "contains", "contains"}[r.IntN(4)]}, Args: value(r.IntN(50))}
		}, func(state string, l *history.Label) (o history.Outcome, ret, next string, ok bool) {
			switch l.Method {
			case "add":
				return history.None, "", "in", true
			case "remove":
				return history.None, "", "", true
			}
			return told(state == "in"), "", state, true
		}},
		{"cas register", "examples/casregister/casregister.theory.yaml", false, func(r *rand.Rand, n int, last history.Label) history.Label {
			switch r.IntN(3) {
			case 0:
				return history.Label{Kind: history.Kind{Method: "load"}}
			case 1:
				return history.Label{Kind: history.Kind{Method: "store"}, Args: value(r.IntN(5))}
			}
			return history.Label{Kind: history.Kind{Method: "compareAndSwap"}, Args: append(value(r.IntN(5)), value(r.IntN(5))...)}
		}, func(state string, l *history.Label) (o history.Outcome, ret, next string, ok bool) {
			if state == "" {
				state = "0"
			}
			switch {
			case l.Method == "load":
				return history.Some, state, state, true
			case l.Method == "store":
				return history.None, "", string(l.Args[0]), true
			case state == string(l.Args[0]):
				return history.True, "", string(l.Args[1]), true
			}
			return history.False, "", state, true
		}},
	}
}

func told(is bool) history.Outcome {
	if is {
		return history.True
	}
	return history.False
}

// execution is one of so many operations and processes that always overlap; of so many
// one answers as it does in another state, or without waiting.
func (x *shared) execution(r *rand.Rand, ops, processes, wrong int) *history.Execution {
	e, states := &history.Execution{}, map[string]string{}
	running, done := make([]int, processes), make([]bool, ops)
	last := make([]history.Label, processes)
	for idle := 0; idle < 64*processes; idle++ {
		p := r.IntN(processes)
		i := running[p] - 1
		switch {
		case i < 0 && len(e.Ops) == ops:
		case i < 0:
			o := history.Operation{ID: strconv.Itoa(len(e.Ops)), Label: x.call(r, len(e.Ops), last[p]), Call: e.Events, Return: history.NoReturn}
			e.Ops, last[p] = append(e.Ops, o), o.Label
			running[p], idle = len(e.Ops), 0
			e.Events++
		case !done[i]:
			o, key := &e.Ops[i], ""
			if x.keyed {
				key = string(o.Args[0])
			}
			outcome, ret, next, ok := x.step(states[key], &o.Label)
			if wrong > 0 && r.IntN(wrong) == 0 {
				from := []string{"", "3"}[r.IntN(2)]
				if x.keyed && from != "" {
					from = "in"
				}
				if !ok {
					outcome, ok = history.None, true
				} else if o.Method == "load" || o.Method == "contains" {
					outcome, ret, _, _ = x.step(from, &o.Label)
				}
			}
			if done[i] = ok; ok {
				states[key], o.Outcome = next, outcome
				if ret != "" {
					o.Rets = []history.Value{history.Value(ret)}
				}
			}
		default:
			e.Ops[i].Return, running[p], idle = e.Events, 0, 0
			e.Events++
		}
	}
	for i := range e.Ops {
		if o := &e.Ops[i]; !o.Completed() {
			o.Outcome, o.Rets = history.Pending, nil
		}
	}
	return e
}

// peer is the type for Porcupine. What waits for ever may take effect at the end, or not.
func (x *shared) peer() porcupine.Model {
	m := porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			l := output.(*history.Label)
			o, ret, next, ok := x.step(state.(string), input.(*history.Label))
			if l.Outcome == history.Pending {
				return true, next
			}
			return ok && o == l.Outcome && (len(l.Rets) == 0 || string(l.Rets[0]) == ret), next
		},
		Equal: func(a, b any) bool { return a == b },
		Hash:  func(s any) uint64 { return maphash.String(hashSeed, s.(string)) },
	}
	if x.keyed {
		m.Partition = peerSet(true).Partition
	}
	return m
}

func (x *shared) checker(tb testing.TB) *check.Checker {
	tb.Helper()
	t, err := theory.Read(strings.NewReader(historytest.Source(tb, x.theory)), x.theory)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := check.New(t, check.Options{Whole: true})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestShared compares verdicts with Porcupine's.
func TestShared(t *testing.T) {
	for _, x := range sharedTypes() {
		c, m, bad, n := x.checker(t), x.peer(), 0, int(testsize.Samples(3000))
		r := rand.New(rand.NewPCG(4, 4))
		for k := range n {
			e := x.execution(r, 10+r.IntN(60), 2+r.IntN(8), []int{0, 20, 200}[k%3])
			got, err := c.Check(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			want := says(m, e)
			if want == porcupine.Illegal {
				bad++
			}
			if want != porcupine.Unknown && (want == porcupine.Ok) != (got.Verdict == check.Linearizable) {
				t.Fatalf("%s, %d: %+v, and Porcupine says %v\n%s", x.name, k, got, want, historytest.Text(e))
			}
		}
		if t.Logf("%s: %d of %d violate", x.name, bad, n); bad < n/20 || bad > n*9/10 {
			t.Errorf("%s: too one-sided a sample", x.name)
		}
	}
}

// TestSharedSpeed compares processor time with Porcupine's, of 10,000 operations.
func TestSharedSpeed(t *testing.T) {
	testsize.NeedsNightly(t, "compares times")
	for _, x := range sharedTypes() {
		c, m, e := x.checker(t), x.peer(), x.execution(rand.New(rand.NewPCG(5, 5)), 10_000, 8, 0)
		ours := processorTime(3, func() {
			if got, err := c.Check(t.Context(), e); err != nil || got.Verdict != check.Linearizable {
				t.Fatal(got, err)
			}
		})
		theirs := processorTime(3, func() {
			if !porcupine.CheckOperations(m, operations(e)) {
				t.Fatal("another verdict")
			}
		})
		if t.Logf("%s: %v, Porcupine %v, %.1f times", x.name, ours, theirs, float64(theirs)/float64(ours)); theirs < ours {
			t.Errorf("%s: %v, and Porcupine takes %v", x.name, ours, theirs)
		}
	}
}
