package judge

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/theory"
)

// verdict is what a theory says of a sequence of labels.
type verdict int

const (
	admitted  verdict = iota
	violation         // some pattern or axiom excludes it
	unknown           // a label has an outcome that the theory does not know
	outside           // it is not in the language
	undecided         // it is not known
)

// oracle asks a theory about sequences of labels. Where the theory is made of
// clauses, propagation decides: in a sequence every order is known.
type oracle struct {
	whole  whole // decides all sequences; nil: the rest does
	engine *check.Checker
	spec   *theory.Spec
	rules  *clauses.Rules // of the language at least; nil if it is more than uniqueness of values
	last   *propagated    // if propagation decides: what it came to on the last sequence
	most   int            // labels that a sequence may have; longer ones cost too much
}

// mostSlow is how long sequences may be that the grounded formulas decide.
const mostSlow = 400

func newOracle(t *theory.Theory) (*oracle, error) {
	if w, err := wholeOf(t); w != nil || err != nil {
		return &oracle{whole: w, most: teacher.Longest}, err
	}
	bare := *t
	bare.Spec.Model = nil
	return ofPatterns(&bare)
}

// ofPatterns asks the patterns of a theory, and its other formulas.
func ofPatterns(t *theory.Theory) (*oracle, error) {
	rules, err := clauses.Compile(t)
	var beyond *clauses.Unsupported
	switch {
	case err == nil:
		engine, err := check.New(t, check.Options{Engine: "saturate", Whole: true})
		return &oracle{engine: engine, spec: &t.Spec, rules: rules, last: &propagated{rules: rules}, most: teacher.Longest}, err
	case !errors.As(err, &beyond):
		return nil, err
	}
	engine, err := check.New(t, check.Options{Engine: "symbolic", Whole: true})
	if err != nil {
		return nil, err
	}
	bare := *t
	bare.Spec.Patterns, bare.Spec.Axioms, bare.Spec.Beyond, bare.Spec.Matching = nil, nil, nil, theory.Matching{}
	rules, err = clauses.OfPatterns(&bare)
	if err != nil && !errors.As(err, &beyond) {
		return nil, err
	}
	return &oracle{engine: engine, spec: &t.Spec, rules: rules, most: mostSlow}, nil
}

// says is what the theory says of a sequence; by names the patterns that exclude
// it, or the reason why it is not decided.
func (o *oracle) says(ctx context.Context, labels []history.Label) (v verdict, by []string, err error) {
	if o.whole != nil {
		return o.whole.says(ctx, labels)
	}
	if i := slices.IndexFunc(labels, func(l history.Label) bool { return !has(o.spec, &l.Kind) }); i >= 0 {
		return unknown, []string{"the theory does not know " + labels[i].String()}, nil
	}
	e := history.Sequential(labels...)
	if o.last != nil && o.rules.Validate(e) == nil && len(o.spec.MayFail) == 0 && ctx.Err() == nil {
		return o.last.says(labels)
	}
	r, err := o.engine.Check(ctx, e)
	var label *check.UnknownLabel
	var language *check.OutsideLanguage
	var ambiguous *check.Ambiguous
	switch {
	case errors.As(err, &label):
		return unknown, []string{label.Msg}, nil
	case errors.As(err, &language):
		return outside, []string{language.Rule.Name}, nil
	case errors.As(err, &ambiguous):
		return undecided, []string{ambiguous.Error()}, nil
	case err != nil:
		return 0, nil, err
	case r.Verdict == check.Violation:
		return violation, r.Patterns, nil
	case r.Verdict == check.Inconclusive:
		return undecided, []string{r.Detail}, ctx.Err()
	}
	return admitted, nil, nil
}

// propagated is what propagation came to on the labels with which the last sequence began,
// as far as the one before it began so, too: sequences often begin like the last ones, and
// this one goes on from there.
type propagated struct {
	rules  *clauses.Rules
	labels []history.Label // the last sequence
	begun  int             // so many of them were given to common
	common *saturate.Saturation
}

// says is what propagation says of a sequence in the language.
func (p *propagated) says(labels []history.Label) (v verdict, by []string, err error) {
	n := 0
	for n < min(len(labels), len(p.labels)) && sameLabel(&labels[n], &p.labels[n]) {
		n++
	}
	if p.labels = labels; n < p.begun || p.common == nil {
		p.common, p.begun = saturate.New(p.rules, saturate.Options{Removal: true}), 0
	}
	begun, s := p.begun, p.common
	p.begun, p.common = 0, nil // unless all goes well
	if err := give(s, labels[begun:n]); err != nil {
		return 0, nil, err
	}
	if p.begun, p.common = n, s; n < len(labels) {
		s = s.Clone()
	}
	if err := give(s, labels[n:]); err != nil {
		return 0, nil, err
	}
	if found := s.Violation(); found != nil {
		return violation, found.Patterns, nil
	}
	return admitted, nil, nil
}

// give gives labels to a saturation, one after the other.
func give(s *saturate.Saturation, labels []history.Label) error {
	for i := range labels {
		op, err := s.Call(labels[i].Method, labels[i].Args)
		if err == nil {
			_, err = s.Return(op, labels[i].Outcome, labels[i].Rets)
		}
		if err != nil || s.Violation() != nil {
			return err
		}
	}
	return nil
}

// has reports whether a method has an outcome by a theory.
func has(s *theory.Spec, k *history.Kind) bool {
	return slices.ContainsFunc(s.Methods, func(m history.MethodSig) bool {
		return m.Name == k.Method && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == k.Outcome })
	})
}

// breaches lists the labels that lead outside the language. What comes after a
// label that the theory does not know is not looked at.
func (o *oracle) breaches(labels []history.Label) []int {
	if o.whole != nil {
		return o.whole.breaches(labels)
	}
	if o.rules == nil {
		return nil
	}
	for {
		found, err := o.rules.Breaches(history.Sequential(labels...))
		var label *clauses.LabelError
		if !errors.As(err, &label) {
			return found
		}
		labels = labels[:label.Op]
	}
}
