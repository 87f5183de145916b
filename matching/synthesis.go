package matching

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options steer a synthesis. The zero value is the default.
type Options struct {
	// Language fixes the language; nil means to look for the most general one
	// that has a scheme. Declared predicates must be expanded.
	Language []theory.Rule

	// Predicates are added to the standard ones. Declared predicates must be
	// expanded.
	Predicates []Predicate

	// ReadOnly fixes the read-only operations, a formula over x; nil means to
	// find the kinds whose operations never change what follows.
	ReadOnly formula.Formula

	Solver func() solver.Solver // default solver.New
	Checks Budget               // of the verification; default matching.DefaultBudget
	Depth  int                  // executions of this length are looked at for kinds of operations in any case
	All    int                  // how many further models to list, at most

	// Insist has a Candidate made up where there is no scheme, if at all possible.
	Insist bool

	Progress func(doing string)

	options // for tests
}

// Result is a language and a matching scheme that were verified faithful and
// normal, unless it is a Candidate.
type Result struct {
	Language []theory.Rule
	Matching theory.Matching
	ReadOnly []history.Kind
	Others   []Other // further models, not verified
	Stats    Stats

	Verified *Model // that was verified, as Stats say; nil if it is a Candidate
	Checks   Budget // of that
}

// Other is another model of the constraints, which was not chosen.
type Other struct {
	Matching theory.Matching
	Differs  []string // how it is different, in words: "remove => 1 maps to itself"
}

// Stats says how much work a synthesis was.
type Stats struct {
	Languages   int // tried
	Length      int // of the longest admitted executions in the sample
	Executions  int // admitted ones in the sample
	Pairs       int // of an admitted execution and a removal that is not admitted
	Refinements int // schemes that verification refuted
	Faithful    Report
	Normal      Report
}

// Synthesize finds a language, the read-only kinds and a matching scheme for a
// reference ("Symbolic ADT inference" §8). Schemes are models of constraints over
// one variable for each valuation of the predicates; the one that matches the
// most is verified, and what refutes it becomes a constraint.
//
// The error is *None with an explanation, *matching.Unfaithful if the reference
// compares values by more than equality, *matching.Foreign if it makes values
// up, the context's, or the reference's own.
func Synthesize(ctx context.Context, impl reference.Implementation, o Options) (*Result, error) {
	o = o.withDefaults()
	for _, p := range o.Predicates {
		if len(semantics.Compared(p.Formula)) > 0 {
			return nil, &Unsupported{Reason: "predicate " + formula.String(p.Formula) + " compares values by their order, but inference looks at executions up to renaming of values"}
		}
	}
	o.Progress("finding the kinds of operations")
	base, err := Explore(ctx, impl, o.Language, o.Depth)
	if err != nil {
		return nil, err
	}
	if err := base.Independent(ctx, independentLength); err != nil {
		return nil, err
	}
	tried, err := o.candidates(ctx, base)
	if err != nil {
		return nil, err
	}
	var failures []Failure
	for i, l := range tried {
		o.Progress(fmt.Sprintf("looking for a matching scheme, language %d of %d", i+1, len(tried)))
		r, failure, err := o.in(ctx, base.Under(l.rules), l)
		if err != nil {
			return nil, err
		}
		if failure == nil {
			r.Stats.Languages = i + 1
			return r, nil
		}
		failures = append(failures, *failure)
	}
	none := o.explain(base, failures)
	if o.Insist && none.Candidate == nil && len(none.Failure.Unseen) == 0 {
		rules := none.Failure.Language
		if none.Candidate, err = o.insist(ctx, base.Under(rules), rules); err != nil {
			return nil, err
		}
	}
	return nil, none
}

// independentLength is long enough for types that order their values to show it.
const independentLength = 3

func (o Options) withDefaults() Options {
	if o.Solver == nil {
		o.Solver = solver.New
	}
	if o.Checks == (Budget{}) {
		o.Checks = DefaultBudget
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o
}

func (o Options) candidates(ctx context.Context, base *Model) ([]language, error) {
	if o.Language != nil {
		return []language{{rules: o.Language}}, nil
	}
	s := &sample{}
	if err := s.growTo(ctx, base, minPairs); err != nil {
		return nil, err
	}
	return languages(base.Alphabet, s.readOnly(base.Alphabet)), nil
}

// attempt is the search in one language.
type attempt struct {
	Options
	model    *Model
	sample   *sample
	readOnly []bool
	query    *query
	result   Result

	candidate *Result // see Failure
}

// mostRefinements bounds how often verification may refute a model.
const mostRefinements = 60

// begin states the constraints of a sample.
func (o Options) begin(m *Model, s *sample, rules []theory.Rule) *attempt {
	n := newEncoding(newTable(m.Alphabet, append(Standard(m.Alphabet), o.Predicates...)))
	a := &attempt{Options: o, model: m, sample: s, readOnly: s.readOnly(m.Alphabet), query: newQuery(n, o.Solver())}
	a.query.add(n.constraints(s, o.options)...)
	a.result.Language = rules
	return a
}

// in looks for a scheme in one language.
func (o Options) in(ctx context.Context, m *Model, l language) (*Result, *Failure, error) {
	s, err := collect(ctx, m)
	if err != nil {
		return nil, nil, err
	}
	if kinds := unseen(m.Alphabet, s); o.Language == nil && len(kinds) > 0 {
		return nil, &Failure{Language: l.rules, Unseen: kinds, introducers: l.introducers}, nil
	}
	a := o.begin(m, s, l.rules)
	defer solver.Close(a.query.solver)
	failure := &Failure{Language: l.rules, introducers: l.introducers}
	for {
		ok, err := a.query.solve(ctx)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			if failure.Err == nil {
				err = a.explain(ctx, failure)
			}
			return nil, failure, err
		}
		refuted, err := a.refine(ctx)
		if err != nil {
			return nil, nil, err
		}
		if refuted == nil {
			return a.finish(ctx)
		}
		failure.Err, failure.Candidate = refuted, a.candidate
		if a.result.Stats.Refinements++; a.result.Stats.Refinements == mostRefinements {
			return nil, failure, nil
		}
	}
}

