package formula

import (
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"pgregory.net/rapid"
)

func TestExpand(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"removes(x, y)", "method(x) = remove & ret(x) = arg(y)"},
		{"removes(x, x)", "method(x) = remove & ret(x) = arg(x)"},
		{"early(x)", "forall y:Op. before(y, x) -> exists r:Op. method(r) = remove & ret(r) = arg(y)"},
		{"exists r:Op. !early(r)", "exists r:Op. !forall y:Op. before(y, r) -> exists r1:Op. method(r1) = remove & ret(r1) = arg(y)"},
	} {
		if got := String(must(t, tc.src, "x", "y")); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.src, got, tc.want)
		}
	}
	f := Atom{"early", []string{"x"}}
	if got := String(Expand(f, nil)); got != "early(x)" {
		t.Errorf("without a vocabulary: %s", got)
	}
}

// evalDeclared is Eval with predicates evaluated where they stand.
func evalDeclared(f Formula, v *Vocabulary, s Structure, env map[string]int) bool {
	return Eval(rebuildScoped(f, v, s, env), s, env)
}

// rebuildScoped replaces every part that is closed under env by its truth
// value, quantifiers by the conjunction or disjunction of their instances.
func rebuildScoped(f Formula, v *Vocabulary, s Structure, env map[string]int) Formula {
	switch f := f.(type) {
	case Atom:
		for _, p := range v.Predicates {
			if p.Name == f.Name {
				inner := map[string]int{}
				for i, x := range p.Params {
					inner[x] = env[f.Args[i]]
				}
				return Const(evalDeclared(p.Body, v, s, inner))
			}
		}
		return Const(Eval(f, s, env))
	case Equal:
		return Const(Eval(f, s, env))
	case Quantified:
		return Const(instances(f, f.Vars, v, s, env))
	}
	return mapParts(f, func(g Formula) Formula { return rebuildScoped(g, v, s, env) })
}

func instances(q Quantified, vars []string, v *Vocabulary, s Structure, env map[string]int) bool {
	if len(vars) == 0 {
		return evalDeclared(q.Body, v, s, env)
	}
	result := q.Forall
	for i := range s.Len() {
		inner := map[string]int{vars[0]: i}
		for x, j := range env {
			if x != vars[0] {
				inner[x] = j
			}
		}
		if instances(q, vars[1:], v, s, inner) != q.Forall {
			result = !q.Forall
		}
	}
	return result
}

// The bodies bind names that the drawn formulas bind, too.
func TestExpandTwin(t *testing.T) {
	v := queueVocabulary()
	v.Predicates[0].Body = Quantified{false, []string{"v1"}, And{
		Atom{"before", []string{"v1", "r"}}, Equal{Term{Fn: "match", Var: "v1"}, Term{Var: "a"}}}}
	v.Predicates[0].Params = []string{"a", "r"} // the other way round
	v.Predicates[1].Body = Quantified{true, []string{"v0", "v2"}, Or{
		Atom{"removes", []string{"x", "v0"}}, Atom{"before", []string{"v2", "v0"}}}}
	testsize.Check(t, 10, func(t *rapid.T) {
		f := drawFormula(t, false, "x", "v0")
		g := Expand(f, v)
		if _, err := Parse(String(g), &Vocabulary{Methods: v.Methods}, freeVars(f)...); err != nil {
			t.Fatalf("%s: %v", String(g), err)
		}
		s := drawStructure(t, 1)
		env := map[string]int{"x": rapid.IntRange(0, s.Len()-1).Draw(t, "x"), "v0": rapid.IntRange(0, s.Len()-1).Draw(t, "v0")}
		if want, got := evalDeclared(f, v, s, env), Eval(g, s, env); got != want {
			t.Fatalf("%s is %v, expanded %s is %v", String(f), want, String(g), got)
		}
	})
}
