package explain

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/theory"
)

// Engine decides executions by the theory alone.
type Engine interface {
	// Decide decides an execution, not its prefixes.
	Decide(ctx context.Context, e *history.Execution) (logs.Answer, error)

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
	brief    bool
}

// New computes what depends on the theory alone. Brief explanations have no derivation of more than a few steps.
func New(source *theory.Theory, t *ground.Theory, engine Engine, brief bool) *Explainer {
	return &Explainer{engine, source, t, removalsOf(source), brief}
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
	_ = x.derive(ctx, p, e, s.early) // Underived says why not
	return x, nil
}

// shrinker makes a violating execution smaller.
type shrinker struct {
	ctx context.Context
	*Explainer
	left  *history.Execution // a violation
	early *history.Execution // what was left when a prefix of it would do; nil if none would

	// Of the prefix at hand:
	groups  *ground.Groups
	keep    []bool // by operation; a violation
	smaller bool   // something was left out
	enough  []int  // operations that are a violation by themselves; nil if none are known
}

// shrink leaves out what can be left out. The detail says why the result is not
// minimal.
func (s *shrinker) shrink() (detail string, err error) {
	if s.removals.matches {
		err = s.begin()
	}
	if err == nil && s.enough == nil {
		err = s.confirm()
	}
	for err == nil && s.removals.matches {
		if err = s.once(); err != nil {
			break
		}
		var n int
		if n, err = s.engine.Shortest(s.ctx, s.left); err != nil || n == 0 || n == s.left.Events {
			return "", err
		}
		if s.early == nil {
			s.early = s.left
		}
		s.left = s.left.Prefix(n) // the engine was late
		err = s.begin()
	}
	switch {
	case s.ctx.Err() != nil:
		return logs.Stopped(s.ctx), nil
	case err != nil:
		return "", err
	}
	return "an axiom may depend on any operation, so that none can be left out", nil
}

// confirm is an error if what is left is no violation.
func (s *shrinker) confirm() error {
	violates, err := s.violates(s.left)
	if err == nil && !violates {
		err = errors.New("check: the theory alone does not show that the execution is a violation")
	}
	return err
}

// fewMatches is how many matches are looked at first, of at least four times as many.
const fewMatches = 16

// begin looks for a violation among the matches of a prefix that ended last, since
// most violations are about operations near each other. Whatever contains these
// operations is a violation, too, and needs no decision.
func (s *shrinker) begin() (err error) {
	if s.groups, err = s.theory.Groups(s.ctx, s.left); err != nil {
		return err
	}
	s.keep, s.smaller, s.enough = slices.Repeat([]bool{true}, len(s.left.Ops)), false, nil
	end := func(set []int) (end int) {
		for _, i := range set {
			end = max(end, s.left.Ops[i].Return)
		}
		return end
	}
	sets := slices.SortedStableFunc(slices.Values(s.groups.Sets), func(a, b []int) int { return end(a) - end(b) })
	for n := fewMatches; 4*n <= len(sets); n *= 4 {
		last := slices.Concat(sets[len(sets)-n:]...)
		keep := make([]bool, len(s.keep))
		for _, i := range last {
			keep[i] = true
		}
		if violates, err := s.violates(s.groups.Restrict(keep)); err != nil {
			return err
		} else if violates {
			s.enough = last
			return nil
		}
	}
	return nil
}

// once leaves out what can be left out of one prefix.
func (s *shrinker) once() error {
	err := s.try(nil) // leaves out pending operations that match nothing
	if err == nil {
		err = s.fewest(s.groups.Sets)
	}
	for i := 0; i < len(s.keep) && err == nil; i++ {
		if s.keep[i] && s.groups.Removable(i, s.keep, s.removals.readOnly, s.removals.duplicates) {
			err = s.try([][]int{{i}})
		}
	}
	if s.smaller {
		s.left = s.groups.Restrict(s.keep)
	}
	return err
}

// fewest leaves out as many of the sets as possible: halves of them, then halves of
// what is left, down to single ones.
func (s *shrinker) fewest(sets [][]int) error {
	for size := (len(sets) + 1) / 2; size > 0; size /= 2 {
		var left [][]int
		for chunk := range slices.Chunk(sets, size) {
			if err := s.try(chunk); err != nil {
				return err
			}
			if s.keep[chunk[0][0]] {
				left = append(left, chunk...)
			}
		}
		sets = left
	}
	return nil
}

// try leaves sets out if what remains is a violation.
func (s *shrinker) try(sets [][]int) error {
	set := func(to bool) {
		for _, u := range sets {
			for _, i := range u {
				s.keep[i] = to
			}
		}
	}
	set(false)
	if s.enough != nil && !slices.ContainsFunc(s.enough, func(i int) bool { return !s.keep[i] }) {
		s.smaller = true
		return nil
	}
	violates, err := s.violates(s.groups.Restrict(s.keep))
	if violates {
		s.smaller = true
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

// mostHelpful is among how many operations those that cannot help are looked for, which takes their square.
const mostHelpful = 1_000

// helpful is what is left without pending operations that cannot help, if that is not too much.
func (s *shrinker) helpful() *history.Execution {
	if len(s.left.Ops) > mostHelpful {
		return s.left
	}
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

// Derive is an explanation without patterns: the derivation from some operations of an execution, which are a violation
// by themselves. It is final if others would not do, either.
func (p *Explainer) Derive(ctx context.Context, e, few *history.Execution) (x *Explanation, final bool) {
	x = &Explanation{Execution: few}
	err := x.derive(ctx, p, e, few)
	var none *None
	return x, err == nil || errors.As(err, &none) && none.Many
}

// derive adds the derivation to an explanation, found from the operations that
// are enough.
func (x *Explanation) derive(ctx context.Context, p *Explainer, e, enough *history.Execution) error {
	t := p.source
	if t.Spec.Width > 1 {
		x.Underived = Overlapping
		return nil
	}
	ids := make([]string, len(enough.Ops))
	for i := range enough.Ops {
		ids[i] = enough.Ops[i].ID
	}
	few := fewPending
	if p.brief {
		few = briefPending
	}
	var steps []evidence.Step
	var err error = &None{Ops: len(ids), Many: true}
	if x.pending() <= few {
		steps, err = Derive(ctx, t, e, ids)
	}
	if err != nil {
		x.Underived = underived(ctx, t, err)
		return err
	}
	if p.brief && len(steps) > briefSteps {
		x.Underived = "it is long"
		return nil
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
	return nil
}

// fewPending is with how many pending operations that matter a derivation is looked for. That there are too
// few of them to take some values is shown by looking at all ways in which they can: of 200 violations with more,
// one has a derivation that is found.
const fewPending = 7

// Brief derivations have so many steps at most, and are looked for with so many pending operations at most.
const (
	briefSteps   = 12
	briefPending = 2
)

// pending counts the operations that have not returned, and matter.
func (x *Explanation) pending() (n int) {
	for i := range x.Execution.Ops {
		if !x.Execution.Ops[i].Completed() {
			n++
		}
	}
	return n
}

func underived(ctx context.Context, t *theory.Theory, err error) string {
	if ctx.Err() != nil {
		return logs.Stopped(ctx)
	}
	var none *None
	if errors.As(err, &none) {
		switch {
		case none.Many:
			return "too many pending operations may belong to it"
		case len(t.Spec.Patterns) == 0:
			return "a derivation is made of patterns, and the theory has axioms instead; infer a theory from a reference"
		}
		return "no contradiction was found from the patterns and the operations that remain"
	}
	return err.Error()
}
