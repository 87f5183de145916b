package axioms

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func read(tb testing.TB, text string) *theory.Theory {
	tb.Helper()
	t, err := theory.Read(strings.NewReader(text), "test.theory.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// gate lets through what was announced, so many at a time.
const gate = `apiVersion: adtinfer/v1alpha1
kind: Theory
metadata:
  name: gate
spec:
  width: 1
  methods:
    - name: announce
      args: 0
      outcomes: [{outcome: "true"}, {outcome: "false"}]
    - name: pass
      args: 0
      outcomes: [{outcome: none}]
  predicates:
    - name: announces
      params: [a]
      formula: method(a) = announce & outcome(a) = true
    - name: between
      params: [a, p, b]
      formula: method(p) = pass & before(a, p) & before(p, b)
  matching:
    mode: timeless
    target: []
  axioms:
    - name: one
      reading: what is announced passes before the next is announced
      formula: forall a:Op, b:Op. announces(a) & announces(b) & before(a, b) -> (exists p:Op. between(a, p, b))
    - name: announced
      reading: what passes was announced, and has not passed
      formula: |
        forall p:Op. method(p) = pass -> exists a:Op. announces(a) & before(a, p) & !(exists q:Op. between(a, q, p))
    - name: refused
      reading: an announcement is refused while another one waits
      formula: |
        forall b:Op. method(b) = announce & outcome(b) = false
          -> exists a:Op. announces(a) & before(a, b) & !(exists q:Op. between(a, q, b))
`

// TestAutomaton compares the automaton of a theory with what the theory says of all
// short sequences in its language.
func TestAutomaton(t *testing.T) {
	plainset := historytest.Source(t, "theories/plainset.theory.yaml")
	for _, tt := range []struct {
		name, text           string
		states, long, values int
	}{
		{"plainset", plainset, 2, 4, 2},
		{"gate", gate, 2, 7, 0},
		{"semaphore", historytest.Source(t, "theories/semaphore.theory.yaml"), 3, 6, 3},
	} {
		th := read(t, tt.text)
		spec := Meaning(t.Context(), th)
		if spec == nil {
			t.Fatalf("%s: no automaton", tt.name)
		}
		part := spec
		if spec.Product != nil {
			part = &spec.Product.Part
		}
		if n := len(part.Automaton.Locations); n != tt.states {
			t.Errorf("%s: %d states\n%s", tt.name, n, part.Automaton)
		}
		if err := part.Automaton.Validate(); err != nil {
			t.Error(err)
		}
		own, m := th.Formulas().Sequences(), configurations.Searched(spec)
		var labels []history.Label
		for _, x := range th.Spec.Methods {
			for _, o := range x.Outcomes {
				for v := range 1 + tt.values {
					if l := (history.Label{Kind: history.Kind{Method: x.Name, Outcome: o.Outcome}}); x.Args == 0 || v > 0 {
						for range x.Args {
							l.Args = append(l.Args, history.Value(rune('0'+v)))
						}
						labels = append(labels, l)
					}
				}
			}
		}
		admitted := 0
		var extend func(word []history.Label)
		compare := func(word []history.Label) {
			want, inLanguage, err := own.Admits(t.Context(), word)
			if err != nil {
				t.Fatal(err)
			}
			if !inLanguage {
				return
			}
			s, got := m.Init(), true
			for i := 0; i < len(word) && got; i++ {
				s, got = m.Step(s, &word[i])
			}
			if got != want {
				t.Fatalf("%s: the automaton says %v, the theory %v of %v", tt.name, got, want, word)
			}
			if got {
				admitted++
			}
		}
		extend = func(word []history.Label) {
			compare(word)
			for _, l := range labels {
				if len(word) < tt.long {
					extend(append(word[:len(word):len(word)], l))
				}
			}
		}
		extend(nil)
		if admitted < 50 {
			t.Errorf("%s: only %d sequences are admitted", tt.name, admitted)
		}
	}
}

// TestNoAutomaton: what an automaton cannot say, or cannot say exactly, has none.
func TestNoAutomaton(t *testing.T) {
	for name, text := range map[string]string{
		"matches":       historytest.Source(t, "theories/semaphore.theory.yaml"),
		"other keys":    strings.Replace(historytest.Source(t, "theories/plainset.theory.yaml"), "effective(a) & arg(c) = arg(a) &", "effective(a) &", 1),
		"two answers":   strings.Replace(gate, "announce & outcome(b) = false", "pass & outcome(b) = false", 1),
		"admitted late": strings.Replace(gate, "before(a, p) & !(exists q:Op. between(a, q, p))", "!(exists q:Op. between(a, q, p))", 1),
	} {
		if s := Automaton(read(t, text)); s != nil {
			t.Errorf("%s: %v", name, s.Product)
		}
	}
}

// TestMeans compares what a theory says of one value with automata.
func TestMeans(t *testing.T) {
	set := read(t, historytest.Source(t, "theories/set.theory.yaml"))
	member := func(wrong history.Kind) func(state int, k history.Kind) int {
		return func(state int, k history.Kind) int {
			in := state == 1
			switch {
			case k == wrong:
				return state
			case k.Method == "insert" && k.Outcome == history.Nil && state == 0, k.Method == "remove" && k.Outcome == history.Some && in:
				return state + 1
			case k.Method == "insert" && k.Outcome == history.Nil, k.Method == "remove" && k.Outcome == history.Some:
				return -1
			case k.Outcome == history.Some && in, k.Outcome == history.Nil && !in:
				return state
			}
			return -1
		}
	}
	if !Means(set, member(history.Kind{})) {
		t.Error("a set is not what it is")
	}
	for _, m := range set.Spec.Methods {
		for _, o := range m.Outcomes {
			if Means(set, member(history.Kind{Method: m.Name, Outcome: o.Outcome})) {
				t.Errorf("nobody sees that %s => %s is allowed", m.Name, o.Outcome)
			}
		}
	}
	for i := range set.Spec.Axioms {
		less := *set
		less.Spec.Axioms = slices.Delete(slices.Clone(set.Spec.Axioms), i, i+1)
		if Means(&less, member(history.Kind{})) {
			t.Errorf("nobody sees that axiom %s is missing", set.Spec.Axioms[i].Name)
		}
	}
	if Means(read(t, historytest.Source(t, "theories/semaphore.theory.yaml")), member(history.Kind{})) {
		t.Error("a semaphore is taken for a set")
	}
}

// drawnFormula is a random formula of some variables.
func drawnFormula(r *rand.Rand, vars []string, depth int) formula.Formula {
	x := func() string { return vars[r.IntN(len(vars))] }
	n := r.IntN(9)
	if depth == 0 {
		n %= 4
	}
	if len(vars) == 0 {
		n = 7
	}
	part := func() formula.Formula { return drawnFormula(r, vars, depth-1) }
	switch n {
	case 0:
		return formula.Atom{Name: "before", Args: []string{x(), x()}}
	case 1:
		return formula.Equal{A: formula.Term{Var: x()}, B: formula.Term{Var: x()}}
	case 2:
		return formula.Equal{A: formula.Term{Fn: "method", Var: x()}, B: formula.Term{Fn: "method", Var: x()}}
	case 3:
		return formula.Equal{A: formula.Term{Fn: "method", Var: x()}, B: formula.Term{Name: "pass", Sort: formula.MethodSort}}
	case 4:
		return formula.Not{F: part()}
	case 5:
		return formula.And{part(), part()}
	case 6:
		return formula.Implies{A: part(), B: part()}
	default:
		v := []string{"x", "y", "z"}[r.IntN(3)]
		return formula.Quantified{Forall: n == 7, Vars: []string{v}, Body: drawnFormula(r, append([]string{v}, vars...), depth-1)}
	}
}

// TestResiduals compares what is left of random formulas after each operation of a
// sequence with the formulas.
func TestResiduals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	kinds := []history.Kind{{Method: "announce", Outcome: "true"}, {Method: "pass", Outcome: "none"}}
	holding, total := 0, int(testsize.Samples(20_000))
	for range total {
		f := formula.Formula(formula.Quantified{Forall: r.IntN(2) == 0, Vars: []string{"x"}, Body: drawnFormula(r, []string{"x"}, 4)})
		if r.IntN(2) == 0 {
			f = formula.And{f, formula.Quantified{Forall: r.IntN(2) == 0, Vars: []string{"y"}, Body: drawnFormula(r, []string{"y"}, 3)}}
		}
		s := &residuals{kinds: kinds}
		g := s.after(f, nil, nil)
		h := &history.History{}
		for n := range 6 {
			want, got := formula.Eval(f, formula.OfHistory(h), nil), s.empty(g)
			if s.failed || want != got {
				t.Fatalf("after %d operations %s is %v, and %s says %v (%v)", n, formula.String(f), want, formula.String(g), got, s.failed)
			}
			if want {
				holding++
			}
			k := kinds[r.IntN(len(kinds))]
			g = s.after(g, &k, nil)
			ops := append(h.Ops[:len(h.Ops):len(h.Ops)], history.Op{Kind: k, Target: history.Unmatched, Completed: true})
			h = history.Sequence(ops...)
		}
	}
	if holding < total || holding > 5*total {
		t.Errorf("of %d formulas %d times one holds", total, holding)
	}
}

func BenchmarkAutomaton(b *testing.B) {
	th := read(b, historytest.Source(b, "theories/plainset.theory.yaml"))
	for b.Loop() {
		if Automaton(th) == nil {
			b.Fatal("no automaton")
		}
	}
}
