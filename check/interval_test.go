package check_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// intervals are what axioms may say of operations that overlap: some of each
// theory that is tried.
var intervals = source{
	name:     "intervals",
	methods:  []history.MethodSig{method("swap", 1, history.Some, history.Nil), method("look", 0, history.Nil)},
	target:   []string{"method(y) = swap & arg(y) = ret(x)"},
	readOnly: "method(x) = look",
	axioms: []string{
		"forall x:Op. outcome(x) = value -> exists y:Op. x != y & match(x) = y",
		"forall x:Op, y:Op. match(x) = y -> match(y) = x",
		"forall x:Op, y:Op. match(x) = y -> !before(x, y) & !before(y, x)",
		"forall x:Op, y:Op. x != y & outcome(x) = nil -> before(x, y) | before(y, x)",
		"forall x:Op, y:Op. before(x, y) -> exists z:Op. z != x & !before(z, x) & !before(x, z)",
		"forall x:Op, y:Op. method(x) = look & method(y) = swap & before(x, y) -> arg(y) < 3",
		"forall x:Op, y:Op, z:Op. before(x, y) & before(y, z) -> method(y) = look",
		"forall x:Op. method(x) = look -> exists y:Op, z:Op. y != z & !before(y, x) & !before(x, y) & !before(z, x) & !before(x, z) & (before(y, z) | y = x)",
		"forall x:Op. outcome(x) = nil -> exists y:Op, z:Op. x != y & x != z & y != z & !before(x, y) & !before(y, x) & !before(x, z) & !before(z, x) & !before(y, z) & !before(z, y)",
		"forall x:Op, y:Op. before(x, y) -> exists z:Op, w:Op. before(z, w) & x != z & y != w & !before(x, w) & !before(z, y)",
		"exists x:Op, y:Op. before(x, y)",
		"exists x:Op. forall y:Op. x = y | before(x, y) | before(y, x)",
		"forall x:Op, y:Op. before(x, y) -> !(exists z:Op. method(z) = swap & before(x, z) & before(z, y))",
		"forall x:Op, y:Op. match(x) != y & method(x) = swap & method(y) = swap & x != y & arg(x) < arg(y) -> before(x, y)",
	},
}

// threeTogether is the axiom for which three operations must overlap.
const threeTogether = 8

// overlapped is some operations of an execution, completed, in an order.
type overlapped struct {
	cached
	before [][]bool
}

func (o overlapped) Before(i, j int) bool { return o.before[i][j] }

// stronger decides by going through all completions, and all interval orders of
// them of at most a width that contain the execution's.
func stronger(t *theory.Theory, e *history.Execution) bool {
	found := false
	n := &enumerated{t: t, e: e, visit: func(ops []int, labels []history.Label) {
		s := overlapped{sequence{t, labels}.cache(), make([][]bool, len(ops))}
		for i := range s.before {
			s.before[i] = make([]bool, len(ops))
		}
		found = found || s.extend(e, ops, 0, 1)
	}}
	n.complete(0, make([]*history.Label, len(e.Ops)), []history.Value{"1", "2", "3", "4", "5", "6"})
	return found
}

// extend decides how i and j, and the pairs after them, are ordered.
func (s overlapped) extend(e *history.Execution, ops []int, i, j int) bool {
	if i == len(ops) {
		return s.isInterval() && s.holds()
	}
	if j >= len(ops) {
		return s.extend(e, ops, i+1, i+2)
	}
	free := !e.Before(ops[i], ops[j]) && !e.Before(ops[j], ops[i])
	for _, way := range []struct{ ij, ji bool }{{false, false}, {true, false}, {false, true}} {
		if free || way.ij == e.Before(ops[i], ops[j]) && way.ji == e.Before(ops[j], ops[i]) {
			s.before[i][j], s.before[j][i] = way.ij, way.ji
			if s.extend(e, ops, i, j+1) {
				return true
			}
		}
	}
	return false
}

