package formula

import (
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"pgregory.net/rapid"
)

func TestGuard(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"forall x:Op, y:Op. before(x, y)", "forall x:Op, y:Op. used(x) & used(y) -> before(x, y)"},
		{"exists x:Op. readonly(x) & unmatched(x)", "exists x:Op. used(x) & readonly(x) & unmatched(x)"},
		{"forall x:Op. exists y:Op. before(x, y)", "forall x:Op. used(x) -> exists y:Op. used(y) & before(x, y)"},
	} {
		if got := String(Guard(must(t, tc.src))); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.src, got, tc.want)
		}
	}
}

// part is the structure of some operations, which are closed under match.
func part(s *testStructure, keep []int) *testStructure {
	p := &testStructure{}
	for _, i := range keep {
		p.labels, p.readonly = append(p.labels, s.labels[i]), append(p.readonly, s.readonly[i])
		p.start, p.end = append(p.start, s.start[i]), append(p.end, s.end[i])
		p.match = append(p.match, slices.Index(keep, s.match[i]))
	}
	return p
}

// Read-only stands in for used: the guarded formula must speak of that part alone.
func TestGuardTwin(t *testing.T) {
	v := queueVocabulary()
	used := &Vocabulary{Predicates: []Predicate{{Name: "used", Params: []string{"x"}, Body: Atom{"readonly", []string{"x"}}}}}
	for range 10 {
		rapid.Check(t, func(t *rapid.T) {
			f := Expand(drawFormula(t, true), v)
			s := drawStructure(t, 0)
			var keep []int
			for i := range s.Len() {
				if s.readonly[i] {
					keep = append(keep, i)
				}
			}
			for i, m := range s.match {
				if !slices.Contains(keep, m) {
					s.match[i] = history.Unmatched
				}
			}
			g := Guard(f)
			if want, got := Eval(f, part(s, keep), nil), Eval(Expand(g, used), s, nil); got != want {
				t.Fatalf("%s is %v of the part, %s is %v of the whole", String(f), want, String(g), got)
			}
			if Eval(g, s, nil) != Eval(f, s, nil) {
				t.Fatalf("%s: Eval does not take all operations as used", String(g))
			}
		})
	}
}
