package wgl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// TestCoreAgainstBruteForce: operations of a core cannot be explained whatever the
// others do, and without any one of them there is a way.
func TestCoreAgainstBruteForce(t *testing.T) {
	for _, typ := range historytest.Examples() {
		t.Run(typ.Name, func(t *testing.T) {
			m, err := wgl.Builtin(typ.Name)
			if err != nil {
				t.Fatal(err)
			}
			found, n := 0, testsize.Samples(1000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 19))
				typ := typ.Reusing(3)
				typ.Lost = 8
				e := typ.Execution(r, 2+r.IntN(8), 1+r.IntN(3), 3)
				end := typ.Model.ShortestViolation(e)
				if end == 0 {
					continue
				}
				found++
				if r.IntN(2) == 0 {
					e = e.Prefix(end)
				}
				c, err := wgl.FindCore(t.Context(), m, e)
				if err != nil || !c.Minimal || len(c.Ops) == 0 {
					t.Fatalf("seed %d: %+v, %v\n%s", seed, c, err, historytest.Text(e))
				}
				if explained(typ.Model, e, c.Ops) {
					t.Fatalf("seed %d: %v can be explained\n%s", seed, c.Ops, historytest.Text(e))
				}
				for i := range c.Ops {
					if less := slices.Delete(slices.Clone(c.Ops), i, i+1); !explained(typ.Model, e, less) {
						t.Fatalf("seed %d: %v of %v cannot be explained either\n%s", seed, less, c.Ops, historytest.Text(e))
					}
				}
			}
			if found < int(n)/8 {
				t.Errorf("only %d violations", found)
			}
		})
	}
}

// explained tries all sets of the operations besides some.
func explained(m historytest.Model, e *history.Execution, ops []int32) bool {
	for set := range 1 << len(e.Ops) {
		less := &history.Execution{Events: e.Events}
		for i := range e.Ops {
			if set>>i&1 == 1 || slices.Contains(ops, int32(i)) {
				less.Ops = append(less.Ops, e.Ops[i])
			}
		}
		if m.Linearizable(less) {
			return true
		}
	}
	return false
}

// TestCoreOfLongLogs: late in a log few operations matter, and that is found where
// there are few states; else the search ends in time.
func TestCoreOfLongLogs(t *testing.T) {
	testsize.NeedsLong(t)
	sequence := func(n int, label func(i int) history.Label) *history.Execution {
		var labels []history.Label
		for i := range n {
			labels = append(labels, label(i))
		}
		return history.Sequential(labels...)
	}
	values := []history.Value{"0", "1", "2", "3"}
	register, _ := wgl.Builtin("register")
	e := sequence(4000, func(i int) history.Label {
		return history.Label{Kind: history.Kind{Method: "write", Outcome: history.None}, Args: values[i%4 : i%4+1]}
	})
	o := &e.Ops[3999]
	o.Kind, o.Args, o.Rets = history.Kind{Method: "read", Outcome: history.Some}, nil, values[:1]
	c, err := wgl.FindCore(t.Context(), register, e)
	if err != nil || !c.Minimal || !slices.Equal(c.Ops, []int32{3998, 3999}) {
		t.Errorf("a read of 0 after a write of 2: %+v, %v", c, err)
	}
	queue, _ := wgl.Builtin("queue")
	e = sequence(4000, func(i int) history.Label {
		return history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{history.Value(rune('a' + i))}}
	})
	o = &e.Ops[3999]
	o.Kind, o.Args = history.Kind{Method: "remove", Outcome: history.Nil}, nil
	c, err = wgl.FindCore(t.Context(), queue, e)
	if err != nil || c.Minimal || !slices.Contains(c.Ops, 3999) {
		t.Errorf("an empty queue of 3999: %d operations, minimal %t, %v", len(c.Ops), c.Minimal, err)
	}
}

// TestCoreEnds: with the context, and with the model.
func TestCoreEnds(t *testing.T) {
	register, _ := wgl.Builtin("register")
	e := history.Sequential(
		history.Label{Kind: history.Kind{Method: "write", Outcome: history.None}, Args: []history.Value{"1"}},
		history.Label{Kind: history.Kind{Method: "read", Outcome: history.Nil}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := wgl.FindCore(ctx, register, e)
	if err != nil || c.Minimal || len(c.Ops) != 2 {
		t.Errorf("without time: %+v, %v", c, err)
	}
	broken := errors.New("broken")
	if _, err := wgl.FindCore(t.Context(), failing{register, broken}, e); err != broken {
		t.Errorf("a model that fails: %v", err)
	}
}

// failing is a model that has failed.
type failing struct {
	wgl.Model
	err error
}

func (f failing) Err() error { return f.err }

// TestCoreOfKey: of a store with many states, those of one key are looked at alone.
func TestCoreOfKey(t *testing.T) {
	m, err := wgl.Builtin("kv")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	var labels []history.Label
	for range 3000 {
		args := []history.Value{history.Value(fmt.Sprint(r.IntN(8))), history.Value(fmt.Sprint(r.IntN(5)))}
		labels = append(labels, history.Label{Kind: history.Kind{Method: "put", Outcome: history.None}, Args: args})
	}
	labels = append(labels, history.Label{Kind: history.Kind{Method: "get", Outcome: history.Some}, Args: []history.Value{"4"}, Rets: []history.Value{"9"}})
	c, err := wgl.FindCore(t.Context(), m, history.Sequential(labels...))
	if err != nil || !c.Minimal || !slices.Equal(c.Ops, []int32{3000}) {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestCoreInterrupted: without time all operations are left, by key or not.
func TestCoreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"register", "kv"} {
		m, err := wgl.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		reads := map[string]string{"register": "read", "kv": "get"}
		var labels []history.Label
		for i := range 2000 {
			l := history.Label{Kind: history.Kind{Method: reads[name], Outcome: history.Some}, Rets: []history.Value{history.Value(fmt.Sprint(i))}}
			if name == "kv" {
				l.Args = []history.Value{"k"}
			}
			labels = append(labels, l)
		}
		c, err := wgl.FindCore(ctx, m, history.Sequential(labels...))
		if err != nil || c.Minimal || len(c.Ops) != len(labels) {
			t.Errorf("%s: %d operations, minimal %v, %v", name, len(c.Ops), c.Minimal, err)
		}
	}
}
