package theory

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// Sequences says what a theory says of sequences of operations, which do not
// overlap. It evaluates each formula, as the definition of the logic has it, and runs
// automata; engines that decide executions are compared with it.
type Sequences struct {
	Named   []history.Value // data values that some formula or automaton names
	Ordered bool            // some formula or automaton takes values for integers, or compares them by their order

	mayFail  history.Kinds
	spec     *Spec
	part     *Sequences  // of the spec's product
	formulas bool        // there are some, or nothing else
	model    error       // there is nothing but a model
	past     bool        // only earlier operations are targets
	target   []condition // of x and y
	readOnly condition   // of x; nil: nothing is
	language []condition
	holds    []condition // of what is admitted
}

// A condition is a compiled formula.
type condition func(s formula.Structure, ops []int) bool

// Sequences prepares the theory for sequences of operations.
func (t *Theory) Sequences() *Sequences {
	s := t.Spec.sequences()
	if t.Spec.Headline() == ByModel {
		s.model = fmt.Errorf("theory: %w", t.Spec.Model.NoPatterns(t.Name, "a comparison", "run the reference instead"))
	}
	return s
}

func (spec *Spec) sequences() *Sequences {
	s, v := &Sequences{past: spec.Matching.Past, mayFail: spec.MayFail, spec: spec}, spec.vocabulary()
	s.formulas = spec.Headline() == ByPatterns
	s.others()
	compile := func(f formula.Formula, free ...string) condition {
		f = formula.Expand(f, v)
		for _, value := range semantics.Named(f) {
			s.names(value)
		}
		s.Ordered = s.Ordered || len(semantics.Compared(f)) > 0
		return formula.Compile(f, free...)
	}
	rules := func(rules []Rule) (all []condition) {
		for _, r := range rules {
			all = append(all, compile(r.Formula))
		}
		return all
	}
	for _, f := range spec.Matching.Target {
		s.target = append(s.target, compile(f, "x", "y"))
	}
	if f := spec.Matching.ReadOnly; f != nil {
		s.readOnly = compile(f, "x")
	}
	s.language, s.holds = rules(spec.Language), rules(spec.Axioms)
	for i := range spec.Patterns {
		p := &spec.Patterns[i]
		f := p.Formula
		if f == nil {
			f = formula.Embed(&p.History)
		}
		s.holds = append(s.holds, compile(formula.Not{F: f}))
	}
	return s
}

// Admits reports whether the theory admits a sequence of labels, which name
// methods as the theory does, and whether some description of the theory covers the
// sequence; of others the theory says nothing, and admitted is false. The error
// is the context's, or that the theory has nothing but a model, or that an
// operation of a sequence in the language has two match targets.
func (s *Sequences) Admits(ctx context.Context, labels []history.Label) (admitted, inLanguage bool, err error) {
	if s.model != nil {
		return false, false, s.model
	}
	labels = s.mayFail.Relaxed(labels)
	if s.formulas {
		if admitted, inLanguage, err = s.fulfils(ctx, s.visible(labels)); inLanguage || err != nil {
			return admitted && s.controlled(labels), inLanguage, err
		}
	}
	switch {
	case s.part != nil:
		return s.composed(ctx, labels)
	case s.spec.Automaton != nil:
		return runs(s.spec.Automaton, labels), true, ctx.Err()
	}
	return false, false, ctx.Err()
}

// fulfils is Admits, by formulas.
func (s *Sequences) fulfils(ctx context.Context, labels []history.Label) (admitted, inLanguage bool, err error) {
	q, ambiguous := s.structure(ctx, labels)
	inLanguage = all(s.language, q)
	admitted = inLanguage && ambiguous == nil && all(s.holds, q)
	switch {
	case ctx.Err() != nil:
		return false, false, ctx.Err()
	case inLanguage && ambiguous != nil:
		return false, true, ambiguous
	}
	return admitted, inLanguage, nil
}

// Structure is a sequence of labels as a structure, with the theory's matching:
// for formulas about its operations. An operation with two match targets has the
// first of them.
func (s *Sequences) Structure(labels []history.Label) formula.Structure {
	q, _ := s.structure(context.Background(), labels)
	return q
}

// structure computes the matching; the error is that an operation has two targets.
func (s *Sequences) structure(ctx context.Context, labels []history.Label) (formula.Structure, error) {
	q := &run{labels, make([]int, len(labels)), make([]bool, len(labels))}
	limited := until{q, ctx}
	var ambiguous error
	pair := make([]int, 2)
	for x := range labels {
		pair[0] = x
		q.readOnly[x] = s.readOnly != nil && s.readOnly(limited, pair[:1])
		end := len(labels)
		if s.past {
			end = x + 1
		}
		var other int
		if q.match[x], other = s.targets(limited, pair, end); other != history.Unmatched && ambiguous == nil {
			ambiguous = fmt.Errorf("theory: operation %s has two match targets: %s and %s",
				&labels[x], &labels[q.match[x]], &labels[other])
		}
	}
	return limited, ambiguous
}

// targets finds match targets of the first of a pair among the first operations: those
// that satisfy the first formula which any satisfies. One that there is not is
// history.Unmatched; more than two are not sought. It uses the second of the pair.
func (s *Sequences) targets(q formula.Structure, pair []int, end int) (target, other int) {
	target = history.Unmatched
	for _, f := range s.target {
		for y := range end {
			switch pair[1] = y; {
			case !f(q, pair):
			case target != history.Unmatched:
				return target, y
			default:
				target = y
			}
		}
		if target != history.Unmatched {
			break
		}
	}
	return target, history.Unmatched
}

func all(conditions []condition, q formula.Structure) bool {
	return !slices.ContainsFunc(conditions, func(c condition) bool { return !c(q, nil) })
}

// A run is a sequence of operations with a matching, as a structure.
type run struct {
	labels   []history.Label
	match    []int
	readOnly []bool
}

func (q *run) Len() int                   { return len(q.labels) }
func (q *run) Label(i int) *history.Label { return &q.labels[i] }
func (q *run) Before(i, j int) bool       { return i < j }
func (q *run) Match(i int) int            { return q.match[i] }
func (q *run) ReadOnly(i int) bool        { return q.readOnly[i] }
func (q *run) Completed(int) bool         { return true }

// until is a structure that is empty from the end of the context on, so that
// evaluating a formula in it, however many variables there are, ends then. What
// the formula said is worth nothing.
type until struct {
	formula.Structure
	ctx context.Context
}

func (u until) Len() int {
	if u.ctx.Err() != nil {
		return 0
	}
	return u.Structure.Len()
}
