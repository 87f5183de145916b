package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// members is an execution of a set of a few values by processes that always overlap. If
// bad, an operation near the end finds what it must not.
func members(ops, processes, values int, bad bool) *history.Execution {
	r := rand.New(rand.NewPCG(1, 77))
	e, in, running := &history.Execution{}, map[int]bool{}, []int{}
	for len(e.Ops) < ops || len(running) > 0 {
		if len(running) < processes && len(e.Ops) < ops {
			v := r.IntN(values)
			o := history.Operation{ID: fmt.Sprint(len(e.Ops)), Call: e.Events}
			o.Label = history.Label{Kind: history.Kind{Method: []string{"add", "remove", "contains"}[r.IntN(3)], Outcome: history.None}, Args: []history.Value{history.Value(fmt.Sprint(v))}}
			switch is := in[v]; {
			case o.Method == "contains" && (is != (bad && len(e.Ops) > ops*9/10)):
				o.Outcome = history.True
			case o.Method == "contains":
				o.Outcome = history.False
			default:
				in[v] = o.Method == "add"
			}
			running, e.Ops = append(running, len(e.Ops)), append(e.Ops, o)
		} else {
			k := r.IntN(len(running))
			e.Ops[running[k]].Return = e.Events
			running = append(running[:k], running[k+1:]...)
		}
		e.Events++
	}
	return e
}

// TestAxiomsAsAutomaton: a theory with axioms that mean an automaton decides long and wide
// executions in time, and what it says of short prefixes is what satisfiability says.
func TestAxiomsAsAutomaton(t *testing.T) {
	th, err := theory.Read(strings.NewReader(historytest.Source(t, "theories/plainset.theory.yaml")), "plainset")
	if err != nil {
		t.Fatal(err)
	}
	auto, err := check.New(th, check.Options{Timeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []bool{false, true} {
		e := members(20_000, 16, 50, bad)
		res, err := auto.Check(t.Context(), e)
		if err != nil || (res.Verdict == check.Violation) != bad || !bad && res.Verdict != check.Linearizable {
			t.Errorf("bad is %v, and it says %+v, %v", bad, res, err)
		}
		short := members(60, 6, 3, bad)
		symbolic, err := check.New(th, check.Options{Engine: "symbolic"})
		if err != nil {
			t.Fatal(err)
		}
		want, err := symbolic.Check(t.Context(), short)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := auto.Check(t.Context(), short); err != nil || got.Verdict != want.Verdict || got.Prefix != want.Prefix {
			t.Errorf("%+v, %v, and symbolic says %+v", got, err, want)
		}
	}
	e := members(2_000, 4, 50, false)
	ev, err := auto.Witness(t.Context(), e, check.Result{Verdict: check.Linearizable})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Check(t.Context(), th, e, ev, asMembers); err != nil {
		t.Error(err)
	}
}

// asMembers counts the operations that a set allows.
func asMembers(_ context.Context, labels []history.Label) (int, error) {
	in := map[history.Value]bool{}
	for i, l := range labels {
		switch {
		case l.Method != "contains":
			in[l.Args[0]] = l.Method == "add"
		case in[l.Args[0]] != (l.Outcome == history.True):
			return i, nil
		}
	}
	return len(labels), nil
}
