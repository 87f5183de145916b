package ground_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// overlapped is some operations of an execution, with labels and an order of their
// own.
type overlapped struct {
	formula.Structure
	before [][]bool
}

func (o overlapped) Before(i, j int) bool { return o.before[i][j] }

// strengthening goes through all completions of an execution, and through all
// interval orders of them, of the theory's width at most, that contain the
// execution's.
type strengthening struct {
	theory    *theory.Theory
	sequences *theory.Sequences
	axioms    []formula.Formula
	e         *history.Execution
}

func newStrengthening(th *theory.Theory, e *history.Execution) *strengthening {
	s := &strengthening{theory: th, sequences: th.Sequences(), e: e}
	for _, a := range th.Spec.Axioms {
		s.axioms = append(s.axioms, formula.Expand(a.Formula, th.Vocabulary()))
	}
	return s
}

// admitted reports whether the axioms hold of one of them. Operations taken so far
// have their labels.
func (s *strengthening) admitted(next int, ops []int, labels []history.Label) bool {
	if next == len(s.e.Ops) {
		o := overlapped{s.sequences.Structure(labels), make([][]bool, len(ops))}
		for i := range o.before {
			o.before[i] = make([]bool, len(ops))
		}
		return s.ordered(o, ops, 0, 1)
	}
	op := &s.e.Ops[next]
	if op.Completed() {
		return s.admitted(next+1, append(slices.Clip(ops), next), append(slices.Clip(labels), op.Label))
	}
	if s.admitted(next+1, ops, labels) {
		return true
	}
	for _, m := range s.theory.Spec.Methods {
		for _, out := range m.Outcomes {
			for v := range max(1, out.Rets*len(s.e.Ops)) {
				l := op.Label
				if l.Outcome, l.Rets = out.Outcome, nil; out.Rets > 0 {
					l.Rets = []history.Value{history.Value(strconv.Itoa(v + 1))}
				}
				if m.Name == l.Method && s.admitted(next+1, append(slices.Clip(ops), next), append(slices.Clip(labels), l)) {
					return true
				}
			}
		}
	}
	return false
}

// ordered decides how i and j, and the pairs after them, are ordered.
func (s *strengthening) ordered(o overlapped, ops []int, i, j int) bool {
	if i >= len(ops) {
		return o.isInterval(s.theory.Spec.Width) && !slices.ContainsFunc(s.axioms, func(f formula.Formula) bool { return !formula.Eval(f, o, nil) })
	}
	if j >= len(ops) {
		return s.ordered(o, ops, i+1, i+2)
	}
	first, second := s.e.Before(ops[i], ops[j]), s.e.Before(ops[j], ops[i])
	for _, way := range [][2]bool{{false, false}, {true, false}, {false, true}} {
		if !first && !second || way[0] == first && way[1] == second {
			o.before[i][j], o.before[j][i] = way[0], way[1]
			if s.ordered(o, ops, i, j+1) {
				return true
			}
		}
	}
	return false
}

// isInterval says so by definition: transitive, no two pairs that are ordered
// across nothing, and no more operations that overlap two by two than the width.
func (o overlapped) isInterval(width int) bool {
	n := len(o.before)
	for a := range n {
		for b := range n {
			for c := range n {
				if o.before[a][b] && o.before[b][c] && !o.before[a][c] {
					return false
				}
				for d := range n {
					if o.before[a][b] && o.before[c][d] && !o.before[a][d] && !o.before[c][b] {
						return false
					}
				}
			}
		}
	}
	for set := range 1 << n {
		var members []int
		for i := range n {
			if set>>i&1 == 1 {
				members = append(members, i)
			}
		}
		ordered := func(i int) bool {
			return slices.ContainsFunc(members, func(j int) bool { return o.before[i][j] })
		}
		if len(members) > width && !slices.ContainsFunc(members, ordered) {
			return false
		}
	}
	return true
}

