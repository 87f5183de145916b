package monitor

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/theory"
)

// byKey is a theory with axioms as one with the patterns of a type whose values do not
// depend on each other, if it means the same: what it says of one value decides, and
// that is compared with what happens to one, exactly. Which operations add, remove, see
// and miss a value is what they do right after it was added.
func byKey(t *theory.Theory, s *axioms.Semantics) (*theory.Theory, bool) {
	of := shapes()
	l := of[slices.IndexFunc(of, func(x shape) bool { return x.named })]
	cast, readOnly := map[history.Kind]byte{}, map[history.Kind]bool{}
	var labels []history.Label
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		for _, o := range m.Outcomes {
			if m.Args != 1 || o.Rets > 1 {
				return nil, false
			}
			k := kindReader{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, args: 1, rets: o.Rets}
			labels = append(labels, k.label("1", "1"))
		}
	}
	alone := func(x history.Label) formula.Structure { return s.Structure([]history.Label{x}) }
	add := slices.IndexFunc(labels, func(x history.Label) bool { return alone(x).Match(0) == 0 && !alone(x).ReadOnly(0) })
	if add < 0 {
		return nil, false
	}
	for i, x := range labels {
		readOnly[x.Kind] = alone(x).ReadOnly(0)
		seen, ok := s.Verdict([]history.Label{labels[add], x})
		switch {
		case i == add:
			cast[x.Kind] = adds.letter
		case !ok || !readOnly[x.Kind] && l.taken(cast, removes.letter):
			return nil, false
		case !readOnly[x.Kind]:
			cast[x.Kind] = removes.letter
		case seen:
			cast[x.Kind] = sees.letter
		default:
			cast[x.Kind] = misses.letter
		}
	}
	if !l.complete(cast) {
		return nil, false
	}
	drawn := *t
	drawn.Spec.Axioms, drawn.Spec.Patterns = nil, nil
	for _, a := range t.Spec.Axioms {
		if q, ok := a.Formula.(formula.Quantified); ok && len(q.Vars) == 1 && semantics.LabelsOnly(formula.Expand(a.Formula, t.Vocabulary())) {
			drawn.Spec.Axioms = append(drawn.Spec.Axioms, a)
		}
	}
	for _, in := range l.instances(cast) {
		var word []history.Label
		for _, op := range in.history.Ops {
			word = append(word, labels[slices.IndexFunc(labels, func(x history.Label) bool { return x.Kind == op.Kind })])
		}
		drawn.Spec.Patterns = append(drawn.Spec.Patterns, theory.Pattern{Name: excluding(s, t, word), History: *in.history})
	}
	return &drawn, axioms.Means(t, func(state int, k history.Kind) int { return once(state, cast[k]) })
}

// once is what happens to one value of a set that is added once at most: it is not in,
// in, and not in any more.
func once(state int, letter byte) int {
	switch {
	case letter == adds.letter && state == 0, letter == removes.letter && state == 1:
		return state + 1
	case (letter == sees.letter) == (state == 1) && (letter == sees.letter || letter == misses.letter):
		return state
	}
	return -1
}

// excluding names an axiom that excludes a sequence.
func excluding(s *axioms.Semantics, t *theory.Theory, word []history.Label) string {
	for _, a := range t.Spec.Axioms {
		only := *t
		only.Spec.Axioms = []theory.Rule{a}
		if admitted, ok := s.Of(&only).Verdict(word); ok && !admitted {
			return a.Name
		}
	}
	return ""
}
