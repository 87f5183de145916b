package formula

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// Formulas that are small on paper and huge in memory, or huge on paper. Each is
// refused where it starts, and quickly.
func TestParseBounds(t *testing.T) {
	const parts = "the formula has more than 10000 parts, its predicates written out; split it, or use smaller predicates"
	const depth = "the formula nests more than 500 levels deep, its predicates written out; split it, or use smaller predicates"
	chain := func(op string, n int) string {
		return "forall x:Op. " + strings.TrimSuffix(strings.Repeat("completed(x)"+op, n), op)
	}
	variables := func(n int) string {
		var xs []string
		for i := range n {
			xs = append(xs, fmt.Sprintf("x%d:Op", i))
		}
		return strings.Join(xs, ", ")
	}
	for _, tt := range []struct{ name, src, want string }{
		{"implications", chain(" -> ", 40_000), "1:639998: " + parts},
		{"implications, on the second line", "\n " + chain(" -> ", 4_000), "2:2: " + depth},
		{"conjuncts", chain(" & ", 20_000), "1:1: " + parts},
		{"disjuncts", chain(" | ", 1_000_000), "1:599999: " + parts},
		{"levels of negations", "forall x:Op. " + strings.Repeat(strings.Repeat("!", 400)+"(", 400) + "true" + strings.Repeat(")", 400), "1:1: " + depth},
		{"equivalences", "forall x:Op. " + strings.Repeat("(completed(x) <-> ", 20) + "true" + strings.Repeat(")", 20), "1:1: " + parts},
		{"variables", "forall " + variables(65) + ". true", "1:1: the formula has more than 64 variables, its predicates written out; split it, or use smaller predicates"},
		{"variables of quantifiers side by side", "(forall " + variables(40) + ". true) & (forall " + variables(40) + ". true)", "1:1: the formula has more than 64 variables, its predicates written out; split it, or use smaller predicates"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse(tt.src, nil); err == nil || err.Error() != tt.want {
				t.Errorf("error is %v\nwant %s", err, tt.want)
			}
		})
	}
	for _, src := range []string{chain(" -> ", 450), chain(" & ", 9_000), "forall " + variables(64) + ". true"} {
		if _, err := Parse(src, nil); err != nil {
			t.Errorf("%.60q...: %v", src, err)
		}
	}
}

// Predicates that use one another: what they stand for grows with each.
func TestParseBoundsPredicates(t *testing.T) {
	for _, tt := range []struct{ name, body, bound string }{
		{"doubled", "p(x) & p(x)", "parts"},
		{"nested", "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!p(x)", "levels deep"},
		{"quantified", "exists y:Op, z:Op. p(y)", "variables"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := &Vocabulary{}
			for i := range 40 {
				body := strings.ReplaceAll(tt.body, "p(", fmt.Sprintf("p%d(", i-1))
				if i == 0 {
					body = "completed(x)"
				}
				f, err := Parse(body, v, "x")
				if err != nil {
					if !strings.Contains(err.Error(), tt.bound) {
						t.Fatalf("p%d: %v; want the bound on %s", i, err, tt.bound)
					}
					return
				}
				v.Predicates = append(v.Predicates, Predicate{Name: fmt.Sprintf("p%d", i), Params: []string{"x"}, Body: f})
			}
			t.Fatal("all 40 accepted")
		})
	}
}

// The bounds are not in the way: embedding formulas of drawings much larger than
// those that inference finds are within them.
func TestParseBoundsEmbedded(t *testing.T) {
	h := &history.History{}
	for i := range 16 {
		h.Ops = append(h.Ops, history.Op{Kind: history.Kind{Method: "m", Outcome: history.None}, Target: i, Completed: true, Start: i, End: i})
	}
	f := Not{Embed(h)}
	if _, err := Parse(String(f), nil); err != nil {
		t.Error(err)
	}
}

// What an extent is compared with: the formula expanded, and measured again.
func TestParseBoundsTwin(t *testing.T) {
	v := &Vocabulary{}
	for i, body := range []string{"completed(x)", "p0(x) & !p0(x)", "exists y:Op. p1(y) <-> p1(x)", "p2(x) | p0(x) | p1(x)", "p3(x) -> p3(x) -> p2(x)"} {
		f, err := Parse(body, v, "x")
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("p%d", i)
		v.Predicates = append(v.Predicates, Predicate{Name: name, Params: []string{"x"}, Body: f})
		atom := Atom{Name: name, Args: []string{"x"}}
		m := &extents{preds: v.Predicates, known: map[int]extent{}}
		if got, want := m.of(atom, i+1), m.of(Expand(atom, v), 0); got != want {
			t.Errorf("%s: the extent is %+v, and %+v written out", name, got, want)
		}
	}
}
