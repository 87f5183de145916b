package patterns

import (
	"fmt"
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Declare is the part of a theory that a reference states itself: its methods
// with every outcome their signatures allow, and the language,
// predicates and matching scheme of its Spec, parsed. Errors name the rule and the place in
// its formula.
func Declare(impl reference.Implementation, info reference.Info) (*theory.Theory, error) {
	t := &theory.Theory{Name: info.Name}
	if t.Name == "" {
		t.Name = impl.Name()
	}
	t.Spec.Width = 1
	for _, m := range impl.Methods() {
		tm := history.MethodSig{Name: m.Name, Args: len(m.Args), Variadic: m.Variadic, Aliases: info.Aliases[m.Name]}
		for _, o := range m.Outcomes {
			tm.Outcomes = append(tm.Outcomes, o.OutcomeSig)
		}
		t.Spec.Methods = append(t.Spec.Methods, tm)
	}
	for _, name := range slices.Sorted(maps.Keys(info.Aliases)) {
		if !slices.ContainsFunc(t.Spec.Methods, func(m history.MethodSig) bool { return m.Name == name }) {
			return nil, fmt.Errorf("patterns: the spec has aliases for %q, which is no method", name)
		}
	}
	if _, err := history.Parse(t.Spec.Methods, info.MayFail); err != nil {
		return nil, fmt.Errorf("patterns: %w", err)
	}
	return t, declareFormulas(t, info)
}

func declareFormulas(t *theory.Theory, info reference.Info) error {
	for _, p := range info.Predicates {
		f, err := parse(t, "predicate "+p.Name, p.Formula, p.Params...)
		if err != nil {
			return err
		}
		t.Spec.Predicates = append(t.Spec.Predicates, formula.Predicate{Name: p.Name, Params: p.Params, Body: f})
	}
	for _, r := range info.Language {
		f, err := parse(t, "language rule "+r.Name, r.Formula)
		if err != nil {
			return err
		}
		t.Spec.Language = append(t.Spec.Language, theory.Rule{Name: r.Name, Formula: f, Reading: r.Reading})
	}
	for i, s := range info.Target {
		f, err := parse(t, fmt.Sprintf("target formula %d", i+1), s, "x", "y")
		if err != nil {
			return err
		}
		t.Spec.Matching.Target = append(t.Spec.Matching.Target, f)
	}
	if info.ReadOnly == "" {
		return nil // found by behaviour
	}
	f, err := parse(t, "read-only formula", info.ReadOnly, "x")
	t.Spec.Matching.ReadOnly = f
	return err
}

func parse(t *theory.Theory, what, src string, free ...string) (formula.Formula, error) {
	f, err := formula.Parse(src, t.Vocabulary(), free...)
	if err != nil {
		return nil, fmt.Errorf("patterns: %s: %w in %q", what, err, src)
	}
	return f, nil
}

// expanded are the language and the matching with predicates replaced by their
// bodies.
func expanded(t *theory.Theory) ([]theory.Rule, theory.Matching) {
	v := t.Vocabulary()
	var rules []theory.Rule
	for _, r := range t.Spec.Language {
		r.Formula = formula.Expand(r.Formula, v)
		rules = append(rules, r)
	}
	m := theory.Matching{Past: t.Spec.Matching.Past}
	if t.Spec.Matching.ReadOnly != nil {
		m.ReadOnly = formula.Expand(t.Spec.Matching.ReadOnly, v)
	}
	for _, f := range t.Spec.Matching.Target {
		m.Target = append(m.Target, formula.Expand(f, v))
	}
	return rules, m
}

// observed narrows methods to the outcomes that executions showed, a panic among
// them, which no signature declares.
func observed(m *matching.Model, methods []history.MethodSig) []history.MethodSig {
	var out []history.MethodSig
	for _, tm := range methods {
		var kept []history.OutcomeSig
		for _, o := range append(slices.Clip(tm.Outcomes), history.OutcomeSig{Outcome: history.Panic}) {
			if m.Alphabet.Find(history.Kind{Method: tm.Name, Outcome: o.Outcome}) >= 0 {
				kept = append(kept, o)
			}
		}
		if len(kept) > 0 {
			tm.Outcomes = kept
			out = append(out, tm)
		}
	}
	return out
}

// agreements says which values of one operation are always equal, as axioms.
func agreements(m *matching.Model) []theory.Rule {
	var rules []theory.Rule
	for _, k := range m.Alphabet.Kinds {
		var same formula.And
		for p, q := range k.Same {
			if p != q {
				same = append(same, formula.Equal{A: matching.ValueAt("x", k.Args, q), B: matching.ValueAt("x", k.Args, p)})
			}
		}
		if len(same) == 0 {
			continue
		}
		var body formula.Formula = same
		if len(same) == 1 {
			body = same[0]
		}
		rules = append(rules, theory.Rule{
			Name: k.Kind.Method + "-" + string(k.Outcome) + "-agrees",
			Formula: formula.Quantified{Forall: true, Vars: []string{"x"}, Body: formula.Implies{
				A: formula.And{
					matching.Is("method", "x", k.Kind.Method, formula.MethodSort),
					matching.Is("outcome", "x", string(k.Outcome), formula.OutcomeSort),
				},
				B: body,
			}},
			Reading: fmt.Sprintf("%s with outcome %s returns the value it was called with", k.Kind.Method, k.Outcome),
		})
	}
	return rules
}
