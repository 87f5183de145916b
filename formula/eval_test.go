package formula

import (
	"maps"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// must parses a formula over queueVocabulary, and expands it.
func must(t testing.TB, src string, free ...string) Formula {
	t.Helper()
	v := queueVocabulary()
	f, err := Parse(src, v, free...)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return Expand(f, v)
}

// sample: 0 add(1), 1 remove => 1 (matching 0), 2 remove => nil (RO, matching
// itself), 3 add(2) pending; 0 before 1, and 0 and 1 before 2.
func sample() *testStructure {
	add := history.Kind{Method: "add", Outcome: history.None}
	remove := history.Kind{Method: "remove", Outcome: history.Some}
	return &testStructure{
		labels: []history.Label{
			{Kind: add, Args: []history.Value{"1"}},
			{Kind: remove, Rets: []history.Value{"1"}},
			{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
			{Kind: history.Kind{Method: "add"}, Args: []history.Value{"2"}},
		},
		start:    []int{0, 1, 2, 0},
		end:      []int{0, 1, 2, history.Never},
		match:    []int{0, 0, 2, history.Unmatched},
		readonly: []bool{false, false, true, false},
	}
}

func TestEval(t *testing.T) {
	for src, want := range map[string]bool{
		"forall x:Op, y:Op. before(x, y) -> !before(y, x)":                       true,
		"exists x:Op. unmatched(x)":                                              false,
		"exists x:Op. !completed(x) & method(x) = add":                           true,
		"forall x:Op. completed(x) -> match(x) = match(x)":                       true,
		"forall x:Op. match(x) = match(x)":                                       false,
		"forall x:Op. outcome(x) = outcome(x)":                                   false,
		"forall x:Op. x = x & method(x) = method(x)":                             true,
		"forall x:Op. method(x) = remove -> arg(x) != arg(x) & arg(x) != ret(x)": true,
		"exists x:Op. arg(x, 2) = arg(x, 2)":                                     false,
		"exists x:Op, y:Op. removes(x, y) & match(x) = y":                        true,
		"forall x:Op. readonly(x) <-> outcome(x) = nil":                          true,
		"exists x:Op. early(x) & method(x) = remove & outcome(x) = value":        true,
		"forall x:Op. early(x)":                                                  false,
		`exists x:Op. arg(x) = "2" & arg(x) = 2`:                                 true,
		"1 = 1 & 1 != \"a\"":                                                     true,
	} {
		f := must(t, src)
		if got := Eval(f, sample(), nil); got != want {
			t.Errorf("Eval(%s) = %v, want %v", src, got, want)
		}
		if got := Compile(f)(sample(), nil); got != want {
			t.Errorf("Compile(%s) = %v, want %v", src, got, want)
		}
	}
}

func TestCompileTwin(t *testing.T) {
	v := queueVocabulary()
	testsize.Check(t, 10, func(t *rapid.T) {
		f := Expand(drawFormula(t, true, "x", "y"), v)
		compiled := Compile(f, "y", "x")
		for range 3 {
			s := drawStructure(t, 1)
			x, y := rapid.IntRange(0, s.Len()-1).Draw(t, "x"), rapid.IntRange(0, s.Len()-1).Draw(t, "y")
			want := Eval(f, s, map[string]int{"x": x, "y": y})
			if got := compiled(s, []int{y, x}); got != want {
				t.Fatalf("%s: compiled %v, Eval %v", String(f), got, want)
			}
		}
	})
}

// firstCounterexample is Counterexample by nested loops.
func firstCounterexample(f Formula, vars []string, s Structure, env map[string]int) ([]int, bool) {
	if len(vars) == len(env) {
		var ops []int
		for _, x := range vars {
			ops = append(ops, env[x])
		}
		return ops, !Eval(f, s, env)
	}
	for i := range s.Len() {
		inner := maps.Clone(env)
		inner[vars[len(env)]] = i
		if ops, ok := firstCounterexample(f, vars, s, inner); ok {
			return ops, true
		}
	}
	return nil, false
}

func TestCounterexampleTwin(t *testing.T) {
	v, vars := queueVocabulary(), []string{"x", "y", "z"}
	found := 0
	testsize.Check(t, 10, func(t *rapid.T) {
		n := rapid.IntRange(0, 3).Draw(t, "n")
		body := drawFormula(t, true, vars[:n]...)
		if n > 0 && rapid.Bool().Draw(t, "rule") { // as languages have them
			g := &formulaGen{t: t}
			x, y := g.oneOf(vars[:n]...), g.oneOf(vars[:n]...)
			body = Implies{And{g.literal([]string{x}), g.equation(x, y), g.equation(y, x)}, body}
		}
		f := body
		if n > 1 {
			f = Quantified{true, vars[1:n], f}
		}
		if n > 0 {
			f = Quantified{true, vars[:1], f}
		}
		f = Expand(f, v)
		s := drawStructure(t, 0)
		ops, names, ok := Counterexample(f, s)
		if ok == Eval(f, s, nil) {
			t.Fatalf("%s: counterexample %v, Eval %v", String(f), ok, !ok)
		}
		if !ok {
			return
		}
		found++
		want, _ := firstCounterexample(stripped(f, len(names)), names, s, map[string]int{})
		if diff := cmp.Diff(want, append([]int(nil), ops...)); diff != "" {
			t.Fatalf("%s: %v (-want +got):\n%s", String(f), names, diff)
		}
	})
	if found < 100 && !testing.Short() {
		t.Errorf("only %d counterexamples; the test says little", found)
	}
}

// stripped takes n leading universally quantified variables off.
func stripped(f Formula, n int) Formula {
	for n > 0 {
		q := f.(Quantified)
		n, f = n-len(q.Vars), q.Body
	}
	return f
}

func TestCounterexampleFirst(t *testing.T) {
	s := sample()
	ops, vars, found := Counterexample(must(t, "forall x:Op. forall y:Op. match(x) = match(y) -> x = y"), s)
	if !found || !slices.Equal(ops, []int{0, 1}) || !slices.Equal(vars, []string{"x", "y"}) {
		t.Errorf("got %v %v %v", ops, vars, found)
	}
	if ops, _, found := Counterexample(must(t, "exists x:Op. unmatched(x)"), s); !found || len(ops) != 0 {
		t.Errorf("not a rule: got %v %v", ops, found)
	}
	if _, _, found := Counterexample(must(t, "forall x:Op. !unmatched(x)"), s); found {
		t.Error("found a counterexample of a formula that holds")
	}
}

func TestCompileAllocatesNothing(t *testing.T) {
	f := Compile(must(t, "method(y) = add & arg(y) = ret(x) | y = x & (method(x) = add | outcome(x) = nil)", "x", "y"), "x", "y")
	var s Structure = sample()
	ops := []int{1, 0}
	if n := testing.AllocsPerRun(100, func() { f(s, ops) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}
