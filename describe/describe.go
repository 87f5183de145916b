// Package describe finds every description of a reference implementation that fits:
// patterns, a product by key, an automaton, counters; and the reference itself as the
// last of them.
//
//	t, err := describe.Infer(ctx, impl, info, describe.Options{})
//	fmt.Println(t.Spec.Headline(), t.Status.Tried)
//
// A product by key, an automaton and counters cover all executions, so that one of
// them is enough: they are looked for in this order. Patterns are looked for beside
// them in any case, with less effort. Each description is judged on its own by long
// runs and by wrong versions of the reference (describe/internal/judge); what is refuted is
// left out, with a sentence in Status.Tried.
package describe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/counters"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options steer Infer.
type Options struct {
	Patterns  patterns.Options   // how patterns are looked for, and who hears of progress
	Judge     *judge.Options     // how what is found is judged by long runs and mutants; nil: it is not
	As        theory.Description // the only one to look for, beside the reference itself; "": all
	Locations int                // that an automaton may have; default 40
	Model     *origin.Model      // the reference itself; nil: no theory can name it

	// Params are names of parameters for laws, by method as Go has it. Nil: no laws are
	// looked for, as where nobody would read them.
	Params map[string][]string

	// Literals are those of the reference's source: laws are found and tested with them.
	Literals origin.Literals

	// Sizes are integers with which the reference makes its objects, such as a capacity,
	// and Sized is the reference with another one in the place of the i-th.
	Sizes []int
	Sized func(ctx context.Context, i, n int) (reference.Implementation, error)

	// Explain, if set, says in a user's words why there are no patterns, where
	// nothing else describes the data type either.
	Explain func(context.Context, error) error
}

// Unfit is the error of a reference that is not described as it was asked for.
type Unfit struct {
	As    theory.Description
	Tried []string
}

func (u *Unfit) Error() string {
	return fmt.Sprintf("describe: nothing describes the reference as %s:\n  %s", u.As, strings.Join(u.Tried, "\n  "))
}

// search is the search for descriptions of one reference.
type search struct {
	Options
	impl  reference.Implementation
	info  reference.Info
	part  bool // of a product
	tried []string

	told [][]history.Label // executions that told descriptions from the reference

	counted *counters.Found // nil: no counters were looked for
	lineup  *judge.Lineup   // nil: nothing was judged yet
}

// mutants are those of the reference, made once for all its descriptions.
func (s *search) mutants() *judge.Lineup {
	if s.lineup == nil {
		s.lineup = judge.NewLineup(s.impl)
	}
	return s.lineup
}

// Infer finds the descriptions of a reference. If there is none but the reference
// itself, and that cannot be named, the error says why there are no patterns.
func Infer(ctx context.Context, impl reference.Implementation, info reference.Info, o Options) (*theory.Theory, error) {
	if o.Patterns.Progress == nil {
		o.Patterns.Progress = func(string) {}
	}
	if err := together(ctx, impl); err != nil {
		return nil, err
	}
	if o.Judge != nil && !o.Patterns.Force {
		o.Patterns.Progress("looking for answers that depend on earlier calls")
		failing, err := (&search{Options: o, impl: impl}).vacuous(ctx)
		if err != nil {
			return nil, err
		}
		j := *o.Judge
		j.Skipped = slices.Concat(failing, j.Skipped)
		o.Judge = &j
	}
	s := &search{Options: o, impl: impl, info: info}
	t, err := s.described(ctx)
	if err != nil {
		return nil, err
	}
	t.Status.Tried, t.Spec.Model = s.tried, o.Model
	withTypes(&t.Spec, impl)
	if err := judge.Nils(ctx, impl, t); err != nil {
		return nil, err
	}
	s.Patterns.Progress("reading the theory back")
	return t, s.readBack(ctx, t)
}

// described is a theory with all that describes the reference, or with the reference
// itself. What looks into values with parts is not described by which of them are equal.
func (s *search) described(ctx context.Context) (*theory.Theory, error) {
	if s.Judge != nil && !s.Patterns.Force && !s.required() {
		unlike := s.untried()
		if unlike == nil {
			looks, err := judge.Parts(ctx, s.impl)
			if err != nil {
				return nil, err
			}
			if looks != nil {
				unlike = looks
			}
		}
		switch {
		case unlike != nil && s.As != "" && s.As != theory.ByModel:
			s.refute(s.As, brief(unlike))
			return nil, &Unfit{s.As, s.tried}
		case unlike != nil:
			return s.model(ctx, unlike)
		}
	}
	t, err := s.whole(ctx)
	if err != nil {
		return nil, err
	}
	return s.withPatterns(ctx, t)
}