// isInterval says so by definition, and that the width is the theory's at most.
func (s overlapped) isInterval() bool {
	n := len(s.before)
	for a := range n {
		for b := range n {
			for c := range n {
				if s.before[a][b] && s.before[b][c] && !s.before[a][c] {
					return false
				}
				for d := range n {
					if s.before[a][b] && s.before[c][d] && !s.before[a][d] && !s.before[c][b] {
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
			return slices.ContainsFunc(members, func(j int) bool { return s.before[i][j] })
		}
		if len(members) > s.t.Spec.Width && !slices.ContainsFunc(members, ordered) {
			return false
		}
	}
	return true
}

func (s overlapped) holds() bool {
	return !slices.ContainsFunc(s.t.Spec.Axioms, func(r theory.Rule) bool { return !formula.Eval(r.Formula, s, nil) })
}

// TestIntervals compares symbolic with the definition, on theories of widths 2
// and 3 with some of the axioms.
func TestIntervals(t *testing.T) {
	n := testsize.Samples(300)
	counts, wider := map[check.Verdict]int{}, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 91))
		th := build(t, intervals)
		th.Spec.Width = 2 + r.IntN(4)/3
		together := th.Spec.Axioms[threeTogether]
		th.Spec.Axioms = slices.DeleteFunc(th.Spec.Axioms, func(theory.Rule) bool { return r.IntN(3) > 0 })
		if seed%4 == 0 { // few other axioms, lest nothing is admitted
			th.Spec.Axioms = append(slices.DeleteFunc(th.Spec.Axioms, func(theory.Rule) bool { return r.IntN(3) > 0 }), together)
		}
		e := overlappingSwaps(r, 2+r.IntN(3))
		res, err := by{Engine: "symbolic"}.Check(t.Context(), th, e)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
		}
		counts[res.Verdict]++
		want := stronger(th, e)
		wrong := (res.Verdict == check.Linearizable) != want || !want && res.Verdict != check.Violation
		if !want && !wrong { // the theories need not admit the prefixes of what they admit
			wrong = stronger(th, e.Prefix(res.Prefix))
		}
		if wrong {
			t.Fatalf("seed %d, width %d: %+v, the definition says %v\n%v\n%s", seed, th.Spec.Width, res, want, th.Spec.Axioms, historytest.Text(e))
		}
		if th.Spec.Width = 9; want != stronger(th, e) {
			wider++
		}
	}
	t.Logf("%v, the width decides %d", counts, wider)
	if min(counts[check.Violation], counts[check.Linearizable]) < int(n)/8 || !testing.Short() && wider < int(n)/100 {
		t.Errorf("too one-sided a sample: %v, the width decides %d", counts, wider)
	}
}

// overlappingSwaps makes an execution of n operations that overlap much.
func overlappingSwaps(r *rand.Rand, n int) *history.Execution {
	e := &history.Execution{}
	var open []int
	for len(e.Ops) < n || len(open) > 0 && r.IntN(5) > 0 {
		if len(e.Ops) < n && (len(open) == 0 || r.IntN(3) > 0) {
			id := strconv.Itoa(len(e.Ops) + 1)
			o := history.Operation{ID: id, Call: e.Events, Return: history.NoReturn}
			if o.Method = "look"; r.IntN(4) > 0 {
				o.Method, o.Args = "swap", []history.Value{history.Value(id)}
			}
			open = append(open, len(e.Ops))
			e.Ops = append(e.Ops, o)
		} else {
			k := r.IntN(len(open))
			o := &e.Ops[open[k]]
			if o.Return, o.Outcome = e.Events, history.Nil; o.Method == "swap" && r.IntN(4) > 0 {
				o.Outcome, o.Rets = history.Some, []history.Value{history.Value(strconv.Itoa(1 + r.IntN(n)))}
			}
			open = append(open[:k], open[k+1:]...)
		}
		e.Events++
	}
	return e
}