// overlapping is a random execution of n operations of a method that mostly
// overlap; one in eight does not return. Those that return values have one of n.
func overlapping(r *rand.Rand, n int, m *history.MethodSig) *history.Execution {
	e := &history.Execution{}
	var open []int
	for returned := 0; returned < n; e.Events++ {
		if len(e.Ops) < n && (len(open) == 0 || r.IntN(3) > 0) {
			open = append(open, len(e.Ops))
			o := history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Call: e.Events, Return: history.NoReturn}
			if o.Method = m.Name; m.Args > 0 {
				o.Args = []history.Value{history.Value(o.ID)}
			}
			o.Outcome = history.Pending
			e.Ops = append(e.Ops, o)
			continue
		}
		if len(open) == 0 {
			break
		}
		k := r.IntN(len(open))
		o := &e.Ops[open[k]]
		open = slices.Delete(open, k, k+1)
		if returned++; r.IntN(8) == 0 {
			e.Events-- // it never returns
			continue
		}
		out := m.Outcomes[r.IntN(len(m.Outcomes))]
		if r.IntN(2) == 0 {
			out = m.Outcomes[0]
		}
		if o.Return, o.Outcome = e.Events, out.Outcome; out.Rets > 0 {
			o.Rets = []history.Value{history.Value(strconv.Itoa(1 + r.IntN(n)))}
		}
	}
	return e
}

// wide are theories of operations that take effect while they overlap.
func wide(t *testing.T) map[string]*theory.Theory {
	t.Helper()
	barrier := historytest.Theory(t, "check/testdata/barrier.theory.yaml")
	three := *barrier
	three.Spec.Width = 3
	f, err := formula.Parse("forall x:Op. exists y:Op, z:Op. x != y & x != z & y != z & !before(x, y) & !before(y, x) & !before(x, z) & !before(z, x) & "+
		"!before(y, z) & !before(z, y)", barrier.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	three.Spec.Axioms = []theory.Rule{{Name: "three", Formula: f}}
	// Two that are in order, or three of which nobody comes first, tell widths and
	// interval orders from other orders.
	chain := *barrier
	if f, err = formula.Parse("forall x:Op. exists y:Op, z:Op. y != z & before(y, z) & (x = y | x = z | !before(x, y) & !before(y, x) & !before(x, z) & !before(z, x))",
		barrier.Vocabulary()); err != nil {
		t.Fatal(err)
	}
	chain.Spec.Axioms = []theory.Rule{{Name: "chain", Formula: f}, barrier.Spec.Axioms[0]}
	return map[string]*theory.Theory{"barrier": barrier, "three": &three, "chain": &chain,
		"exchanger": historytest.Theory(t, "theories/exchanger.theory.yaml")}
}

// TestIntervals compares with the definition on theories whose operations take
// effect while they overlap, at every prefix.
func TestIntervals(t *testing.T) {
	n := testsize.Samples(400)
	for name, th := range wide(t) {
		t.Run(name, func(t *testing.T) {
			g, linearizable, violations := compile(t, th), 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 89))
				e := overlapping(r, 2+r.IntN(3), &th.Spec.Methods[0])
				for _, end := range logs.Ends(e) {
					part := e.Prefix(end)
					want := newStrengthening(th, part).admitted(0, nil, nil)
					got, err := g.Decide(t.Context(), part)
					if err != nil || got.Excluded != "" && name != "exchanger" || got.Sat && !want || got.Violates() && want {
						historytest.Fatal(t, e, "seed %d: the first %d events are %+v, %v, by definition %v", seed, end, got, err, want)
					}
					if got.Sat {
						linearizable++
					} else if got.Violates() {
						violations++
					}
				}
			}
			t.Logf("%d linearizable, %d violations", linearizable, violations)
			if linearizable < int(n)/10 || violations < int(n)/10 {
				t.Error("too one-sided a sample")
			}
		})
	}
}

// swaps is a theory of operations that overlap, but for its axioms.
const swaps = `apiVersion: adtinfer/v1alpha1
kind: Theory
metadata:
  name: swaps
spec:
  width: %d
  methods:
    - {name: swap, args: 1, outcomes: [{outcome: value, returns: 1}, {outcome: nil}]}
    - {name: look, args: 0, outcomes: [{outcome: nil}]}
  matching:
    mode: timeless
    target:
      - method(y) = swap & arg(y) = ret(x)
    readonly: method(x) = look
  axioms:
`

