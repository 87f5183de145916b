package theory_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// defined is a sequence as the definitions read it: formulas are evaluated, with
// the matching found by trying all pairs.
type defined struct {
	labels   []history.Label
	match    []int
	readOnly []bool
}

func (q *defined) Len() int                   { return len(q.labels) }
func (q *defined) Label(i int) *history.Label { return &q.labels[i] }
func (q *defined) Before(i, j int) bool       { return i < j }
func (q *defined) Match(i int) int            { return q.match[i] }
func (q *defined) ReadOnly(i int) bool        { return q.readOnly[i] }
func (q *defined) Completed(int) bool         { return true }

// says is what a theory says of a sequence, word by word.
func says(t *theory.Theory, labels []history.Label) (admitted, inLanguage, ambiguous bool) {
	v := t.Vocabulary()
	q := &defined{labels, make([]int, len(labels)), make([]bool, len(labels))}
	holds := func(f formula.Formula, env map[string]int) bool { return formula.Eval(formula.Expand(f, v), q, env) }
	for x := range labels {
		q.match[x] = history.Unmatched
		q.readOnly[x] = holds(t.Spec.Matching.ReadOnly, map[string]int{"x": x})
		for _, f := range t.Spec.Matching.Target {
			var ys []int
			for y := range labels {
				if (!t.Spec.Matching.Past || y <= x) && holds(f, map[string]int{"x": x, "y": y}) {
					ys = append(ys, y)
				}
			}
			if ambiguous = ambiguous || len(ys) > 1; len(ys) > 0 {
				q.match[x] = ys[0]
				break
			}
		}
	}
	admitted, inLanguage = true, true
	for _, r := range t.Spec.Language {
		inLanguage = inLanguage && holds(r.Formula, nil)
	}
	for _, r := range t.Spec.Axioms {
		admitted = admitted && holds(r.Formula, nil)
	}
	for i := range t.Spec.Patterns {
		admitted = admitted && !holds(t.Spec.Patterns[i].Formula, nil)
	}
	return admitted, inLanguage, ambiguous
}

// files are the theories of the module, written and inferred, that have formulas: what
// they say beside these is left out.
func files(t *testing.T) (all []*theory.Theory) {
	for _, pattern := range []string{"../theories/*.theory.yaml", "../examples/*/*.theory.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no theories %s: %v", pattern, err)
		}
		for _, name := range names {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			th, err := theory.Read(f, name)
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			if th.Spec.Headline() != theory.ByPatterns {
				continue
			}
			th.Spec.Product, th.Spec.Automaton, th.Spec.Model, th.Spec.Control = nil, nil, nil, nil
			all = append(all, th)
		}
	}
	return all
}

func randomLabels(t *theory.Theory, rng *rand.Rand, n, values int) []history.Label {
	some := func(n int) (vs []history.Value) {
		for range n {
			vs = append(vs, history.Value(strconv.Itoa(1+rng.IntN(values))))
		}
		return vs
	}
	labels := make([]history.Label, n)
	for i := range labels {
		m := t.Spec.Methods[rng.IntN(len(t.Spec.Methods))]
		o := m.Outcomes[rng.IntN(len(m.Outcomes))]
		labels[i] = history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Args: some(m.Args), Rets: some(o.Rets)}
	}
	return labels
}

// TestSequences compares Admits with the definitions, for all theories and, so
// that operations have two targets, without their languages.
func TestSequences(t *testing.T) {
	verdicts := map[string]int{}
	for _, th := range files(t) {
		free, past := *th, *th
		free.Spec.Language = nil
		past.Spec.Matching.Past = true
		for _, th := range []*theory.Theory{th, &free, &past} {
			s, rng := th.Sequences(), rand.New(rand.NewPCG(7, 7))
			for range testsize.Samples(500) {
				labels := randomLabels(th, rng, rng.IntN(6), 3)
				admitted, inside, ambiguous := says(th, labels)
				got, gotInside, err := s.Admits(t.Context(), labels)
				if got != (admitted && inside && !ambiguous) || gotInside != inside || (err != nil) != (ambiguous && inside) {
					t.Fatalf("%s: %v: got %v %v %v, want %v %v, ambiguous %v", th.Name, labels, got, gotInside, err, admitted, inside, ambiguous)
				}
				verdicts[fmt.Sprint(admitted, inside, ambiguous)]++
			}
		}
	}
	if len(verdicts) < 7 { // ambiguous, outside and admitted at once is rare
		t.Errorf("verdicts %v", verdicts)
	}
}

func read(t *testing.T, spec string) *theory.Theory {
	t.Helper()
	th, err := theory.Read(strings.NewReader("apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: t}\nspec:\n"+spec), "t.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// What a formula names is tried, and what it compares is ordered.
func TestSequencesValues(t *testing.T) {
	th := read(t, `
  methods: [{name: m, args: 2, outcomes: [{outcome: none}]}]
  predicates: [{name: p, params: [x], formula: 'arg(x) = 7 | arg(x) = "a"'}]
  axioms: [{name: a, formula: 'forall x:Op. p(x) -> arg(x, 2) != 7'}]`)
	if s := th.Sequences(); s.Ordered || !slices.Equal(s.Named, []history.Value{"7", "a"}) {
		t.Errorf("named %v, ordered %v", s.Named, s.Ordered)
	}
	th = read(t, `
  methods: [{name: m, args: 2, outcomes: [{outcome: none}]}]
  axioms: [{name: a, formula: 'forall x:Op. arg(x) < arg(x, 2)'}]`)
	if s := th.Sequences(); !s.Ordered || len(s.Named) > 0 {
		t.Errorf("named %v, ordered %v", s.Named, s.Ordered)
	}
}

// The end of the context ends an evaluation, however many variables a formula has.
func TestSequencesEnds(t *testing.T) {
	vars := make([]string, 40)
	for i := range vars {
		vars[i] = fmt.Sprintf("x%d:Op", i)
	}
	th := read(t, `
  methods: [{name: m, outcomes: [{outcome: none}]}]
  axioms: [{name: a, formula: 'forall `+strings.Join(vars, ", ")+`. completed(x0) & completed(x39)'}]`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := history.Label{Kind: history.Kind{Method: "m", Outcome: history.None}}
	if admitted, inside, err := th.Sequences().Admits(ctx, []history.Label{m, m}); admitted || inside || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v, %v", admitted, inside, err)
	}
}
