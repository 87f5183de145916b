package describe

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/counters"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/describe/internal/product"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// whole is a theory with the first description that covers all executions; nil if
// there is none.
func (s *search) whole(ctx context.Context) (*theory.Theory, error) {
	if _, nondeterministic := s.impl.(reference.Acceptor); nondeterministic {
		return nil, nil // it answers nothing of itself
	}
	for _, d := range []struct {
		by   theory.Description
		look func(context.Context, *theory.Theory) (bool, error)
	}{{theory.ByProduct, s.product}, {theory.ByAutomaton, s.automaton}, {theory.ByCounters, s.counters}} {
		if s.part && d.by == theory.ByProduct {
			continue
		}
		if t, err := s.looked(ctx, d.by, d.look); t != nil || err != nil {
			return t, err
		}
	}
	return nil, nil
}

// looked is a theory with a description that is looked for and judged; nil: there is none.
func (s *search) looked(ctx context.Context, by theory.Description, look func(context.Context, *theory.Theory) (bool, error)) (*theory.Theory, error) {
	if !s.wants(by) {
		return nil, nil
	}
	t, err := s.declared()
	if err != nil {
		return nil, err
	}
	fits := false
	done, err := s.within(ctx, by, func(ctx context.Context) (err error) {
		if fits, err = look(ctx, t); err == nil && fits {
			t.Spec.Methods = merged(t.Spec.Methods, methodsOf(&t.Spec))
			err = s.judged(ctx, t)
		}
		return err
	})
	switch {
	case !done || err == nil && !fits:
	case err == nil:
		return t, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case Fails(err):
		s.refute(by, brief(err))
	default:
		return nil, err
	}
	return nil, nil
}

// judged judges what was found by long runs and mutants. A part is judged within
// its product.
func (s *search) judged(ctx context.Context, t *theory.Theory) error {
	if s.part || s.Judge == nil {
		return nil
	}
	j := *s.Judge
	j.Told, j.Lineup = s.told, s.mutants()
	return judge.Whole(ctx, s.impl, s.info, t, s.Patterns, j)
}

// product looks for keys, and then for what describes the operations of one key.
func (s *search) product(ctx context.Context, t *theory.Theory) (bool, error) {
	s.Patterns.Progress("looking for a product by key")
	found, err := product.Find(ctx, s.impl)
	if err == nil && found.Idle {
		found, err = s.productLike(ctx, found)
	}
	if err != nil {
		return false, err
	}
	s.told = append(s.told, found.Told...)
	if found.Keys == nil {
		s.refute(theory.ByProduct, found.Why)
		return false, nil
	}
	part := &search{Options: s.Options, impl: found.Part(s.impl), part: true}
	part.As, part.Explain = "", nil
	if sized := s.Sized; sized != nil {
		part.Sized = func(ctx context.Context, i, n int) (reference.Implementation, error) {
			whole, err := sized(ctx, i, n)
			if err != nil {
				return nil, err
			}
			return closing{found.Part(whole), whole}, nil
		}
	}
	report := s.Patterns.Progress
	part.Patterns.Progress = func(doing string) { report("of one key: " + doing) }
	p, err := part.ofPart(ctx)
	if err != nil {
		return false, err
	}
	for _, why := range part.tried {
		s.tried = append(s.tried, "of one key, "+why)
	}
	if p == nil {
		s.refute(theory.ByProduct, "each key is on its own, but nothing describes the operations of one")
		return false, nil
	}
	t.Spec.Product = &theory.Product{Keys: found.Keys, Part: p.Spec}
	status := found.Status
	status.Part = p.Status
	t.Status.Product = &status
	return true, nil
}

// ofPart describes the operations of one key: by an automaton or counters, else by
// patterns.
func (s *search) ofPart(ctx context.Context) (*theory.Theory, error) {
	t, err := s.whole(ctx)
	if t == nil && err == nil {
		t, err = s.looked(ctx, theory.ByAutomaton, s.continued)
	}
	if t != nil || err != nil {
		return t, err
	}
	t, err = s.patterns(ctx, true)
	if err != nil && Fails(err) && ctx.Err() == nil {
		s.refute(theory.ByPatterns, brief(err))
		return nil, nil
	}
	return t, err
}

// automaton looks for a register automaton.
func (s *search) automaton(ctx context.Context, t *theory.Theory) (bool, error) {
	s.Patterns.Progress("learning an automaton")
	found, err := learn.Learn(ctx, s.impl, learn.Options{Locations: s.Locations, Progress: s.Patterns.Progress})
	if err != nil {
		return false, err
	}
	s.told = append(s.told, found.Told...)
	if found.Automaton == nil {
		s.refute(theory.ByAutomaton, found.Why)
		return false, nil
	}
	t.Spec.Automaton, t.Status.Automaton = found.Automaton, found.Extent
	return true, nil
}

// counters looks for answers that follow from counting.
func (s *search) counters(ctx context.Context, t *theory.Theory) (bool, error) {
	s.Patterns.Progress("looking for counters")
	found, err := counters.Find(ctx, s.impl)
	if err != nil {
		return false, err
	}
	if s.counted = found; found.Automaton == nil || !found.Whole {
		s.refute(theory.ByCounters, found.Why)
		return false, nil
	}
	return s.conforms(ctx, t, found.Automaton, theory.ByCounters)
}

// conforms reports whether an automaton and the reference do not differ, and puts
// it into the theory.
func (s *search) conforms(ctx context.Context, t *theory.Theory, a *automata.Automaton, by theory.Description) (bool, error) {
	s.Patterns.Progress("comparing the " + string(by) + " with the reference")
	extent, differs, err := learn.Compare(ctx, s.impl, a, learn.Comparison{Closed: true})
	if err != nil {
		return false, err
	}
	if differs != nil {
		s.told = append(s.told, differs.Labels)
		s.refute(by, fmt.Sprintf("one was found that differs from the reference, which answers %s, in call %d", judge.Draw(differs.Labels), differs.At+1))
		return false, nil
	}
	t.Spec.Automaton, t.Status.Automaton = a, extent
	return true, nil
}

// methodsOf are the methods with the outcomes that come in a description, beside
// patterns.
func methodsOf(s *theory.Spec) (methods []history.MethodSig) {
	switch {
	case s.Product != nil:
		methods = methodsOf(&s.Product.Part)
		for i := range methods {
			if s.Product.Of(methods[i].Name).Role == theory.ByKey {
				methods[i].Args++
			}
		}
		return methods
	case s.Automaton == nil:
		return slices.Clone(s.Methods)
	}
	come := map[history.Kind]bool{}
	for _, l := range s.Automaton.Locations {
		for _, t := range l.Transitions {
			if !t.Blocks {
				come[history.Kind{Method: t.Method, Outcome: t.Outcome}] = true
			}
		}
	}
	for _, m := range s.Automaton.Methods {
		m.Outcomes = slices.DeleteFunc(slices.Clone(m.Outcomes), func(o history.OutcomeSig) bool {
			return !come[history.Kind{Method: m.Name, Outcome: o.Outcome}]
		})
		methods = append(methods, m)
	}
	return methods
}

// merged are declared methods with the outcomes that come: what never came may come in
// an execution that nobody tried, and is refused instead of called a violation.
func merged(declared, known []history.MethodSig) []history.MethodSig {
	for i := range declared {
		declared[i].Outcomes = nil
		for _, k := range known {
			if k.Name == declared[i].Name {
				declared[i].Outcomes = k.Outcomes
			}
		}
	}
	return declared
}
