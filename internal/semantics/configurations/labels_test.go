package configurations_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func named(t *testing.T, name string) historytest.Described {
	t.Helper()
	for _, typ := range historytest.ByAutomata() {
		if typ.Name == name {
			return typ
		}
	}
	t.Fatalf("no type %s", name)
	return historytest.Described{}
}

// operation reads "put 1 2 => value 3".
func operation(text string) history.Label {
	call, answer, _ := strings.Cut(text, " => ")
	words := strings.Fields(call)
	l := history.Label{Kind: history.Kind{Method: words[0]}}
	for _, w := range words[1:] {
		l.Args = append(l.Args, history.Value(w))
	}
	if words = strings.Fields(answer); len(words) > 0 {
		l.Outcome = history.Outcome(words[0])
		for _, w := range words[1:] {
			l.Rets = append(l.Rets, history.Value(w))
		}
	}
	return l
}

// TestLabels: what operations may be.
func TestLabels(t *testing.T) {
	for _, tt := range []struct{ typ, operation, want string }{
		{"mutex", "tryLock => true", ""},
		{"mutex", "tryLock", ""},
		{"mutex", "steal", "the theory has no method steal"},
		{"mutex", "tryLock => value 1", "tryLock does not answer value"},
		{"mutex", "tryLock 1", "tryLock has 0 arguments, not 1"},
		{"store", "get 1 => value", "get => value has 1 values, not 0"},
		{"store", "get name => value other", ""},
		{"casregister", "store one", "its argument is \"one\", which is no integer, and the theory has the integer 1 there"},
		{"casregister", "load => value one", "what it returns is \"one\", which is no integer, and the theory has the integer 1 there"},
		{"casregister", "cas 5 -6 => true", ""},
		{"sum", "add x", "its argument is \"x\", which is no integer, and the theory counts with it"},
		{"sum", "add 9223372036854775808", "its argument is 9223372036854775808, which is beyond 64 bits, and the theory counts with it"},
		{"sum", "sum => value -9223372036854775808", ""},
		{"sizedset", "insert any => true", ""},
		{"sizedset", "len => value x", "what it returns is \"x\", which is no integer, and the theory adds it up over all keys"},
		{"ticket", "issue => value any", ""},
	} {
		l := operation(tt.operation)
		err := configurations.LabelsOf(&named(t, tt.typ).Theory.Spec).Refuses(&l)
		if got := ""; err != nil || tt.want != "" {
			if err != nil {
				got = err.Error()
			}
			if tt.want == "" || !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s: %s: %q, want %q", tt.typ, tt.operation, got, tt.want)
			}
		}
	}
	for _, typ := range historytest.ByAutomata() {
		if a := typ.Theory.Spec.Automaton; a != nil && a.Machine().AnyValues() == slices.Contains([]string{"casregister", "sum", "tallies"}, typ.Name) {
			t.Errorf("%s: any values are %t", typ.Name, a.Machine().AnyValues())
		}
	}
}

// TestTexts: states in words.
func TestTexts(t *testing.T) {
	for _, tt := range []struct {
		typ  string
		ops  []string
		want string
	}{
		{"mutex", nil, "free"},
		{"mutex", []string{"lock => none"}, "held"},
		{"casregister", []string{"store 7 => none"}, "r = 7"},
		{"ticket", []string{"issue => value 5"}, "issued, r = 5"},
		{"sum", []string{"add 3 => none", "add -5 => none"}, "sum = -2"},
		{"store", []string{"put 2 7 => none", "put 1 8 => none", "delete 2 => none"}, "1: holds, r = 8; all others: absent"},
		{"epochs", []string{"mark 3 => none", "tick => none"}, "3: late; all others: old"},
	} {
		m, err := configurations.Of(&named(t, tt.typ).Theory.Spec)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Init()
		for _, op := range tt.ops {
			l, ok := operation(op), false
			if s, ok = m.Step(s, &l); !ok {
				t.Fatalf("%s: %s is refused", tt.typ, op)
			}
		}
		if got := m.Text(s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.typ, got, tt.want)
		}
	}
	if _, err := configurations.Of(&theory.Spec{}); err == nil {
		t.Error("a theory of nothing has a machine")
	}
}

// TestBefore: the states that are possible before the last event are those after which
// an observer would answer so, as a search that tries everything says.
func TestBefore(t *testing.T) {
	typ, several := named(t, "casregister"), 0
	for seed := range testsize.Samples(2_000) {
		r := rand.New(rand.NewPCG(seed, 51))
		e := typ.Execution(r, 3+r.IntN(5), 1+r.IntN(4), 0)
		e.Ops = append(e.Ops, history.Operation{ID: "last", Label: history.Label{Kind: history.Kind{Method: "load", Outcome: history.Some}}, Call: e.Events, Return: e.Events + 1})
		e.Events += 2
		var want []string
		for _, v := range []history.Value{"1", "2", "3"} {
			e.Ops[len(e.Ops)-1].Rets = []history.Value{v}
			if typ.Model.Linearizable(e) {
				want = append(want, "r = "+string(v))
			}
		}
		got, err := configurations.Before(t.Context(), &typ.Theory.Spec, e)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			historytest.Fatal(t, e, "seed %d: %v, -want +got %s", seed, err, diff)
		}
		if len(want) > 1 {
			several++
		}
	}
	if several == 0 {
		t.Error("there was always one state")
	}
}

// TestSettled: a set in which nothing runs and that has one state is as good as one that
// begins there.
func TestSettled(t *testing.T) {
	m, err := configurations.Of(&named(t, "store").Theory.Spec)
	if err != nil {
		t.Fatal(err)
	}
	set := configurations.New(m)
	put, get := operation("put 1 7"), operation("get 1")
	set.Call("1", &put)
	if _, ok := set.Settled(); ok || set.Live() != 2 {
		t.Errorf("settled while an operation runs, %d live", set.Live())
	}
	if _, err := set.Return("2", history.None); err == nil {
		t.Error("an operation returned that was not called")
	}
	if ok, err := set.Return("1", history.None); !ok || err != nil {
		t.Error(ok, err)
	}
	state, ok := set.Settled()
	if !ok {
		t.Fatal("not settled")
	}
	set = configurations.From(m, state)
	set.Call("2", &get)
	if ok, err := set.Return("2", history.Some, "7"); !ok || err != nil {
		t.Error(ok, err)
	}
	set.Call("3", &get)
	if ok, err := set.Return("3", history.Nil); ok || err != nil {
		t.Error(ok, err)
	}
}

// TestPart: the operations of a key, and of a key that no operation has, are what the
// theory says they are.
func TestPart(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		p := typ.Theory.Spec.Product
		if p == nil {
			continue
		}
		if typ.Theory.Spec.IsLocal() != slices.Contains([]string{"store", "members"}, typ.Name) {
			t.Errorf("%s is local: %t", typ.Name, typ.Theory.Spec.IsLocal())
		}
		for seed := range testsize.Samples(200) {
			e := execution(typ, seed)
			for _, want := range p.Parts(e) {
				if want.Rest {
					want.Key = "no key"
				}
				if diff := cmp.Diff(want.Execution, configurations.Part(p, e, want.Key)); diff != "" {
					t.Fatalf("%s, seed %d, key %s: -want +got %s", typ.Name, seed, want.Key, diff)
				}
			}
		}
	}
}
