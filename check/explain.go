package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Explanation is the reason for a violation: few operations that no
// implementation may show, whatever happens around them.
type Explanation struct {
	// Execution holds the operations that matter, out of the first Prefix
	// events. They are a violation by themselves, and therefore the whole is
	// one. Identifiers and positions are those of the log, while Call and
	// Return count the events of these operations alone. Pending operations
	// among them are there because they do not help, however they complete.
	Execution *history.Execution
	Prefix    int

	// Reasons are the patterns and axioms that together exclude every
	// linearization of Execution; none of them can be left out.
	Reasons []Reason

	// Minimal tells that nothing more can be left out: without any one of its
	// matches, read-only operations or duplicates Execution is no violation.
	Minimal bool

	// Detail says in one sentence why not, if Minimal is false.
	Detail string

	// Steps derive a contradiction from Execution, real time and the patterns:
	// what is forced, one fact after the other. They are about the log's first
	// Prefix events, and verify.Check accepts them. There are none for theories
	// with axioms about more than one label; Underived says why in one sentence.
	Steps     []evidence.Step
	Underived string

	// Labels are those of the operations that Steps name, by identifier. Some may
	// not be in Execution: pending ones that could join it.
	Labels map[string]history.Label
}

// Reason is a pattern or axiom.
type Reason struct {
	Name    string
	Reading string // one sentence; may be empty
	Axiom   bool   // what the sentence says holds; of a pattern it must not
}

// Explain finds the reason for a violation, given the result of an engine.
//
// Operations are left out as long as the rest is a violation by symbolic: first
// whole matches and unmatched operations, many at a time, then read-only
// operations and duplicates. If the theory is closed under such removals (all
// theories of patterns are, and axioms that meet a syntactic criterion), a
// violation that is left over is one of the whole, too; theories that may not be
// are only explained by their shortest violating prefix. It takes O(m log n)
// checks for n matches of which m remain, most of them of far fewer operations
// than the whole.
//
// When the context ends the explanation found so far is returned, which is not
// minimal. It is an error if the result is no violation, or if symbolic finds
// neither it nor a part of it one.
func Explain(ctx context.Context, t *theory.Theory, e *history.Execution, r Result) (*Explanation, error) {
	x, err := NewExplainer(t)
	if err != nil {
		return nil, err
	}
	return x.Explain(ctx, e, r)
}

// Explainer explains and proves verdicts of one theory. It is safe for concurrent
// use.
type Explainer struct {
	theory   *compiled
	removals removals
}

// NewExplainer computes what depends on the theory alone. The error is about the
// theory.
func NewExplainer(t *theory.Theory) (*Explainer, error) {
	c, err := compile(t)
	if err != nil {
		return nil, err
	}
	return &Explainer{c, removalsOf(t)}, nil
}

// Explain is the function Explain for the explainer's theory.
func (p *Explainer) Explain(ctx context.Context, e *history.Execution, r Result) (*Explanation, error) {
	if r.Verdict != Violation {
		return nil, fmt.Errorf("check: only violations have an explanation, and the verdict is %q", r.Verdict)
	}
	e, err := p.theory.resolve(e)
	if err != nil {
		return nil, err
	}
	s := &shrinker{ctx: ctx, theory: p.theory, removals: p.removals}
	x := &Explanation{Execution: e.Prefix(r.Prefix), Prefix: r.Prefix}
	x.Detail, err = s.shrink(x)
	if err != nil {
		return nil, err
	}
	if s.early == nil {
		s.early = x.Execution
	}
	if less, err := s.helpful(x.Execution); err == nil && s.removals.matches {
		x.Execution = less
	}
	x.Minimal = x.Detail == ""
	for _, name := range (symbolicRun{ctx, s.theory, x.Execution}).explain(x.Execution.Events) {
		x.Reasons = append(x.Reasons, reason(p.theory.source, name))
	}
	x.derive(ctx, p.theory.source, e, s.early)
	return x, nil
}

func reason(t *theory.Theory, name string) Reason {
	for i := range t.Spec.Patterns {
		if p := &t.Spec.Patterns[i]; p.Name == name {
			return Reason{Name: name, Reading: p.Reading}
		}
	}
	for _, a := range t.Spec.Axioms {
		if a.Name == name {
			return Reason{name, a.Reading, true}
		}
	}
	return Reason{Name: name}
}

// shrinker makes a violating execution smaller.
type shrinker struct {
	ctx      context.Context
	theory   *compiled
	removals removals
	early    *history.Execution // what was left when a prefix of it would do; nil if none would
}

// shrink shrinks x.Execution. The detail says why the result is not minimal.
func (s *shrinker) shrink(x *Explanation) (detail string, err error) {
	violates, err := s.violates(x.Execution)
	switch {
	case s.ctx.Err() != nil:
		return stopped(s.ctx), nil
	case err != nil:
		return "", err
	case !violates:
		return "", errors.New("check: the theory alone does not show that the execution is a violation")
	case !s.removals.matches:
		return "an axiom may depend on any operation, so that none can be left out", nil
	}
	for {
		if err := s.once(x); err != nil {
			if s.ctx.Err() != nil {
				return stopped(s.ctx), nil
			}
			return "", err
		}
		r, err := symbolicRun{s.ctx, s.theory, x.Execution}.check()
		if err != nil || r.Prefix == 0 || r.Prefix == x.Execution.Events {
			return "", err
		}
		if s.early == nil {
			s.early = x.Execution
		}
		x.Execution = x.Execution.Prefix(r.Prefix) // the engine was late
	}
}

// once leaves out what can be left out.
func (s *shrinker) once(x *Explanation) error {
	p, err := s.partition(x.Execution)
	if err != nil {
		return err
	}
	keep := make([]bool, len(x.Execution.Ops))
	for i := range keep {
		keep[i] = true
	}
	if err := s.try(x, p, nil, keep); err != nil { // pending operations that match nothing
		return err
	}
	if err := s.fewest(x, p, p.units, keep); err != nil {
		return err
	}
	for i := range keep {
		if keep[i] && p.removable(i, keep, s.removals) {
			if err := s.try(x, p, [][]int{{i}}, keep); err != nil {
				return err
			}
		}
	}
	return nil
}

// fewest leaves out as many of the units as possible: halves of them, then
// halves of what is left, down to single ones.
func (s *shrinker) fewest(x *Explanation, p *parts, units [][]int, keep []bool) error {
	for size := (len(units) + 1) / 2; size > 0; size /= 2 {
		var left [][]int
		for chunk := range slices.Chunk(units, size) {
			if err := s.try(x, p, chunk, keep); err != nil {
				return err
			}
			if keep[chunk[0][0]] {
				left = append(left, chunk...)
			}
		}
		units = left
	}
	return nil
}

// try leaves units out if what remains is a violation. It updates keep and the
// explanation.
func (s *shrinker) try(x *Explanation, p *parts, units [][]int, keep []bool) error {
	set := func(to bool) {
		for _, u := range units {
			for _, i := range u {
				keep[i] = to
			}
		}
	}
	set(false)
	sub := p.restrict(keep)
	violates, err := s.violates(sub)
	if violates {
		x.Execution = sub
	} else {
		set(true)
	}
	return err
}

// violates tells whether an execution is a violation by itself.
func (s *shrinker) violates(e *history.Execution) (bool, error) {
	a, err := symbolicRun{s.ctx, s.theory, e}.decide(e.Events)
	return err == nil && !a.sat && a.excluded == "", err
}
