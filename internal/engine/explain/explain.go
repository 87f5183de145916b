// Package explain finds the reason for a violation: a minimal set of operations that
// already violates the theory, and a derivation of the contradiction in them.
//
//	x, err := explain.Violation(ctx, by, execution.Prefix(18))
//
// Operations are left out as long as the rest is a violation: first whole matches
// and unmatched operations, many at a time, then read-only operations and
// duplicates. If the theory is closed under such removals (all theories of patterns
// are, and axioms that meet a syntactic criterion, see removals), a violation that is
// left over is one of the whole, too; theories that may not be are only explained by
// their shortest violating prefix. It takes O(m log n) checks for n matches of which
// m remain, most of them of far fewer operations than the whole.
package explain

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/derive"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/prefix"
	"github.com/adtinfer/adtinfer/theory"
)

// Engine decides executions by the theory alone.
type Engine interface {
	// Decide decides an execution, not its prefixes.
	Decide(ctx context.Context, e *history.Execution) (prefix.Answer, error)

	// Shortest is the number of events of the shortest violating prefix; 0 if that
	// is not known.
	Shortest(ctx context.Context, e *history.Execution) (int, error)

	// Core names the patterns and axioms that together exclude every linearization
	// of a violation; none of them can be left out. No names: time ran out.
	Core(ctx context.Context, e *history.Execution) []string
}

// Explainer explains violations of a theory. It is safe for concurrent use.
type Explainer struct {
	engine   Engine
	source   *theory.Theory
	theory   *ground.Theory
	removals removals
}

// New computes what depends on the theory alone.
func New(source *theory.Theory, t *ground.Theory, engine Engine) *Explainer {
	return &Explainer{engine, source, t, removalsOf(source)}
}

// Explanation is the reason for a violation: see check.Explanation.
type Explanation struct {
	Execution *history.Execution
	Patterns  []string
	Detail    string // why Execution is not minimal, in one sentence; empty if it is
	Steps     []evidence.Step
	Underived string // why there are no steps, in one sentence
	Labels    map[string]history.Label
}

// Violation explains an execution that is a violation, whose labels are the
// theory's. When the context ends the explanation found so far is returned, which
// is not minimal. It is an error if the engine finds neither the execution nor a
// part of it a violation.
func (p *Explainer) Violation(ctx context.Context, e *history.Execution) (*Explanation, error) {
	s := &shrinker{ctx: ctx, Explainer: p, left: e}
	x := &Explanation{}
	var err error
	if x.Detail, err = s.shrink(); err != nil {
		return nil, err
	}
	x.Execution = s.left
	if p.removals.matches {
		x.Execution = s.helpful()
	}
	x.Patterns = p.engine.Core(ctx, x.Execution)
	if s.early == nil {
		s.early = s.left
	}
	x.derive(ctx, p.source, e, s.early)
	return x, nil
}

// shrinker makes a violating execution smaller.
type shrinker struct {
	ctx context.Context
	*Explainer
	left   *history.Execution // a violation
	early  *history.Execution // what was left when a prefix of it would do; nil if none would
	enough []int              // operations of left that are a violation by themselves; nil if none are known
}

// shrink leaves out what can be left out. The detail says why the result is not
// minimal.
func (s *shrinker) shrink() (detail string, err error) {
	violates := s.removals.matches && s.recent()
	if !violates {
		violates, err = s.violates(s.left)
	}
	switch {
	case s.ctx.Err() != nil:
		return prefix.Stopped(s.ctx), nil
	case err != nil:
		return "", err
	case !violates:
		return "", errors.New("check: the theory alone does not show that the execution is a violation")
	case !s.removals.matches:
		return "an axiom may depend on any operation, so that none can be left out", nil
	}
	for {
		if err := s.once(); err != nil {
			if s.ctx.Err() != nil {
				return prefix.Stopped(s.ctx), nil
			}
			return "", err
		}
		n, err := s.engine.Shortest(s.ctx, s.left)
		if err != nil || n == 0 || n == s.left.Events {
			return "", err
		}
		if s.early == nil {
			s.early = s.left
		}
		s.left, s.enough = s.left.Prefix(n), nil // the engine was late
	}
}

// fewSets is how many matches are looked at first, of at least four times as many.
const fewSets = 16

