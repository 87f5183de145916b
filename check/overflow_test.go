package check_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// counts are automata that add numbers up, each as a sequence of lines and as exact arithmetic.
var counts = []struct {
	name, text string
	methods    []history.MethodSig
	model      func(n, x *big.Int, method string) (answer string, next *big.Int)
}{
	{"a guard", "n = sum x of add(x)=true\nadd(x)  if n + x >= 9223372036854775807 => false\n        otherwise   => true\n", methodsOf("add 1 true false"),
		func(n, x *big.Int, _ string) (string, *big.Int) {
			if next := new(big.Int).Add(n, x); next.Cmp(big.NewInt(math.MaxInt64)) < 0 {
				return "true", next
			}
			return "false", n
		}},
	{"a multiple", "n = sum x of add(x)=true\nadd(x)  if 3*n + 2*x >= 9000000000000000000 => false\n        otherwise   => true\n", methodsOf("add 1 true false"),
		func(n, x *big.Int, _ string) (string, *big.Int) {
			three := new(big.Int).Mul(n, big.NewInt(3))
			if three.Add(three, new(big.Int).Mul(x, big.NewInt(2))).Cmp(big.NewInt(9000000000000000000)) < 0 {
				return "true", new(big.Int).Add(n, x)
			}
			return "false", n
		}},
	{"an answer", "n = sum x of add(x) - sum y of sub(y)\nadd(x)\nsub(x)\nread => n\n", methodsOf("add 1 none", "sub 1 none", "read 0 value"),
		func(n, x *big.Int, method string) (string, *big.Int) {
			switch method {
			case "add":
				return "none", new(big.Int).Add(n, x)
			case "sub":
				return "none", new(big.Int).Sub(n, x)
			}
			return n.String(), n
		}},
}

func methodsOf(lines ...string) (all []history.MethodSig) {
	for _, line := range lines {
		words := strings.Fields(line)
		n, _ := strconv.Atoi(words[1])
		m := history.MethodSig{Name: words[0], Args: n}
		for _, w := range words[2:] {
			o := history.OutcomeSig{Outcome: history.Outcome(w)}
			if w == "value" {
				o.Rets = 1
			}
			m.Outcomes = append(m.Outcomes, o)
		}
		all = append(all, m)
	}
	return all
}

// TestOverflow: with numbers at the ends of what 64 bits hold a verdict is that of exact arithmetic, or the log is
// refused and an operation named: as a file, as a stream, and by the verifier. Small numbers are never refused.
func TestOverflow(t *testing.T) {
	for _, tt := range counts {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, err := automata.Parse(tt.text, tt.methods)
			if err != nil {
				t.Fatal(err)
			}
			th := &theory.Theory{Name: "counts", Spec: theory.Spec{Width: 1, Methods: tt.methods, Automaton: a}}
			b := batchOf(t, th, by{})
			typ := historytest.Type{Name: tt.name, Model: exact(tt.model)}
			refused, decided := 0, 0
			for seed := range testsize.Samples(4_000) {
				r := rand.New(rand.NewPCG(seed, 3))
				large := r.IntN(2) == 0
				typ.Draw = func(r *rand.Rand, _ *history.Execution) history.Label { return extreme(r, tt.methods, large) }
				typ.Spoil = func(r *rand.Rand, e *history.Execution, o *history.Operation) { spoiled(r, tt.methods, o) }
				e := typ.Execution(r, 1+r.IntN(5), 1+r.IntN(3), []int{0, 3}[r.IntN(2)])
				want := typ.Model.ShortestViolation(e)
				file, err := b.checker().Check(t.Context(), e)
				stream := follow(b, textOf(t, e))
				verified := verify.Check(t.Context(), th, e, all(e), nil)
				if verified == nil && want > 0 {
					historytest.Fatal(t, e, "seed %d: evidence of a violation's order is accepted", seed)
				}
				if err != nil {
					early := stream.Result.Verdict == check.Violation && stream.Result.Prefix == want // and reads no more
					if !large || !strings.Contains(err.Error(), "64") || stream.Err == nil && !early {
						historytest.Fatal(t, e, "seed %d: %v; as a stream %+v, %v", seed, err, stream.Result, stream.Err)
					}
					refused++
					continue
				}
				decided++
				for _, res := range []check.Result{file, stream.Result} {
					if (res.Verdict == check.Violation) != (want > 0) || res.Prefix != want {
						historytest.Fatal(t, e, "seed %d: %+v, want %d", seed, res, want)
					}
				}
			}
			if t.Log(decided, "decided", refused, "refused"); refused == 0 || decided < refused/2 {
				t.Error("the numbers are all alike")
			}
		})
	}
}

// all is the evidence that operations took effect in the order of their calls, if they returned.
func all(e *history.Execution) *evidence.Evidence {
	ev := &evidence.Evidence{Theory: "counts", Log: evidence.Digest(e)}
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			ev.Order = append(ev.Order, evidence.Taken{Op: e.Ops[i].ID})
		}
	}
	return ev
}

// exact is a type whose state is a number of any size.
func exact(model func(n, x *big.Int, method string) (string, *big.Int)) historytest.Model {
	return func(s string, l *history.Label) []historytest.Way {
		n, x := new(big.Int), new(big.Int)
		n.SetString(s, 10)
		if len(l.Args) > 0 {
			x.SetString(string(l.Args[0]), 10)
		}
		answer, next := model(n, x, l.Method)
		w := historytest.Way{Outcome: history.Outcome(answer), Next: next.String()}
		if l.Method == "read" {
			w.Outcome, w.Rets = history.Some, []history.Value{history.Value(answer)}
		}
		return []historytest.Way{w}
	}
}

// extreme is a call with a small number or, at times, one at the end of the range.
func extreme(r *rand.Rand, methods []history.MethodSig, large bool) history.Label {
	m := methods[r.IntN(len(methods))]
	l := history.Label{Kind: history.Kind{Method: m.Name}}
	if m.Args > 0 {
		n := int64(r.IntN(4))
		if large && r.IntN(2) == 0 {
			n = []int64{math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 1 << 62, 3e18, -4e18, 4.5e18}[r.IntN(8)]
		}
		l.Args = []history.Value{history.Value(strconv.FormatInt(n, 10))}
	}
	return l
}

// spoiled gives another answer.
func spoiled(r *rand.Rand, methods []history.MethodSig, o *history.Operation) {
	for _, m := range methods {
		if m.Name == o.Method {
			out := m.Outcomes[r.IntN(len(m.Outcomes))]
			if o.Outcome, o.Rets = out.Outcome, nil; out.Rets > 0 {
				o.Rets = []history.Value{history.Value(strconv.Itoa(r.IntN(9)))}
			}
		}
	}
}
