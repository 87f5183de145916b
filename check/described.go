package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/axioms"
	"github.com/adtinfer/adtinfer/internal/engine/automaton"
	"github.com/adtinfer/adtinfer/internal/engine/labels"
	"github.com/adtinfer/adtinfer/theory"
)

// description is what a theory says of a data type otherwise than by patterns, as an
// engine: an automaton, parts by key, patterns with a control automaton; or what is
// given instead of a theory. It takes executions whose labels are not resolved.
type description interface {
	engine

	// resolve is the execution with method names as the description has them. It
	// refuses labels that it does not know.
	resolve(e *history.Execution) (*history.Execution, error)

	explain(ctx context.Context, e *history.Execution, r Result) (*Explanation, error)
	linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error)
}

// describe finds the descriptions of a theory that the engine asked for can use, in
// the order in which they are asked.
func (c *Checker) describe(t *theory.Theory) error {
	name := c.options.Engine
	auto := name == "" || name == autoName
	searching := auto || name == wglName && c.options.Model == ""
	if t.Spec.Control != nil && searching == auto {
		d, err := newControlled(c, t)
		if err != nil {
			return err
		}
		c.described = append(c.described, d)
	}
	searched := automaton.Of(&t.Spec)
	if searched != nil && searching {
		d, err := newSearched(c, t, searched)
		if err != nil {
			return err
		}
		c.described = append(c.described, d)
	}
	if p := t.Spec.Product; p != nil && searching == auto && (searched == nil || !t.Spec.IsLocal()) {
		d, err := newParts(c, t, searched)
		switch {
		case err == nil && t.Spec.IsLocal():
			c.described = append([]description{d}, c.described...)
		case err == nil:
			c.described = append(c.described, d)
		case c.theory == nil && searched == nil && t.Spec.Model == nil:
			return err
		}
	}
	return nil
}

// newSearched is an automaton of a theory, or a product of them, that is searched.
func newSearched(c *Checker, t *theory.Theory, m automaton.Model) (*modelEngine, error) {
	d := &modelEngine{Checker: c, named: t.Name, described: m}
	d.who = "the automaton of theory " + t.Name
	if p := t.Spec.Product; p != nil {
		d.who = "the automaton that theory " + t.Name + " has for each key"
	}
	var err error
	if d.signature, err = t.Signature(c.options.Aliases); err == nil {
		d.table = labels.New(d.signature.Methods())
	}
	return d, err
}

// newOfAxioms is the automaton that the axioms of a theory mean, which is searched; nil if
// there is none.
func newOfAxioms(c *Checker, t *theory.Theory) *modelEngine {
	spec := axioms.Automaton(t)
	if spec == nil {
		return nil
	}
	d, err := newSearched(c, t, automaton.Of(spec))
	if err != nil {
		return nil
	}
	d.who = "the axioms of theory " + t.Name + ", as an automaton"
	if spec.Product != nil {
		d.who += " for each key"
	}
	return d
}

// decided reports whether nobody else has to be asked.
func decided(r Result, err error) bool {
	return err == nil && (r.Verdict == Violation || r.Verdict == Linearizable)
}

// refused reports whether an error says that a description does not cover a log.
func refused(err error) bool {
	return outside(err) || errors.As(err, new(*Ambiguous)) || errors.As(err, new(*UnknownLabel)) || errors.As(err, new(*uncovered))
}

// uncovered is the error of a log that no description of a theory covers.
type uncovered struct{ errs []error }

func (u *uncovered) Error() string {
	var b strings.Builder
	for i, err := range u.errs {
		if i > 0 {
			b.WriteString("; nor does another description cover it: ")
		}
		b.WriteString(strings.TrimPrefix(err.Error(), "check: "))
	}
	return "check: " + b.String()
}

func (u *uncovered) Unwrap() []error { return u.errs }

// otherwise asks the descriptions of the theory about an execution that the one asked
// before them, if any was, did not decide. What found no violation stands if nobody
// knows better.
func (c *Checker) otherwise(ctx context.Context, e *history.Execution, r Result, err error) (Result, error) {
	known := r.Verdict != "" && err == nil
	var refusals []error
	if refused(err) {
		refusals = append(refusals, err)
	} else if err != nil {
		return r, err
	}
	for _, d := range c.described {
		if decided(r, err) && known {
			return r, nil
		}
		own, bad := d.resolve(e)
		var next Result
		if bad == nil {
			next, bad = c.checkBy(ctx, d, own)
		}
		if next.Engine != "" && !strings.HasPrefix(next.Engine, autoName) {
			next.Engine = autoName + ": " + next.Engine
		}
		switch {
		case refused(bad):
			if !slices.ContainsFunc(refusals, func(err error) bool { return err.Error() == bad.Error() }) {
				refusals = append(refusals, bad)
			}
		case bad != nil:
			return Result{}, bad
		case !known || decided(next, nil) || r.Verdict == Inconclusive && next.Verdict == NoViolationFound:
			known, r, err = true, next, nil
		}
	}
	switch {
	case known:
		return r, nil
	case len(refusals) == 1:
		return Result{}, refusals[0]
	case len(refusals) > 1:
		return Result{}, &uncovered{refusals}
	}
	return r, err
}

// engineFor is the engine of a theory without patterns that decide.
func (c *Checker) engineFor(t *theory.Theory) (engine, error) {
	name := c.options.Engine
	if name == "" || name == autoName {
		return autoEngine{c}, nil
	}
	if !slices.Contains(engineNames(), name) {
		return c.newEngine()
	}
	if len(c.described) > 0 {
		return c.described[0], nil
	}
	if err := t.NoPatterns("engine "+name, "use engine auto"); err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	return nil, fmt.Errorf("check: engine %s cannot use what theory %s says beside its patterns; use engine auto", name, t.Name)
}
