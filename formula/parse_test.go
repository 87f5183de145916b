package formula

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	op := func(x string) Term { return Term{Var: x} }
	before := func(x, y string) Formula { return Atom{"before", []string{x, y}} }
	readonly := func(x string) Formula { return Atom{"readonly", []string{x}} }
	method := func(x, m string) Formula {
		return Equal{Term{Fn: "method", Var: x}, Term{Name: m, Sort: MethodSort}}
	}
	for _, tc := range []struct {
		name, src string
		want      Formula
	}{
		{"constants", "true -> false", Implies{Const(true), Const(false)}},
		{"method", "method(x) = add", method("x", "add")},
		{"constant first", "add = method(x)", Equal{Term{Name: "add", Sort: MethodSort}, Term{Fn: "method", Var: "x"}}},
		{"outcome true", "outcome(x) = true", Equal{Term{Fn: "outcome", Var: "x"}, Term{Name: "true", Sort: OutcomeSort}}},
		{"not equal", "x != match(y)", Not{Equal{op("x"), Term{Fn: "match", Var: "y"}}}},
		{"! of an equation", "!x = y", Not{Equal{op("x"), op("y")}}},
		{"indices", "arg(x) = arg(y, 2)", Equal{Term{Fn: "arg", Var: "x", Index: 1}, Term{Fn: "arg", Var: "y", Index: 2}}},
		{"values", `arg(x) = "a b" & -3 = ret(y)`, And{
			Equal{Term{Fn: "arg", Var: "x", Index: 1}, Term{Name: "a b", Sort: ValueSort}},
			Equal{Term{Name: "-3", Sort: ValueSort}, Term{Fn: "ret", Var: "y", Index: 1}}}},
		{"smaller", "arg(x) < ret(y)", Less{Term{Fn: "arg", Var: "x", Index: 1}, Term{Fn: "ret", Var: "y", Index: 1}}},
		{"smaller than a number", "-3<arg(x,2) & arg(x) <-3", And{
			Less{Term{Name: "-3", Sort: ValueSort}, Term{Fn: "arg", Var: "x", Index: 2}},
			Less{Term{Fn: "arg", Var: "x", Index: 1}, Term{Name: "-3", Sort: ValueSort}}}},
		{"! of a comparison", "!arg(x) < ret(y)", Not{Less{Term{Fn: "arg", Var: "x", Index: 1}, Term{Fn: "ret", Var: "y", Index: 1}}}},
		{"precedence", "before(x, y) | readonly(x) & !readonly(y) -> x = y <-> true",
			Iff{Implies{Or{before("x", "y"), And{readonly("x"), Not{readonly("y")}}}, Equal{op("x"), op("y")}}, Const(true)}},
		{"-> to the right", "readonly(x) -> readonly(y) -> false", Implies{readonly("x"), Implies{readonly("y"), Const(false)}}},
		{"parentheses nest", "(readonly(x) & readonly(y)) & true", And{And{readonly("x"), readonly("y")}, Const(true)}},
		{"body extends to the right", "readonly(x) & exists z:Op. before(z, x) | before(z, y)",
			And{readonly("x"), Quantified{false, []string{"z"}, Or{before("z", "x"), before("z", "y")}}}},
		{"sort left out", "forall z, w. before(z, w)", Quantified{true, []string{"z", "w"}, before("z", "w")}},
		{"Unicode", "∀ z:Op. ¬readonly(z) ∧ x ≠ z ∨ true ⇒ ∃ w:Op. before(w, z) ↔ false",
			Quantified{true, []string{"z"}, Implies{
				Or{And{Not{readonly("z")}, Not{Equal{op("x"), op("z")}}}, Const(true)},
				Quantified{false, []string{"w"}, Iff{before("w", "z"), Const(false)}}}}},
		{"lines", "forall z:Op.\n  readonly(z)\n  -> before(z, x)\n",
			Quantified{true, []string{"z"}, Implies{readonly("z"), before("z", "x")}}},
		{"declared", "removes(x, y)", Atom{"removes", []string{"x", "y"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Parse(tc.src, queueVocabulary(), "x", "y")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.src, diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"", "1:1: expected a formula or a term, found end of formula"},
		{"readonly(x)\n  & method(x) = ad", `2:17: unknown method "ad"; did you mean "add"?`},
		{"outcome(x) = valu", `1:14: unknown outcome "valu"; did you mean "value"?`},
		{"method(x) = nil", `1:13: "nil" is an outcome, not a method; write outcome(x) = nil`},
		{"outcome(y) != add", `1:15: "add" is a method, not an outcome; write method(y) = add`},
		{"redonly(x)", `1:1: unknown predicate or function "redonly"; did you mean "readonly"?`},
		{"methd(x) = add", `1:1: unknown predicate or function "methd"; did you mean "method"?`},
		{"add = methd(x)", `1:7: unknown function "methd"; did you mean "method"?`},
		{"x = before(y)", `1:5: before(...) is a predicate, not a term`},
		{"before(x)", "1:1: before takes 2 arguments, not 1"},
		{"readonly()", "1:1: readonly takes 1 argument, not 0"},
		{"removes(x, y, x)", "1:1: removes takes 2 arguments, not 3"},
		{"x = method(y)", `1:1: "x" is an operation, not a method`},
		{"arg(x) = outcome(y)", `1:8: arg(x) is a value and outcome(y) is an outcome; they cannot be equal`},
		{"arg(x) = a", `1:10: values are written in quotes: "a"`},
		{"method(x) = 5", `1:13: "5" is a value, not a method`},
		{"x = 5", `1:5: "5" is a value, not an operation`},
		{"before(x, z)", `1:11: unbound variable "z"; bound here: x, y`},
		{"x = add", `1:5: unbound variable "add"; "add" is a method: write method(x) = add`},
		{"forall elem:Op. before(elm, x)", `1:24: unbound variable "elm"; did you mean "elem"?`},
		{"forall x:Op. readonly(x)", `1:8: variable "x" is bound already; use another name`},
		{"forall z:Op, z:Op. readonly(z)", `1:14: variable "z" is bound already; use another name`},
		{"forall z:Op. exists z:Op. readonly(z)", `1:21: variable "z" is bound already; use another name`},
		{"(forall z:Op. readonly(z)) & readonly(z)", `1:39: unbound variable "z"; bound here: x, y`},
		{"forall true:Op. true", `1:8: "true" cannot name a variable`},
		{"forall z:Int. true", `1:10: unknown sort "Int"; variables range over Op`},
		{"forall z:Op readonly(z)", `1:13: expected "." after the quantified variables, found "readonly"`},
		{"arg(x, 0) = ret(y)", "1:8: arg values count from 1, not 0"},
		{"arg(x, 3) = ret(y)", "1:8: no method takes 3 arguments"},
		{"ret(x, 2) = ret(y)", "1:8: no method returns 2 values"},
		{"match(x, 2) = y", `1:8: expected ")" after the argument of match, found ","`},
		{"match(match(x)) = y", "1:7: match takes variables, not terms: name the operation by a variable of its own"},
		{"method(x)", `1:10: expected "=", "!=" or "<" after the term, found end of formula`},
		{"x", `1:1: expected a formula, found "x"`},
		{"add = remove", `1:1: unbound variable "add"; "add" is a method: write method(x) = add`},
		{"used(x)", `1:1: unknown predicate or function "used"`},
		{"true & ", "1:8: expected a formula or a term, found end of formula"},
		{"true && false", `1:6: unexpected "&&"; write &`},
		{"true => false", `1:6: unexpected "=>"; write ->`},
		{"x < y", `1:3: < compares values; operations are ordered by before(x, y)`},
		{"match(x) < y", `1:10: < compares values; operations are ordered by before(x, y)`},
		{"method(x) < method(y)", `1:11: < compares values, and method(x) is a method`},
		{"arg(x) < method(y)", `1:8: < compares values, and method(y) is a method`},
		{`arg(x) < "b"`, `1:8: < compares integers, and "b" is none`},
		{`"007" < arg(x)`, `1:7: < compares integers, and "007" is none`},
		{"1 < 2", `1:3: 1 and 2 are both constants`},
		{"arg(x) < arg(y) < 3", `1:17: unexpected "<" after the formula`},
		{"arg(x) <= arg(y)", `1:8: unexpected "<="; write a < b | a = b`},
		{"arg(x) > arg(y)", `1:8: unexpected ">"; write b < a`},
		{"arg(x) ≥ arg(y)", `1:8: unexpected "≥"; write b < a | a = b`},
		{"true <-> false <-> true", "1:16: <-> does not chain; use parentheses"},
		{"readonly(x) and readonly(y)", `1:13: unexpected "and"; write &`},
		{"(true", `1:6: expected ")" to close the parenthesis, found end of formula`},
		{"true)", `1:5: unexpected ")" after the formula`},
		{`arg(x) = "a`, "1:10: the string is not closed, or has a bad escape"},
		{"arg(x) = 007", `1:10: integers have no leading zeros; quote the value if it is written so: "007"`},
		{"arg(x) = 1st", "1:10: a name cannot start with a digit; values are written in quotes"},
		{"¬ § true", "1:3: unexpected character '§'"},
		{strings.Repeat("(", 1000), "1:501: the formula nests more than 500 levels deep"},
		{strings.Repeat("!", 1000) + "true", "1:502: the formula nests more than 500 levels deep"},
	} {
		_, err := Parse(tc.src, queueVocabulary(), "x", "y")
		var at *history.ParseError
		if !errors.As(err, &at) {
			t.Errorf("%.40q: error %v, want an *Error", tc.src, err)
		} else if at.Error() != tc.want {
			t.Errorf("%.40q:\n got %s\nwant %s", tc.src, at, tc.want)
		}
	}
}

func TestParseWithoutVocabulary(t *testing.T) {
	for _, src := range []string{"method(x) = anything", "outcome(x) = odd", `method(x) = "for all"`, "arg(x, 9) = 1", "used(x)"} {
		if f, err := Parse(src, nil, "x"); err != nil {
			t.Errorf("%s: %v", src, err)
		} else if got := String(f); got != src {
			t.Errorf("%s: printed %s", src, got)
		}
	}
	for _, src := range []string{"early(x)", "redonly(x)"} {
		if _, err := Parse(src, nil, "x"); err == nil {
			t.Errorf("%s: accepted", src)
		}
	}
}

// An outcome no method has is fine if it is one of the predeclared ones.
func TestParsePredeclaredOutcome(t *testing.T) {
	if _, err := Parse("outcome(x) = error", queueVocabulary(), "x"); err != nil {
		t.Error(err)
	}
}

func TestParseAfterPrint(t *testing.T) {
	v := queueVocabulary()
	testsize.Check(t, 1, func(t *rapid.T) {
		f := drawFormula(t, true, "x", "y")
		want := Normal(f)
		for name, src := range map[string]string{
			"String":      String(f),
			"Pretty":      Pretty(f, 40),
			"Pretty thin": Pretty(f, 1),
		} {
			got, err := Parse(src, v, "x", "y")
			if err != nil {
				t.Fatalf("%s: %s: %v", name, src, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s (-want +got):\n%s", name, src, diff)
			}
		}
		if strings.ContainsRune(String(f), '\n') {
			t.Fatalf("more than one line: %q", String(f))
		}
	})
}

func TestNormalIsOwnNormal(t *testing.T) {
	testsize.Check(t, 1, func(t *rapid.T) {
		f := Normal(drawFormula(t, true, "x"))
		if diff := cmp.Diff(f, Normal(f)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y",
		"∀ x. ∃ y. ¬before(x, y) ∧ x ≠ y ⇔ true",
		"!(exists x:Op. completed(x) & (unmatched(x) | readonly(x)))",
		`forall x:Op. arg(x, 2) != "a\n" <-> ret(x) = -12`,
		"forall x:Op. outcome(x) = true | \"forall\" = method(x)",
		"forall x:Op.\n\tmatch(x) = x -> used(x)",
		"x = (", "&& \"", "\xff",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		g, err := Parse(src, nil)
		if err != nil {
			var at *history.ParseError
			lines := strings.Count(src, "\n") + 1
			if !errors.As(err, &at) || at.Pos.Line < 1 || at.Pos.Line > lines || at.Pos.Col < 1 || at.Pos.Col > len(src)+1 {
				t.Fatalf("%q: bad error %v", src, err)
			}
			return
		}
		for _, text := range []string{String(g), Pretty(g, 30)} {
			again, err := Parse(text, nil)
			if err != nil {
				t.Fatalf("%q printed as %q: %v", src, text, err)
			}
			if diff := cmp.Diff(g, again); diff != "" {
				t.Fatalf("%q printed as %q:\n%s", src, text, diff)
			}
		}
	})
}

func TestPretty(t *testing.T) {
	h := &history.History{Ops: []history.Op{
		{Kind: history.Kind{Method: "add", Outcome: history.None}, Completed: true},
		{Kind: history.Kind{Method: "remove", Outcome: history.Nil}, Target: 1, ReadOnly: true, Completed: true, Start: 1, End: 1},
	}}
	want := `
!exists x1:Op, x2:Op.
   completed(x1) & method(x1) = add & outcome(x1) = none & !readonly(x1) & match(x1) = x1
   & before(x1, x2)
   & completed(x2) & method(x2) = remove & outcome(x2) = nil & readonly(x2) & match(x2) = x2
   & (forall y:Op.
        completed(y) & match(y) = x1 -> readonly(y) | method(y) = add & outcome(y) = none)
   & (forall y:Op. completed(y) & match(y) = x2 -> readonly(y))`
	if diff := cmp.Diff(want, "\n"+Pretty(Not{Embed(h)}, 92)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
