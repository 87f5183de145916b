package saturate_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/theory"
)

// step is one event of a generated log.
type step struct {
	op      int // by call
	call    bool
	method  string
	args    []history.Value
	outcome history.Outcome
	rets    []history.Value
}

// generate makes a log of a queue or a stack under processes that always have
// an operation running. Each takes effect at some moment between call and
// return.
func generate(lifo bool, events, processes int, seed uint64) []step {
	r := rand.New(rand.NewPCG(seed, 1))
	type running struct {
		op     int
		effect bool
		step
	}
	var log []step
	var held []string
	var ps []running
	ops := 0
	call := func() running {
		s := step{op: ops, call: true, method: "remove"}
		if r.IntN(2) == 0 {
			s.method, s.args = "add", []history.Value{history.Value(strconv.Itoa(ops))}
		}
		ops++
		log = append(log, s)
		return running{op: s.op, step: s}
	}
	for range processes {
		ps = append(ps, call())
	}
	for len(log) < events {
		p := &ps[r.IntN(processes)]
		switch {
		case p.effect:
			log = append(log, step{op: p.op, outcome: p.outcome, rets: p.rets})
			*p = call()
		case p.method == "add":
			held = append(held, string(p.args[0]))
			p.outcome, p.effect = history.None, true
		case len(held) == 0:
			p.outcome, p.effect = history.Nil, true
		default:
			at := 0
			if lifo {
				at = len(held) - 1
			}
			p.outcome, p.rets, p.effect = history.Some, []history.Value{history.Value(held[at])}, true
			if lifo {
				held = held[:at]
			} else {
				held = held[1:]
			}
		}
	}
	return log
}

// feed gives a log to a monitor and returns the most operations it held.
func feed(tb testing.TB, m *saturate.Saturation, log []step) (live int) {
	ops := make([]saturate.Op, len(log))
	for i := range log {
		var err error
		if s := &log[i]; s.call {
			ops[s.op], err = m.Call(s.method, s.args)
		} else {
			_, err = m.Return(ops[s.op], s.outcome, s.rets)
		}
		if err != nil {
			tb.Fatal(err)
		}
		live = max(live, m.Live())
	}
	if v := m.Violation(); v != nil {
		tb.Fatal("a violation in an admitted log: ", v)
	}
	return live
}

var containerHead = []string{
	"[1:X] remove => v1",
	"[1:2] remove => v2; [2:2] add(v2)",
	"[1:1] add(v1); [2:2] remove => - (RO)",
	"[1:1] add(v1); [2:2] remove => - (RO); [3:1] remove => v1",
	"[1:1] add(v1); [2:1] remove => v1; [3:1] remove => v1",
}

// container is the theory of a queue or a stack.
func container(tb testing.TB, lifo bool) *theory.Theory {
	tb.Helper()
	t := &theory.Theory{Name: "queue"}
	drawings := append(containerHead[:5:5], "[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2", "[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2; [4:1] remove => v1")
	if lifo {
		t.Name = "stack"
		drawings = append(containerHead[:5:5], "[1:1] add(v1); [2:2] add(v2); [3:1] remove => v1", "[1:1] add(v1); [2:2] add(v2); [3:1] remove => v1; [4:2] remove => v2")
	}
	t.Spec.Methods = []history.MethodSig{
		{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
	}
	parse := func(src string, free ...string) formula.Formula {
		f, err := formula.Parse(src, t.Vocabulary(), free...)
		if err != nil {
			tb.Fatal(err)
		}
		return f
	}
	t.Spec.Language = []theory.Rule{{Name: "add-once", Formula: parse("forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y")}}
	t.Spec.Matching = theory.Matching{
		Target: []formula.Formula{
			parse("method(y) = add & arg(y) = ret(x)", "x", "y"),
			parse("y = x & (method(x) = add | outcome(x) = nil)", "x", "y"),
		},
		ReadOnly: parse("outcome(x) = nil", "x"),
	}
	for _, d := range drawings {
		h, _, err := history.ParseDrawing(d)
		if err != nil {
			tb.Fatal(err)
		}
		t.Spec.Patterns = append(t.Spec.Patterns, theory.Pattern{Name: d, History: *h})
	}
	return t
}

// start starts to saturate a theory.
func start(tb testing.TB, t *theory.Theory, o saturate.Options) *saturate.Saturation {
	tb.Helper()
	r, err := clauses.Compile(t)
	if err != nil {
		tb.Fatal(err)
	}
	return saturate.New(r, o)
}
