package recognize

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// semantics is a theory made ready to be evaluated on sequences of labels, as
// its definition says and not as any engine does.
type semantics struct {
	target   []func(formula.Structure, []int) bool // of x and y
	readOnly func(formula.Structure, []int) bool
	language []func(formula.Structure, []int) bool
	excluded []func(formula.Structure, []int) bool

	ctx context.Context // of verdicts; what they say after its end is worth nothing
}

func newSemantics(ctx context.Context, t *theory.Theory) *semantics {
	v := t.Vocabulary()
	compile := func(f formula.Formula, free ...string) func(formula.Structure, []int) bool {
		return formula.Compile(formula.Expand(f, v), free...)
	}
	s := &semantics{ctx: ctx}
	for _, f := range t.Spec.Matching.Target {
		s.target = append(s.target, compile(f, "x", "y"))
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		s.readOnly = compile(f, "x")
	}
	for _, r := range t.Spec.Language {
		s.language = append(s.language, compile(r.Formula))
	}
	for _, r := range t.Spec.Axioms {
		s.excluded = append(s.excluded, compile(formula.Not{F: r.Formula}))
	}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		f := p.Formula
		if f == nil {
			f = formula.Embed(&p.History)
		}
		s.excluded = append(s.excluded, compile(f))
	}
	return s
}

// sequence is labels in the order of their operations, seen through the
// matching of a theory. It implements formula.Structure.
type sequence struct {
	labels   []history.Label
	target   []int
	readOnly []bool
}

func (s *sequence) Len() int                   { return len(s.labels) }
func (s *sequence) Label(i int) *history.Label { return &s.labels[i] }
func (s *sequence) Before(i, j int) bool       { return i < j }
func (s *sequence) Match(i int) int            { return s.target[i] }
func (s *sequence) ReadOnly(i int) bool        { return s.readOnly[i] }
func (s *sequence) Completed(int) bool         { return true }

// matches reports whether some formula makes an operation labelled y the target
// of another labelled x.
func (s *semantics) matches(x, y history.Label) bool {
	q := &sequence{labels: []history.Label{x, y}, target: []int{history.Unmatched, history.Unmatched}, readOnly: make([]bool, 2)}
	for _, f := range s.target {
		if f(q, []int{0, 1}) {
			return true
		}
	}
	return false
}

// speaks reports whether the language contains a sequence.
func (s *semantics) speaks(labels ...history.Label) bool {
	q := &sequence{labels: labels, target: make([]int, len(labels)), readOnly: make([]bool, len(labels))}
	return s.inLanguage(q)
}

func (s *semantics) inLanguage(q formula.Structure) bool {
	for _, f := range s.language {
		if !f(q, nil) {
			return false
		}
	}
	return true
}

// verdict decides a sequence. The theory does not speak of it (ok is false) if it is
// outside the language, or an operation has two match targets.
func (s *semantics) verdict(labels []history.Label) (admitted, ok bool) {
	q := &sequence{labels, make([]int, len(labels)), make([]bool, len(labels))}
	for x := range labels {
		if q.target[x], ok = s.targetOf(q, x); !ok {
			return false, false
		}
		q.readOnly[x] = s.readOnly != nil && s.readOnly(q, []int{x})
	}
	until := formula.Until(s.ctx, q)
	if !s.inLanguage(until) {
		return false, false
	}
	for _, f := range s.excluded {
		if f(until, nil) {
			return false, true
		}
	}
	return true, true
}

// targetOf is the match target of x: the y that satisfies the first formula
// which any y satisfies.
func (s *semantics) targetOf(q *sequence, x int) (target int, ok bool) {
	target = history.Unmatched
	for _, f := range s.target {
		for y := range q.labels {
			if !f(q, []int{x, y}) {
				continue
			}
			if target != history.Unmatched {
				return 0, false
			}
			target = y
		}
		if target != history.Unmatched {
			return target, true
		}
	}
	return target, true
}

// plain refuses theories whose language, matching or axioms could say something
// that short sequences do not show.
func plain(t *theory.Theory) error {
	v := t.Vocabulary()
	about := func(what string, f formula.Formula, free ...string) error {
		p, err := formula.Prepare(formula.Expand(f, v), free...)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", what, err)
		case p.Literals():
			return fmt.Errorf("%s names a data value, or compares values by their order", what)
		case !p.LabelsOnly():
			return fmt.Errorf("%s speaks of the order or of matches", what)
		}
		return nil
	}
	for i, f := range t.Spec.Matching.Target {
		if err := about(fmt.Sprintf("match target %d", i+1), f, "x", "y"); err != nil {
			return err
		}
	}
	for i := range t.Spec.Patterns {
		if p := &t.Spec.Patterns[i]; p.Formula != nil && len(formula.Compared(formula.Expand(p.Formula, v))) > 0 {
			return fmt.Errorf("pattern %s compares values by their order", p.Name)
		}
	}
	for _, rules := range []struct {
		what string
		vars int
		list []theory.Rule
	}{{"rule ", 2, t.Spec.Language}, {"axiom ", 1, t.Spec.Axioms}} {
		for _, r := range rules.list {
			q, ok := r.Formula.(formula.Quantified)
			if !ok || !q.Forall || len(q.Vars) > rules.vars {
				return fmt.Errorf("%s%s is not about any %d operations", rules.what, r.Name, rules.vars)
			}
			if err := about(rules.what+r.Name, q.Body, q.Vars...); err != nil {
				return err
			}
		}
	}
	return nil
}
