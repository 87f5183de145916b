package peer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// signatures reads methods such as "cas 2 true false", with one value where the outcome
// is value.
func signatures(texts ...string) (methods []history.MethodSig) {
	for _, text := range texts {
		words := strings.Fields(text)
		m := history.MethodSig{Name: words[0], Args: int(words[1][0] - '0')}
		for _, w := range words[2:] {
			o := history.OutcomeSig{Outcome: history.Outcome(w)}
			if o.Outcome == history.Some {
				o.Rets = 1
			}
			m.Outcomes = append(m.Outcomes, o)
		}
		methods = append(methods, m)
	}
	return methods
}

// described is a theory that has an automaton and nothing else; by key if the methods
// have one, which is their first argument.
func described(tb testing.TB, byKey bool, text string, methods ...string) *check.Checker {
	tb.Helper()
	part := theory.Spec{Width: 1, Methods: signatures(methods...)}
	var err error
	if part.Automaton, err = automata.Parse(text, part.Methods); err != nil {
		tb.Fatal(err)
	}
	t := &theory.Theory{Name: "described", Spec: part}
	if byKey {
		t.Spec = theory.Spec{Width: 1, Product: &theory.Product{Part: part}}
		for _, m := range part.Methods {
			m.Args++
			t.Spec.Methods = append(t.Spec.Methods, m)
			t.Spec.Product.Keys = append(t.Spec.Product.Keys, theory.Key{Method: m.Name, Role: theory.ByKey})
		}
	}
	c, err := check.New(t, check.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func describedRegister(tb testing.TB) *check.Checker {
	return described(tb, false, `
-> (absent)   read                   => -      (absent)
              write(x)                         (holds x)
              cas(a,b)               => false  (absent)
   (holds r)  read                   => r      (holds r)
              write(x)                         (holds x)
              cas(a,b)  if a = r     => true   (holds b)
                        otherwise    => false  (holds r)
`, "read 0 value nil", "write 1 none", "cas 2 true false")
}

func describedStore(tb testing.TB) *check.Checker {
	return described(tb, true, `
at first r = ""
-> (r)  get    => r  (r)
        put(x)       (x)
`, "get 0 value", "put 1 none")
}

// countedSet is the set of recordSet as inference finds it.
func countedSet(tb testing.TB) *check.Checker {
	return described(tb, false, `
n[k] = #insert(k)=nil - #remove(k)=value
insert(x)    if n[x] >= 1 => x
             otherwise    => -
remove(x)    if n[x] >= 1 => x
             otherwise    => -
contains(x)  if n[x] >= 1 => x
             otherwise    => -
`, "insert 1 value nil", "remove 1 value nil", "contains 1 value nil")
}

func describedSet(tb testing.TB) *check.Checker {
	return described(tb, true, `
-> (out)  insert   => false  (in)
          remove   => false  (out)
          contains => false  (out)
   (in)   insert   => true   (in)
          remove   => true   (out)
          contains => true   (in)
`, "insert 0 true false", "remove 0 true false", "contains 0 true false")
}

// asTruth is a log of a set that answers whether the value was there.
func asTruth(e *history.Execution) *history.Execution {
	told := *e
	told.Ops = slices.Clone(e.Ops)
	for i := range told.Ops {
		o := &told.Ops[i]
		if o.Rets = nil; o.Outcome == history.Some {
			o.Outcome = history.True
		} else {
			o.Outcome = history.False
		}
	}
	return &told
}

// judged checks an execution and fails unless the verdict is the one expected.
func judged(tb testing.TB, c *check.Checker, e *history.Execution, good bool) func() {
	return func() {
		r, err := c.Check(tb.Context(), e)
		if err != nil || good && r.Verdict != check.Linearizable || !good && r.Verdict != check.Violation {
			tb.Fatal(r, err)
		}
	}
}

// BenchmarkDescribed checks what BenchmarkLong and BenchmarkSet check by theories that
// have an automaton, or one for each key, as users do.
func BenchmarkDescribed(b *testing.B) {
	register, kv, set := describedRegister(b), describedStore(b), describedSet(b)
	sets := recordSet(4, 70_000)
	for _, bm := range []struct {
		name    string
		checker *check.Checker
		e       *history.Execution
		peer    wgl.Model
	}{
		{"register/10000", register, long(registers(5), longOps/10, false), casRegister{}},
		{"register", register, long(registers(5), longOps, false), casRegister{}},
		{"register/wrong", register, long(registers(5), longOps, true), nil},
		{"register/1000 values", register, long(registers(1000), longOps, false), nil},
		{"register/1000 values/wrong", register, long(registers(1000), longOps, true), nil},
		{"store", kv, long(stores(16), longOps, false), store{}},
		{"store/wrong", kv, long(stores(16), longOps, true), store{}},
		{"set", set, asTruth(sets), nil},
		{"counted set", countedSet(b), sets, nil},
	} {
		b.Run(bm.name, func(b *testing.B) {
			good := !strings.HasSuffix(bm.name, "wrong")
			beside(b, len(bm.e.Ops), bm.peer != nil, judged(b, bm.checker, bm.e, good), func() {
				if porcupine.CheckOperations(asPeer(bm.peer), operations(bm.e)) != good {
					b.Fatal("another verdict")
				}
			})
		})
	}
}

// TestDescribedSpeed compares processor time of checks by theories with automata with
// Porcupine's by hand-written models, and with the built-in model's, in one run.
func TestDescribedSpeed(t *testing.T) {
	testsize.NeedsNightly(t, "compares times")
	e, kv := long(registers(5), longOps, false), long(stores(16), longOps, false)
	sets := recordSet(4, 70_000)
	told := asTruth(sets)
	builtin, err := wgl.Builtin("set")
	if err != nil {
		t.Fatal(err)
	}
	byBuiltin := func() {
		if r, err := wgl.Check(t.Context(), builtin, sets, wgl.Options{Partition: true}); err != nil || !r.Linearizable {
			t.Fatal(r.Prefix, err)
		}
	}
	byPeer := func(m wgl.Model, e *history.Execution) func() {
		return func() {
			if !porcupine.CheckOperations(asPeer(m), operations(e)) {
				t.Fatal("another verdict")
			}
		}
	}
	for _, tt := range []struct {
		name   string
		ours   func()
		theirs func()
		times  float64
		runs   int // of theirs
	}{
		{"register", judged(t, describedRegister(t), e, true), byPeer(casRegister{}, e), 10, 1},
		{"store", judged(t, describedStore(t), kv, true), byPeer(store{}, kv), 1.5, 5},
		{"set", judged(t, describedSet(t), told, true), byBuiltin, 1 / 1.5, 5},
		{"counted set", judged(t, countedSet(t), sets, true), byBuiltin, 1 / 1.5, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ours, theirs := processorTime(5, tt.ours), processorTime(tt.runs, tt.theirs)
			t.Logf("%v, the other %v, %.1f times", ours, theirs, float64(theirs)/float64(ours))
			if float64(theirs) < tt.times*float64(ours) {
				t.Errorf("%v, and the other takes %v", ours, theirs)
			}
		})
	}
	wrong := long(registers(5), longOps, true)
	took := processorTime(1, judged(t, describedRegister(t), wrong, false))
	if t.Logf("a wrong read: %v", took); took > 5*time.Second {
		t.Errorf("a wrong read takes %v", took)
	}
}
