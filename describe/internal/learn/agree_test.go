package learn_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// views are the descriptions of a theory, each as a theory of its own.
type views map[theory.Description]*theory.Sequences

func viewsOf(t *theory.Theory) views {
	all := views{}
	if len(t.Spec.Patterns)+len(t.Spec.Axioms) > 0 {
		one := *t
		one.Spec.Product, one.Spec.Automaton = nil, nil
		all[theory.ByPatterns] = one.Sequences()
	}
	bare := *t
	bare.Spec.Patterns, bare.Spec.Axioms, bare.Spec.Beyond, bare.Spec.Language, bare.Spec.Control, bare.Spec.Model = nil, nil, nil, nil, nil, nil
	if p := t.Spec.Product; p != nil {
		one := bare
		one.Spec.Automaton = nil
		all[theory.ByProduct] = one.Sequences()
	}
	if t.Spec.Automaton != nil {
		one := bare
		one.Spec.Product = nil
		all[theory.ByAutomaton] = one.Sequences()
	}
	return all
}

// contradict are two descriptions that cover a sequence, one of which admits it
// and the other does not; covered is how many cover it.
func (v views) contradict(ctx context.Context, ls []history.Label) (yes, no theory.Description, covered int, err error) {
	for d, s := range v {
		admitted, covers, err := s.Admits(ctx, ls)
		switch {
		case err != nil:
			return "", "", 0, err
		case !covers:
			continue
		case admitted:
			yes = d
		default:
			no = d
		}
		covered++
	}
	return yes, no, covered, nil
}

// lied is a sequence with another answer somewhere, mostly in the end.
func lied(r *rand.Rand, methods []reference.Method, w []teacher.Call, ls []history.Label) []history.Label {
	if len(ls) == 0 {
		return ls
	}
	ls = slices.Clone(ls[:1+r.IntN(len(ls))])
	i := len(ls) - 1
	if r.IntN(3) == 0 {
		i = r.IntN(len(ls))
	}
	m := &methods[w[i].Method]
	o := m.Outcomes[r.IntN(len(m.Outcomes))]
	ls[i].Outcome, ls[i].Rets = o.Outcome, nil
	for k := range o.Rets {
		v := history.Value(m.Results[k].Numbered(1 + r.IntN(3)))
		if j := r.IntN(len(ls)); len(ls[j].Args) > 0 && r.IntN(2) == 0 {
			v = ls[j].Args[0]
		}
		ls[i].Rets = append(ls[i].Rets, v)
	}
	return ls
}

// agree holds the descriptions of a theory against one another on n random words of
// the reference, and on each with another answer. It returns how many sequences more
// than one covers, and the first on which two contradict each other, shortened.
func agree(ctx context.Context, impl reference.Implementation, t *theory.Theory, n int) (covered int, ls []history.Label, err error) {
	v, texts := viewsOf(t), teacher.Texts{Methods: impl.Methods()}
	differ := func(ls []history.Label) (bool, error) {
		yes, no, k, err := v.contradict(ctx, ls)
		if k > 1 {
			covered++
		}
		return yes != "" && no != "", err
	}
	for from := 0; from < n; from += 200 {
		var all [][]teacher.Call
		for i := from; i < min(n, from+200); i++ {
			g := teacher.NewGenerator(impl.Methods(), 1<<37+uint64(i))
			all = append(all, texts.Of(g.Random(1+g.IntN(12))))
		}
		answers, err := teacher.New(impl).Ask(ctx, all)
		if err != nil {
			return covered, nil, err
		}
		for i, a := range answers {
			r := rand.New(rand.NewPCG(uint64(from+i), 7))
			for _, ls := range [][]history.Label{a.Labels, lied(r, impl.Methods(), all[i], a.Labels)} {
				if found, err := differ(ls); err != nil {
					return covered, nil, err
				} else if found {
					ls, err = teacher.Shorten(ls, differ)
					return covered, ls, err
				}
			}
		}
	}
	return covered, nil, nil
}

// TestContradictions puts random automata beside products that are other automata in
// disguise: the contradictions are those that the reference shows, which is one of
// them.
func TestContradictions(t *testing.T) {
	found := 0
	for seed := range testsize.Samples(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		a := learn.RandomAutomaton(r)
		b, impl := learn.Changed(r, a), learn.MachineOf(t, a)
		_, d, err := learn.Compare(t.Context(), impl, b, learn.Comparison{Words: 20, Closed: true})
		if err != nil {
			t.Fatal(err)
		}
		th := &theory.Theory{Name: "machine", Spec: theory.Spec{Width: 1, Methods: a.Methods, Automaton: a, Product: &theory.Product{Part: theory.Spec{Width: 1, Methods: b.Methods, Automaton: b}}}}
		covered, ls, err := agree(t.Context(), impl, th, 400)
		if err != nil || covered == 0 {
			t.Fatalf("seed %d: %d sequences covered, error %v", seed, covered, err)
		}
		if ls != nil {
			found++
		}
		switch yes, no, _, err := viewsOf(th).contradict(t.Context(), ls); {
		case err != nil:
			t.Fatal(err)
		case ls != nil && (d == nil || yes == "" || no == ""):
			t.Fatalf("seed %d: %v is no contradiction", seed, ls)
		case ls == nil && d != nil && len(d.Labels) < 4:
			t.Fatalf("seed %d: they differ on %s, but agree", seed, d)
		}
	}
	if found == 0 {
		t.Fatal("no contradiction was found")
	}
}

// TestDescriptionsAgree infers theories with several descriptions, which agree
// wherever more than one covers a sequence.
func TestDescriptionsAgree(t *testing.T) {
	testsize.NeedsLong(t)
	n := 5_000
	if testsize.Nightly() {
		n = 1_000_000
	}
	for _, name := range []string{"set"} {
		t.Run(name, func(t *testing.T) {
			p, err := reference.Load(t.Context(), golden.Find(t, name).Dir(t), golden.Find(t, name).Options())
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			found, err := describe.Infer(t.Context(), p.Implementation, reference.Info{Name: p.Name()}, describe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(viewsOf(found)) < 2 {
				t.Fatalf("%s has one description: %v", name, found.Status.Tried)
			}
			covered, ls, err := agree(t.Context(), p.Implementation, found, n)
			if err != nil || ls != nil || covered < n/4 {
				t.Errorf("%d sequences covered, contradiction %v, error %v", covered, ls, err)
			}
		})
	}
}