// wants reports whether a description is to be looked for.
func (s *search) wants(d theory.Description) bool { return s.As == "" || s.As == d }

// refute notes why a description does not fit.
func (s *search) refute(d theory.Description, why string) {
	why = strings.TrimSuffix(strings.Join(strings.Fields(why), " "), ".")
	s.tried = append(s.tried, string(d)+": "+why)
}

// declared is a theory without a description.
func (s *search) declared() (*theory.Theory, error) {
	t, err := patterns.Declare(s.impl, s.info)
	if err != nil {
		return nil, err
	}
	t.Spec.Language, t.Spec.Predicates, t.Spec.Matching = nil, nil, theory.Matching{}
	return t, nil
}

// withPatterns adds patterns to a theory that may have another description; nil: it
// has none. If it comes to nothing the theory is the reference itself.
func (s *search) withPatterns(ctx context.Context, whole *theory.Theory) (*theory.Theory, error) {
	var t *theory.Theory
	if whole == nil {
		if _, err := s.within(ctx, "counters beside patterns", func(ctx context.Context) (err error) {
			t, err = s.controlled(ctx)
			return err
		}); t != nil || err != nil {
			return t, err
		}
		if t, err := s.looked(ctx, theory.ByAutomaton, s.continued); t != nil || err != nil {
			return t, err // patterns know no size
		}
	}
	var failed error
	if s.wants(theory.ByPatterns) {
		done, err := s.within(ctx, theory.ByPatterns, func(ctx context.Context) (err error) {
			t, err = s.patterns(ctx, whole != nil)
			return err
		})
		switch {
		case !done && s.required():
			return nil, context.DeadlineExceeded
		case !done:
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && whole == nil:
			return t, nil
		case err == nil:
			return s.both(ctx, whole, t)
		case s.required() || !Fails(err):
			return nil, err
		default:
			s.refute(theory.ByPatterns, brief(err))
			failed = err
		}
	}
	switch {
	case whole != nil:
		return whole, nil
	case s.As == theory.ByPatterns:
		return nil, s.explained(ctx, failed)
	case s.As != "" && s.As != theory.ByModel:
		return nil, &Unfit{s.As, s.tried}
	}
	return s.model(ctx, failed)
}

// required reports whether who wrote the reference, or asks, wants to know what is
// wrong with its patterns.
func (s *search) required() bool { return len(s.info.Target) > 0 && s.As == "" }

func (s *search) explained(ctx context.Context, err error) error {
	if err == nil || s.Explain == nil {
		return err
	}
	return s.Explain(ctx, err)
}

// both is one theory of patterns and of what else describes the data type.
func (s *search) both(ctx context.Context, whole, t *theory.Theory) (*theory.Theory, error) {
	for _, m := range methodsOf(&whole.Spec) {
		for _, o := range m.Outcomes {
			if k := (history.Kind{Method: m.Name, Outcome: o.Outcome}); !has(t.Spec.Methods, k) {
				s.refute(theory.ByPatterns, fmt.Sprintf("no execution that was looked at has %s => %s", k.Method, k.Outcome))
				return whole, nil
			}
		}
	}
	t.Spec.Product, t.Spec.Automaton = whole.Spec.Product, whole.Spec.Automaton
	t.Status.Product, t.Status.Automaton = whole.Status.Product, whole.Status.Automaton
	s.Patterns.Progress("comparing the descriptions with one another")
	var wrong *judge.Wrong
	switch err := judge.Agree(ctx, s.mutants(), t); {
	case errors.As(err, &wrong):
		s.refute(theory.ByPatterns, brief(err))
		return whole, nil
	case err != nil:
		return nil, err
	}
	return t, nil
}

func has(ms []history.MethodSig, k history.Kind) bool {
	return slices.ContainsFunc(ms, func(m history.MethodSig) bool {
		return m.Name == k.Method && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == k.Outcome })
	})
}
