package check_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// texts is the store of the public histories in plain Go.
type texts struct{ m map[string]string }

func (s *texts) Get(k string) string { return s.m[k] }
func (s *texts) Put(k, v string)     { s.m[k] = v }
func (s *texts) Append(k, v string)  { s.m[k] += v }

// TestPublicHistories: histories that others recorded get the verdict that they
// published, of a built-in model and of a reference in plain Go.
func TestPublicHistories(t *testing.T) {
	testsize.NeedsLong(t)
	all := historytest.PublicHistories(t)
	load := func(name string) reference.Implementation {
		typ := golden.Find(t, name)
		pkg, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { pkg.Close() })
		return pkg
	}
	for _, tt := range []struct {
		kind, model string
		reference   reference.Implementation
		aliases     map[string][]string
		rewrite     func(o *history.Operation)
		keyed       bool
	}{
		{"cas-register", "cas-register", load("casregister"), map[string][]string{"load": {"read"}, "store": {"write"}, "compareAndSwap": {"cas"}}, fromZero, false},
		{"mutex", "mutex", load("mutex"), map[string][]string{"tryLock": {"acquire"}, "unlock": {"release"}}, func(o *history.Operation) {
			if o.Method == "acquire" && o.Completed() {
				o.Outcome = history.True
			}
		}, false},
		{"kv (append)", `kv("")`, inProcess(t, reference.Spec{New: func() *texts { return &texts{map[string]string{}} }}), nil, func(*history.Operation) {}, true},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			byModel, err := check.New(nil, check.Options{Model: tt.model})
			if err != nil {
				t.Fatal(err)
			}
			byReference, err := check.New(nil, check.Options{Reference: tt.reference, Aliases: tt.aliases})
			if err != nil {
				t.Fatal(err)
			}
			good, bad := 0, 0
			for _, p := range all {
				if p.Type != tt.kind {
					continue
				}
				want := check.Violation
				if p.Linearizable {
					want = check.Linearizable
					good++
				} else {
					bad++
				}
				e := p.Read(t)
				first, err := byModel.Check(t.Context(), e)
				if err != nil || first.Verdict != want {
					t.Errorf("%s: %v of the model, %v, want %v", p.File, first.Verdict, err, want)
				}
				for i := range e.Ops {
					tt.rewrite(&e.Ops[i])
				}
				parts := []*history.Execution{e}
				if tt.keyed { // a reference does not tell its keys
					parts = byKey(e)
				}
				shortest := 0
				for _, part := range parts {
					got, err := byReference.Check(t.Context(), part)
					switch {
					case err != nil || got.Verdict != check.Linearizable && got.Verdict != check.Violation:
						t.Fatalf("%s: %v of the reference, %v", p.File, got, err)
					case got.Prefix > 0 && (shortest == 0 || got.Prefix < shortest):
						shortest = got.Prefix
					}
				}
				if shortest != first.Prefix {
					t.Errorf("%s: a violation in %d events of the reference, want %d", p.File, shortest, first.Prefix)
				}
			}
			t.Logf("%d linearizable, %d not", good, bad)
			if bad == 0 {
				t.Error("no violations")
			}
		})
	}
}

// fromZero makes an operation of a register that holds nothing at first one of a
// register that holds 0: nothing is 0, and all numbers are one more.
func fromZero(o *history.Operation) {
	more := func(vs []history.Value) []history.Value {
		vs = slices.Clone(vs)
		for i, v := range vs {
			n, _ := strconv.Atoi(string(v))
			vs[i] = history.Value(strconv.Itoa(n + 1))
		}
		return vs
	}
	o.Args, o.Rets = more(o.Args), more(o.Rets)
	if o.Outcome == history.Nil {
		o.Outcome, o.Rets = history.Some, []history.Value{"0"}
	}
}

// byKey are the executions of the keys, each at its moments in the whole.
func byKey(e *history.Execution) (parts []*history.Execution) {
	number := map[history.Value]int{}
	for _, o := range e.Ops {
		n, ok := number[o.Args[0]]
		if !ok {
			n = len(parts)
			number[o.Args[0]], parts = n, append(parts, &history.Execution{Events: e.Events})
		}
		parts[n].Ops = append(parts[n].Ops, o)
	}
	return parts
}