// refine verifies the best model. If it is refuted, the witness becomes a
// constraint and is returned.
func (a *attempt) refine(ctx context.Context) (refuted, err error) {
	best, err := a.query.best(ctx, a.sample.admitted)
	if err != nil {
		return nil, err
	}
	verified, err := a.verify(ctx, a.matching(best, false))
	var unfaithful *Unfaithful
	var notNormal *NotNormal
	var ambiguous *Ambiguous
	var notClosed *NotClosed
	if err == nil || errors.As(err, &unfaithful) || errors.As(err, &notNormal) {
		a.candidate = a.resultOf(best)
	}
	n := a.query.encoding
	switch {
	case err == nil:
		a.result.Matching = a.matching(best, true)
		a.result.Verified, a.result.Checks = verified, a.Checks
		return nil, nil
	case errors.As(err, &unfaithful):
		e, f := a.model.Alphabet.Labels(unfaithful.Admitted), a.model.Alphabet.Labels(unfaithful.Rejected)
		a.query.add(constraint{lit: n.differ(e, f), rule: ruleFaithful, e: e, f: f})
	case errors.As(err, &notNormal):
		r := removal{a.model.Alphabet.Labels(notNormal.Admitted), notNormal.Removed}
		a.query.add(
			constraint{lit: n.notMatch(r), rule: ruleMatch, e: r.e, gone: r.removed},
			constraint{lit: n.notUnmatched(r), rule: ruleUnmatched, e: r.e, gone: r.removed},
			constraint{lit: n.notDuplicate(r), rule: ruleDuplicate, e: r.e, gone: r.removed},
		)
	case !errors.As(err, &ambiguous) && !errors.As(err, &notClosed):
		return nil, err
	}
	a.query.add(constraint{lit: a.differs(best), rule: ruleFaithful})
	return err, nil
}

// differs says that a scheme is not the given one.
func (a *attempt) differs(m []bool) solver.Lit {
	n := a.query.encoding
	var ls []solver.Lit
	for v, bit := range m {
		if l := n.variable(v); bit {
			ls = append(ls, -l)
		} else {
			ls = append(ls, l)
		}
	}
	return n.circuit.Or(ls...)
}

// verify checks a scheme; the model is the reference seen through it.
func (a *attempt) verify(ctx context.Context, s theory.Matching) (*Model, error) {
	m, err := a.model.With(s)
	if err != nil {
		return nil, err
	}
	if a.result.Stats.Faithful, err = m.Faithful(ctx, a.Checks); err != nil {
		return nil, err
	}
	a.result.Stats.Normal, err = m.Normal(ctx, a.Checks)
	return m, err
}

// resultOf is a model as a result, whatever verification says of it.
func (a *attempt) resultOf(model []bool) *Result {
	r := a.result
	r.Matching = a.matching(model, true)
	a.summarize(&r)
	return &r
}

// summarize says which kinds are read-only, and how much work a result was.
func (a *attempt) summarize(r *Result) {
	for k, ro := range a.readOnly {
		if ro {
			r.ReadOnly = append(r.ReadOnly, a.model.Alphabet.Kinds[k].Kind)
		}
	}
	r.Stats.Length = a.sample.length
	r.Stats.Executions = len(a.sample.admitted)
	r.Stats.Pairs = len(a.sample.removals)
}

func (a *attempt) finish(ctx context.Context) (*Result, *Failure, error) {
	r := &a.result
	if a.All > 0 {
		best, err := a.query.best(ctx, a.sample.admitted)
		if err != nil {
			return nil, nil, err
		}
		others, err := a.query.others(ctx, best, a.All)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range others {
			r.Others = append(r.Others, Other{a.matching(m, true), a.differences(best, m)})
		}
	}
	a.summarize(r)
	return r, nil, nil
}