// recent looks for a violation among the matches that ended last, since most
// violations are about operations that are near each other. If there is one, what
// contains it needs no decision.
func (s *shrinker) recent() bool {
	if len(s.left.Ops) < 4*fewSets {
		return false
	}
	p, err := s.theory.Groups(s.ctx, s.left)
	if err != nil {
		return false
	}
	end := func(set []int) (end int) {
		for _, i := range set {
			end = max(end, s.left.Ops[i].Return)
		}
		return end
	}
	sets := slices.SortedStableFunc(slices.Values(p.Sets), func(a, b []int) int { return end(a) - end(b) })
	for n := fewSets; 4*n <= len(sets); n *= 4 {
		keep := make([]bool, len(s.left.Ops))
		enough := slices.Concat(sets[len(sets)-n:]...)
		for _, i := range enough {
			keep[i] = true
		}
		violates, err := s.violates(p.Restrict(keep))
		if err != nil || violates {
			if violates {
				s.enough = enough
			}
			return violates
		}
	}
	return false
}

// once leaves out what can be left out of one prefix.
func (s *shrinker) once() error {
	p, err := s.theory.Groups(s.ctx, s.left)
	if err != nil {
		return err
	}
	keep := make([]bool, len(s.left.Ops))
	for i := range keep {
		keep[i] = true
	}
	if err := s.try(p, nil, keep); err != nil { // pending operations that match nothing
		return err
	}
	if err := s.fewest(p, p.Sets, keep); err != nil {
		return err
	}
	for i := range keep {
		if keep[i] && p.Removable(i, keep, s.removals.readOnly, s.removals.duplicates) {
			if err := s.try(p, [][]int{{i}}, keep); err != nil {
				return err
			}
		}
	}
	return nil
}

// fewest leaves out as many of the sets as possible: halves of them, then halves of
// what is left, down to single ones.
func (s *shrinker) fewest(p *ground.Groups, sets [][]int, keep []bool) error {
	for size := (len(sets) + 1) / 2; size > 0; size /= 2 {
		var left [][]int
		for chunk := range slices.Chunk(sets, size) {
			if err := s.try(p, chunk, keep); err != nil {
				return err
			}
			if keep[chunk[0][0]] {
				left = append(left, chunk...)
			}
		}
		sets = left
	}
	return nil
}

// try leaves sets out if what remains is a violation. It updates keep.
func (s *shrinker) try(p *ground.Groups, sets [][]int, keep []bool) error {
	set := func(to bool) {
		for _, u := range sets {
			for _, i := range u {
				keep[i] = to
			}
		}
	}
	set(false)
	if s.enough != nil && !slices.ContainsFunc(s.enough, func(i int) bool { return !keep[i] }) {
		s.left = p.Restrict(keep)
		return nil
	}
	sub := p.Restrict(keep)
	violates, err := s.violates(sub)
	if violates {
		s.left = sub
	} else {
		set(true)
	}
	return err
}

// violates reports whether an execution is a violation by itself.
func (s *shrinker) violates(e *history.Execution) (bool, error) {
	a, err := s.engine.Decide(s.ctx, e)
	return err == nil && a.Violates(), err
}

// helpful is what is left without pending operations that cannot help.
func (s *shrinker) helpful() *history.Execution {
	less, err := s.theory.Helpful(s.ctx, s.left)
	if err != nil || less == s.left {
		return s.left
	}
	if earlier, err := s.violates(less.Prefix(less.Events - 1)); err != nil || earlier {
		return s.left // the last operation is there to show that one could not help
	}
	return less
}

// Overlapping is why theories of a width beyond 1 have no evidence.
const Overlapping = "operations of the theory take effect while they overlap, and evidence is about sequences"

// derive adds the derivation to an explanation, found from the operations that
// are enough.
func (x *Explanation) derive(ctx context.Context, t *theory.Theory, e, enough *history.Execution) {
	if t.Spec.Width > 1 {
		x.Underived = Overlapping
		return
	}
	ids := make([]string, len(enough.Ops))
	for i := range enough.Ops {
		ids[i] = enough.Ops[i].ID
	}
	steps, err := derive.Violation(ctx, t, e, ids)
	if err != nil {
		x.Underived = underived(ctx, err)
		return
	}
	x.Steps, x.Labels = steps, map[string]history.Label{}
	for i := range steps {
		for _, id := range append([]string{steps[i].Fact.A, steps[i].Fact.B}, steps[i].Ops...) {
			x.Labels[id] = history.Label{}
		}
	}
	delete(x.Labels, "") // of contradictions
	for i := range e.Ops {
		if _, named := x.Labels[e.Ops[i].ID]; named {
			x.Labels[e.Ops[i].ID] = e.Ops[i].Label
		}
	}
}

func underived(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return prefix.Stopped(ctx)
	}
	var none *derive.None
	if errors.As(err, &none) {
		return "no contradiction was found from the patterns and the operations that remain"
	}
	return err.Error()
}
