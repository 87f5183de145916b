package ground

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// Theory is a theory made ready for grounding. It is safe for concurrent use.
type Theory struct {
	source    *theory.Theory
	newSolver func() solver.Solver

	labels    *logs.Table
	target    []*Plan // free: x, y
	readOnly  *Plan   // free: x; nil: nothing is
	language  []rule
	beyond    []*Plan // what breaks statements about all admitted executions
	forbidden []forbidden
	compared  []formula.Term  // places of labels whose values some formula compares by <
	named     []history.Value // by formulas

	// literals: what is said of the operations of one match names values, or
	// compares them by their order.
	literals bool
}

// rule is a rule of the language, with what breaks it.
type rule struct {
	theory.Rule
	labelsOnly bool
	breaks     *Plan // the tuples of its outermost variables that break it
}

// forbidden is something no admitted history shows: a pattern, or the negation
// of an axiom.
type forbidden struct {
	name string
	plan *Plan
}

// errPast is the error of a theory whose matching depends on the order.
var errPast = errors.New("check: the theory's matching mode is past: what an operation matches depends on the order, " +
	"which is not known before the check; infer the theory with timeless matching")

// Compile makes a theory ready. Solvers come from newSolver; nil is solver.New.
func Compile(t *theory.Theory, newSolver func() solver.Solver) (*Theory, error) {
	if t.Spec.Matching.Past {
		return nil, errPast
	}
	if newSolver == nil {
		newSolver = solver.New
	}
	th := &Theory{labels: logs.New(t.Spec.Methods), newSolver: newSolver, source: t}
	p := &plans{vocabulary: t.Vocabulary(), theory: th}
	p.matching(t)
	p.rules(t)
	th.labels.Compared = th.compared
	if p.err != nil {
		return nil, fmt.Errorf("check: theory %s: %w", t.Name, p.err)
	}
	return th, nil
}

// method is the theory's method of that name.
func (t *Theory) method(name string) *history.MethodSig {
	i := slices.IndexFunc(t.source.Spec.Methods, func(m history.MethodSig) bool { return m.Name == name })
	return &t.source.Spec.Methods[i]
}

// Compared are the places of labels whose values some formula compares by <.
func (t *Theory) Compared() []formula.Term { return t.compared }

// Named are the data values that formulas name.
func (t *Theory) Named() []history.Value { return t.named }

// Sequential is an error if a theory is not about sequences of operations, of
// which alone an engine knows.
func Sequential(t *theory.Theory, who string) error {
	if err := t.NoPatterns(who, "engine auto takes it"); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if w := t.Spec.Width; w > 1 {
		return fmt.Errorf("check: theory %s has width %d: its operations take effect while they overlap, "+
			"and %s looks for sequences of operations only; engine symbolic takes it", t.Name, w, who)
	}
	return nil
}

// plans prepares a theory's formulas; the first error sticks.
type plans struct {
	vocabulary *formula.Vocabulary
	theory     *Theory
	err        error
}

// prepare makes the plan of a formula. The answer literal says whether the formula
// says more of values than which are the same.
func (p *plans) prepare(what string, f formula.Formula, free ...string) (plan *Plan, labelsOnly, literal bool) {
	f = formula.Expand(f, p.vocabulary)
	named, compared := semantics.Named(f), semantics.Compared(f)
	for _, v := range named {
		if !slices.Contains(p.theory.named, v) {
			p.theory.named = append(p.theory.named, v)
		}
	}
	for _, place := range compared {
		if !slices.Contains(p.theory.compared, place) {
			p.theory.compared = append(p.theory.compared, place)
		}
	}
	plan, err := Prepare(f, free...)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%s: %w", what, err)
	}
	return plan, semantics.LabelsOnly(f), len(named)+len(compared) > 0
}

// aboutLabels is prepare for a formula that must speak of labels only.
func (p *plans) aboutLabels(what string, f formula.Formula, free ...string) *Plan {
	plan, labelsOnly, literal := p.prepare(what, f, free...)
	if p.err == nil && !labelsOnly {
		p.err = fmt.Errorf("%s must speak of labels only", what)
	}
	p.theory.literals = p.theory.literals || literal
	return plan
}

func (p *plans) matching(t *theory.Theory) {
	for i, f := range t.Spec.Matching.Target {
		p.theory.target = append(p.theory.target, p.aboutLabels(fmt.Sprintf("match target %d", i+1), f, "x", "y"))
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		p.theory.readOnly = p.aboutLabels("the read-only formula", f, "x")
	}
}

func (p *plans) rules(t *theory.Theory) {
	for _, r := range t.Spec.Language {
		broken, vars := breaks(r)
		plan, labelsOnly, literal := p.prepare("rule "+r.Name, broken, vars...)
		p.theory.language = append(p.theory.language, rule{r, labelsOnly, plan})
		p.theory.literals = p.theory.literals || literal
	}
	for _, r := range t.Spec.Beyond {
		broken, vars := breaks(r)
		literals := p.theory.literals
		p.theory.beyond = append(p.theory.beyond, p.aboutLabels("statement "+r.Name, broken, vars...))
		p.theory.literals = literals // such a statement is about more than one match
	}
	for _, r := range t.Spec.Axioms {
		p.forbid(r.Name, "axiom "+r.Name, formula.Not{F: r.Formula})
	}
	for i := range t.Spec.Patterns {
		pat := &t.Spec.Patterns[i]
		f := pat.Formula
		if f == nil {
			f = formula.Embed(&pat.History)
		}
		p.forbid(pat.Name, "pattern "+pat.Name, f)
	}
}

func (p *plans) forbid(name, what string, f formula.Formula) {
	plan, _, literal := p.prepare(what, f)
	p.theory.forbidden = append(p.theory.forbidden, forbidden{name, plan})
	p.theory.literals = p.theory.literals || literal && plan.OneMatch()
}

// breaks is what breaks a rule: a formula about its outermost variables.
func breaks(r theory.Rule) (formula.Formula, []string) {
	if q, ok := r.Formula.(formula.Quantified); ok && q.Forall {
		return formula.Not{F: q.Body}, q.Vars
	}
	return formula.Not{F: r.Formula}, nil
}

// Validate is an error if an execution is none that the theory speaks of: a
// *clauses.LanguageError, an *Ambiguous, or the context's.
func (t *Theory) Validate(ctx context.Context, e *history.Execution) error {
	_, err := newInstance(ctx, t, e)
	return err
}

// Admits reports whether the theory admits a sequential execution of labels with
// the theory's names.
func (t *Theory) Admits(ctx context.Context, labels []history.Label) (bool, error) {
	in, err := newInstance(ctx, t, history.Sequential(labels...))
	if err != nil {
		return false, err
	}
	return t.Allows(ctx, NewGrounder(in, in.circuit))
}

// Allows reports whether a structure without open facts shows nothing forbidden.
func (t *Theory) Allows(ctx context.Context, g *Grounder) (bool, error) {
	for _, x := range t.forbidden {
		l, err := g.Ground(ctx, x.plan)
		if err != nil || l != solver.False {
			return false, err
		}
	}
	return true, nil
}
