package describe

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

// controlled is a theory in which counters decide the outcomes, and patterns say which
// values are returned; nil if the data type is not made so.
func (s *search) controlled(ctx context.Context) (*theory.Theory, error) {
	if s.counted == nil || !s.wants(theory.ByPatterns) {
		return nil, nil
	}
	s.Patterns.Progress("looking for counters beside patterns")
	found, err := s.counted.Control(ctx)
	if err == nil && found.Control == nil {
		return nil, nil
	}
	var t *theory.Theory
	if err == nil {
		rest := &search{Options: s.Options, impl: found.Rest, info: s.info, part: true}
		rest.Judge = nil
		t, err = rest.patterns(ctx, true)
	}
	if err == nil {
		t.Spec.Control, t.Status.Control = found.Control, &s.counted.Extent
		err = s.complete(t)
	}
	if err == nil && s.Judge != nil {
		err = s.judgedControl(ctx, t)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && Fails(err):
		s.refute("counters beside patterns", brief(err))
		return nil, nil
	case err != nil:
		return nil, err
	}
	t.Spec.Control.Complete = s.Judge != nil
	return t, nil
}

// judgedControl judges patterns with guards, if arguments alone say what is hidden, and
// with the whole automaton if that is not so, or not enough.
func (s *search) judgedControl(ctx context.Context, t *theory.Theory) error {
	j := *s.Judge
	j.Lineup = s.mutants()
	if configurations.GuardsOf(t.Spec.Control) != nil {
		guarded, control := *t, *t.Spec.Control
		control.Guards, guarded.Spec.Control = true, &control
		err := judge.Whole(ctx, s.impl, s.info, &guarded, s.Patterns, j)
		if err == nil {
			*t = guarded
		}
		if err == nil || ctx.Err() != nil || !Fails(err) {
			return err
		}
	}
	return judge.Whole(ctx, s.impl, s.info, t, s.Patterns, j)
}

// complete gives a theory the methods and outcomes that are hidden from its patterns.
func (s *search) complete(t *theory.Theory) error {
	all, err := s.declared()
	if err != nil {
		return err
	}
	bare := theory.Spec{Automaton: t.Spec.Control.Automaton}
	t.Spec.Methods = merged(all.Spec.Methods, methodsOf(&bare))
	return nil
}