// threeTogether is the axiom for which three operations must overlap.
const threeTogether = "forall x:Op. outcome(x) = nil -> exists y:Op, z:Op. x != y & x != z & y != z & !before(x, y) & !before(y, x) & !before(x, z) & !before(z, x) & !before(y, z) & !before(z, y)"

// ofOverlap are what axioms may say of operations that overlap.
var ofOverlap = []string{
	"forall x:Op. outcome(x) = value -> exists y:Op. x != y & match(x) = y",
	"forall x:Op, y:Op. match(x) = y -> match(y) = x",
	"forall x:Op, y:Op. match(x) = y -> !before(x, y) & !before(y, x)",
	"forall x:Op, y:Op. x != y & outcome(x) = nil -> before(x, y) | before(y, x)",
	"forall x:Op, y:Op. before(x, y) -> exists z:Op. z != x & !before(z, x) & !before(x, z)",
	"forall x:Op, y:Op. method(x) = look & method(y) = swap & before(x, y) -> arg(y) < 3",
	"forall x:Op, y:Op, z:Op. before(x, y) & before(y, z) -> method(y) = look",
	"forall x:Op. method(x) = look -> exists y:Op, z:Op. y != z & !before(y, x) & !before(x, y) & !before(z, x) & !before(x, z) & (before(y, z) | y = x)",
	threeTogether,
	"forall x:Op, y:Op. before(x, y) -> exists z:Op, w:Op. before(z, w) & x != z & y != w & !before(x, w) & !before(z, y)",
	"(exists x:Op. method(x) = swap) -> (exists x:Op, y:Op. before(x, y))",
	"(exists z:Op. outcome(z) = nil) -> (exists x:Op. forall y:Op. x = y | before(x, y) | before(y, x))",
	"forall x:Op, y:Op. before(x, y) -> !(exists z:Op. method(z) = swap & before(x, z) & before(z, y))",
	"forall x:Op, y:Op. match(x) != y & method(x) = swap & method(y) = swap & x != y & arg(x) < arg(y) -> before(x, y)",
}

// TestIntervalAxioms compares with the definition on theories of widths 2 and 3
// with some of the axioms.
func TestIntervalAxioms(t *testing.T) {
	n := testsize.Samples(2_000)
	linearizable, violations, wider := 0, 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 91))
		width, keep := 2+r.IntN(4)/3, 3
		if seed%4 == 0 { // few other axioms, lest nothing is admitted
			keep = 9
		}
		text := fmt.Sprintf(swaps, width)
		for i, f := range ofOverlap {
			if r.IntN(keep) == 0 || f == threeTogether && keep == 9 {
				text += fmt.Sprintf("    - {name: a%d, reading: one, formula: '%s'}\n", i, f)
			}
		}
		if !strings.Contains(text, "{name: a") {
			continue // no axiom at all
		}
		th, err := theory.Read(strings.NewReader(text), "swaps.yaml")
		if err != nil {
			t.Fatal(err)
		}
		m := &th.Spec.Methods[0]
		e := overlapping(r, 2+r.IntN(3), m)
		for i := range e.Ops {
			if o := &e.Ops[i]; r.IntN(4) == 0 {
				if o.Method, o.Args, o.Rets = "look", nil, nil; o.Completed() {
					o.Outcome = history.Nil
				}
			}
		}
		got, err := compile(t, th).Decide(t.Context(), e)
		want := newStrengthening(th, e).admitted(0, nil, nil)
		if err != nil || got.Excluded != "" || got.Sat != want {
			historytest.Fatal(t, e, "seed %d: %+v, %v, by definition %v\n%s", seed, got, err, want, text)
		}
		if want {
			linearizable++
		} else {
			violations++
		}
		if th.Spec.Width = 9; want != newStrengthening(th, e).admitted(0, nil, nil) {
			wider++
		}
	}
	t.Logf("%d linearizable, %d violations, the width decides %d", linearizable, violations, wider)
	if min(linearizable, violations) < int(n)/8 || !testing.Short() && wider < int(n)/100 {
		t.Error("too one-sided a sample")
	}
}
