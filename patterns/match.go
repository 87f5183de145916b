package patterns

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Match finds, or verifies, the matching scheme of a reference and stops there:
// the theory has methods, language, matching and the status of the checks, but
// no patterns. The result is nil if the reference brings a scheme, or Amend
// gives one.
func Match(ctx context.Context, impl reference.Implementation, info reference.Info, o Options) (*theory.Theory, *matching.Result, error) {
	o = o.withDefaults()
	t, r, err := o.scheme(ctx, impl, info)
	if err != nil {
		return nil, nil, err
	}
	in := &inference{Options: o, theory: *t}
	if err := in.deepen(func(depth int) error {
		in.theory = *t
		if err := in.explore(ctx, impl, depth); err != nil {
			return err
		}
		return in.checks(ctx)
	}); err != nil {
		return nil, nil, err
	}
	return &in.theory, r, nil
}

// scheme is the theory that a reference declares, with a matching scheme: its
// own, or one that is synthesized.
func (o Options) scheme(ctx context.Context, impl reference.Implementation, info reference.Info) (*theory.Theory, *matching.Result, error) {
	t, err := Declare(impl, info)
	if err != nil {
		return nil, nil, err
	}
	if o.Amend != nil {
		if t.Spec, err = o.Amend(t.Spec); err != nil {
			return nil, nil, err
		}
	}
	var r *matching.Result
	switch {
	case len(t.Spec.Matching.Target) == 0:
		r, err = o.synthesize(ctx, impl, t)
	case t.Spec.Matching.ReadOnly == nil:
		rules, _ := expanded(t)
		t.Spec.Matching.ReadOnly, err = matching.ReadOnly(ctx, impl, rules)
	}
	if err != nil {
		return nil, nil, err
	}
	t.Spec.Matching.Past = o.Past
	return t, r, nil
}

// synthesize completes a theory whose reference brings no matching scheme.
func (o Options) synthesize(ctx context.Context, impl reference.Implementation, t *theory.Theory) (*matching.Result, error) {
	s := o.Synthesis
	s.Progress, s.Depth = o.Progress, o.Depth
	s.Insist = o.Force
	s.Predicates = append(s.Predicates, matching.Declared(t.Vocabulary())...)
	given := t.Spec
	rules, m := expanded(t)
	if given.Language != nil {
		s.Language = append([]theory.Rule{}, rules...)
	}
	if given.Matching.ReadOnly != nil {
		s.ReadOnly = m.ReadOnly
	}
	r, err := matching.Synthesize(ctx, impl, s)
	var none *matching.None
	if o.Force && errors.As(err, &none) && none.Candidate != nil {
		r, err = none.Candidate, nil
		t.Status.Forced = true // the checks of the inference say why
	}
	if err != nil {
		return nil, err
	}
	if given.Language == nil {
		t.Spec.Language = r.Language
	}
	t.Spec.Matching = r.Matching
	if s.ReadOnly != nil {
		t.Spec.Matching.ReadOnly = given.Matching.ReadOnly
	}
	t.Status.Synthesis = &theory.Synthesis{
		Languages: r.Stats.Languages, Length: r.Stats.Length, Executions: r.Stats.Executions, Pairs: r.Stats.Pairs,
	}
	return r, nil
}
