package learn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestTheoriesOfTypes infers theories of golden types and holds each description
// against the reference: on random words of up to 30 calls, 100,000 of them with
// ADTINFER_NIGHTLY set, on words with powers and on words in phases, and on each with
// another answer.
func TestTheoriesOfTypes(t *testing.T) {
	testsize.NeedsLong(t)
	n := 1_000
	if testsize.Nightly() {
		n = 100_000
	}
	for _, typ := range golden.Types() {
		if typ.Out == "refused" || typ.Out == string(theory.ByModel) || len(typ.MayFail()) > 0 ||
			!testsize.Nightly() && !slices.Contains([]string{"fifo", "counter", "kvcas"}, typ.Name) {
			continue
		}
		t.Run(typ.Name, func(t *testing.T) {
			impl := load(t, typ)
			if impl == nil {
				return
			}
			th, err := describe.Infer(t.Context(), impl, reference.Info{Name: impl.Name()}, describe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			h := held{t: t, impl: impl, th: th, views: viewsOf(th)}
			h.compare(n, 200, func(g *teacher.Generator, _ int) teacher.Word { return g.Random(1 + g.IntN(30)) })
			h.compare(n/100, 50, func(g *teacher.Generator, _ int) teacher.Word { return g.Phases(200) })
			h.compare(n/100, 50, func(g *teacher.Generator, i int) teacher.Word {
				return g.Powers(i%len(impl.Methods()), 1+g.IntN(100), i/len(impl.Methods())%2 == 1)
			})
			t.Logf("%d sequences covered, %d of them with a wrong answer", h.right+h.wrong, h.wrong)
			if h.right == 0 || h.wrong == 0 && !open(&th.Spec) {
				t.Error("one-sided")
			}
		})
	}
}

// held is a theory that is held against its reference.
type held struct {
	t     *testing.T
	impl  reference.Implementation
	th    *theory.Theory
	views views

	right, wrong int // sequences covered
}

// compare makes n words, some at a time.
func (h *held) compare(n, atOnce int, word func(g *teacher.Generator, i int) teacher.Word) {
	texts := teacher.Texts{Methods: h.impl.Methods()}
	for from := 0; from < n; from += atOnce {
		var all [][]teacher.Call
		for i := from; i < min(n, from+atOnce); i++ {
			all = append(all, texts.Of(word(teacher.NewGenerator(h.impl.Methods(), 1<<38+uint64(i)), i)))
		}
		answers, err := teacher.New(h.impl).Ask(h.t.Context(), all)
		if err != nil {
			h.t.Fatal(err)
		}
		for i, a := range answers {
			h.says(a.Labels, true)
			r := rand.New(rand.NewPCG(uint64(from+i), 8))
			if ls := lied(r, h.impl.Methods(), all[i], a.Labels); h.known(ls) {
				h.says(ls, same(ls, a.Labels[:len(ls)]))
			}
		}
	}
}

// known reports whether the theory has all outcomes of some labels: logs with others are refused.
func (h *held) known(ls []history.Label) bool {
	return !slices.ContainsFunc(ls, func(l history.Label) bool {
		return !slices.ContainsFunc(h.th.Spec.Methods, func(m history.MethodSig) bool {
			return m.Name == l.Method && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == l.Outcome })
		})
	})
}

// same reports whether calls answer alike.
func same(a, b []history.Label) bool {
	return slices.EqualFunc(a, b, func(a, b history.Label) bool {
		return a.Outcome == b.Outcome && slices.Equal(a.Rets, b.Rets)
	})
}

// open reports whether a theory leaves answers open, and admits more than the reference
// gives: a control automaton that is not complete, or one that answers a new value.
func open(s *theory.Spec) bool {
	if s.Control != nil || s.Product != nil && open(&s.Product.Part) {
		return true
	}
	isNew := func(r automata.Term) bool { return r.Kind == automata.Fresh }
	return s.Automaton != nil && slices.ContainsFunc(s.Automaton.Locations, func(l automata.Location) bool {
		return slices.ContainsFunc(l.Transitions, func(tr automata.Transition) bool { return slices.ContainsFunc(tr.Rets, isNew) })
	})
}

// says holds what covers a sequence against whether the reference answers so.
func (h *held) says(ls []history.Label, right bool) {
	h.t.Helper()
	for d, s := range h.views {
		admitted, covers, err := s.Admits(h.t.Context(), ls)
		if err != nil {
			h.t.Fatal(err)
		}
		if !covers || !right && open(&h.th.Spec) {
			continue
		}
		if right {
			h.right++
		} else {
			h.wrong++
		}
		if admitted != right {
			h.t.Fatalf("%s: admitted %t, and the reference answers so: %t\n%v", d, admitted, right, ls)
		}
	}
}
