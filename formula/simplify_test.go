package formula

import (
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"pgregory.net/rapid"
)

func TestSimplify(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"true & readonly(x)", "readonly(x)"},
		{"readonly(x) & (completed(x) & (readonly(x) & before(x, y)))", "readonly(x) & completed(x) & before(x, y)"},
		{"readonly(x) | false | !readonly(x)", "true"},
		{"x = y & !(y = x)", "false"},
		{"!!(!!readonly(x) | false)", "readonly(x)"},
		{"!readonly(x) -> false", "readonly(x)"},
		{"readonly(x) -> readonly(x)", "true"},
		{"readonly(x) -> !readonly(x)", "!readonly(x)"},
		{"!readonly(x) -> readonly(x)", "readonly(x)"},
		{"readonly(x) <-> !readonly(x)", "false"},
		{"readonly(x) <-> false", "!readonly(x)"},
		{"add = method(x) & 1 = ret(x)", "method(x) = add & ret(x) = 1"},
		{"y = match(x)", "match(x) = y"},
		{"match(x) = match(x)", "match(x) = match(x)"},
		{"method(x) = method(x)", "true"},
		{"1 = 2 | x != x", "false"},
		{"arg(x) < arg(x) | ret(y) < 5", "ret(y) < 5"},
		{"!!(arg(x) < arg(y) & arg(x) < arg(y))", "arg(x) < arg(y)"},
		{"!arg(x) < arg(y)", "!(arg(x) < arg(y))"},
		{"forall z:Op, w:Op. readonly(z)", "forall z:Op. readonly(z)"},
		{"exists z:Op. readonly(x)", "readonly(x)"},
		{"exists z:Op. exists w:Op. before(z, w)", "exists z:Op, w:Op. before(z, w)"},
		{"exists z:Op. z = x & before(z, y)", "before(x, y)"},
		{"exists z:Op, w:Op. w = z & before(z, w)", "exists z:Op. before(z, z)"},
		{"forall z:Op. x = z & readonly(z) -> before(z, y)", "readonly(x) -> before(x, y)"},
		{"forall z:Op. z != x | before(z, y)", "before(x, y)"},
		{"forall z:Op. z = x | before(z, y)", "forall z:Op. z = x | before(z, y)"},
	} {
		if got := String(Simplify(must(t, tc.src, "x", "y"))); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.src, got, tc.want)
		}
	}
	for _, tc := range []struct{ src, want string }{ // closed: there may be no operation
		{"forall x:Op. true", "true"},
		{"exists x:Op, y:Op. true", "exists x:Op. true"},
		{"forall x:Op. false", "forall x:Op. false"},
		{"forall x:Op. exists y:Op. true", "true"},
		{"exists x:Op. readonly(x) & exists y:Op. true", "exists x:Op. readonly(x)"},
		{"exists x:Op, y:Op. x = y", "exists x:Op. true"},
	} {
		if got := String(Simplify(must(t, tc.src))); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.src, got, tc.want)
		}
	}
}

// The one-point rule must not let an inner quantifier capture the variable.
func TestSimplifyCapture(t *testing.T) {
	f := Quantified{false, []string{"x"}, And{
		Equal{Term{Var: "x"}, Term{Var: "z"}},
		Quantified{true, []string{"z"}, Atom{"before", []string{"x", "z"}}}}}
	if got, want := String(Simplify(f)), "forall z1:Op. before(z, z1)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSimplifyTwin(t *testing.T) {
	v := queueVocabulary()
	shorter := 0
	testsize.Check(t, 20, func(t *rapid.T) {
		free := []string{"x", "y"}[:rapid.IntRange(0, 2).Draw(t, "free")]
		f := drawFormula(t, true, free...)
		g := Simplify(f)
		if again := String(Simplify(g)); again != String(g) {
			t.Fatalf("not idempotent: %s, %s", String(g), again)
		}
		if _, err := Parse(String(g), v, free...); err != nil {
			t.Fatalf("%s became %s: %v", String(f), String(g), err)
		}
		if len(String(g)) < len(String(f)) {
			shorter++
		}
		e, eg := Expand(f, v), Expand(g, v)
		for range 4 {
			s, env := drawStructure(t, min(1, len(free))), map[string]int{}
			for _, x := range free {
				env[x] = rapid.IntRange(0, s.Len()-1).Draw(t, x)
			}
			if want, got := Eval(e, s, env), Eval(eg, s, env); got != want {
				t.Fatalf("%s is %v, %s is %v", String(f), want, String(g), got)
			}
		}
	})
	if shorter < 500 && !testing.Short() {
		t.Errorf("only %d formulas became shorter; the test says little", shorter)
	}
}
