package synthesis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/enumerate"
	"github.com/adtinfer/adtinfer/internal/model"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/matching"
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
	Checks matching.Budget      // of the verification; default matching.DefaultBudget
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
	Constraints int
	Valuations  int
	Refinements int // schemes that verification refuted
	Solving     time.Duration
	Faithful    model.Report
	Normal      model.Report
}

// Failure says why there is no scheme in one language.
type Failure struct {
	Language []theory.Rule
	Core     []string // constraints that contradict each other, in words; empty if verification failed
	Conflict []string // the pairs of operations they are about: "remove => 1 to add(1)"
	Err      error    // the last thing that verification found, if it was that

	// Candidate is the last scheme that verification refuted for not being
	// faithful, or the type not normal under it; nil if there was none.
	Candidate *Result

	// Unseen lists the kinds of operations that do not occur in the executions
	// of the language that synthesis looks at. If there are some, no scheme was
	// looked for.
	Unseen []history.Kind

	introducers int
}

// None is the error of a reference without a faithful, normal scheme over the
// predicates, in any of the languages that were tried.
type None struct {
	Tried   int
	Failure Failure // for the language that came closest
	Advice  string

	// Candidate is a refuted scheme to go on with, for those who insist: that of
	// the first language that has one. It is nil if no language has.
	Candidate *Result
}

func (n *None) Error() string {
	s := "synthesis: no matching scheme is faithful and normal"
	switch {
	case len(n.Failure.Unseen) > 0:
		var kinds []string
		for _, k := range n.Failure.Unseen {
			kinds = append(kinds, k.String())
		}
		s = fmt.Sprintf("synthesis: no matching scheme can be found: in executions of up to %d operations, there is no %s", pairLength, strings.Join(kinds, ", and no "))
	case len(n.Failure.Language) > 0:
		s += fmt.Sprintf(", even where %s", n.Failure.Language[0].Reading)
	case n.Tried > 1:
		s += fmt.Sprintf(" in any of %d languages", n.Tried)
	}
	if n.Failure.Err != nil {
		s += ":\n  " + n.Failure.Err.Error()
	}
	if len(n.Failure.Core) > 0 {
		s += ": these contradict each other"
		for _, c := range n.Failure.Core {
			s += "\n  " + c
		}
	}
	if len(n.Failure.Conflict) > 0 {
		s += "\nthey conflict on whether these map: " + strings.Join(n.Failure.Conflict, "; ")
	}
	if n.Advice != "" {
		s += "\n" + n.Advice
	}
	return s
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
		if len(formula.Compared(p.Formula)) > 0 {
			return nil, &matching.Unsupported{Reason: "predicate " + formula.String(p.Formula) + " compares values by their order, but inference looks at executions up to renaming of values"}
		}
	}
	o.Progress("finding the kinds of operations")
	base, err := model.Explore(ctx, impl, o.Language, o.Depth)
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
	if o.Checks == (matching.Budget{}) {
		o.Checks = matching.DefaultBudget
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o
}

func (o Options) candidates(ctx context.Context, base *model.Model) ([]language, error) {
	if o.Language != nil {
		return []language{{rules: o.Language}}, nil
	}
	s := &sample{}
	for n := 1; n <= minPairs; n++ {
		if err := s.grow(ctx, base); err != nil {
			return nil, err
		}
	}
	return languages(base.Alphabet, s.readOnly(base.Alphabet)), nil
}

// attempt is the search in one language.
type attempt struct {
	Options
	model    *model.Model
	sample   *sample
	readOnly []bool
	query    *query
	result   Result

	candidate *Result // see Failure
}

// mostRefinements bounds how often verification may refute a model.
const mostRefinements = 60

// begin states the constraints of a sample.
func (o Options) begin(m *model.Model, s *sample, rules []theory.Rule) *attempt {
	n := newEncoding(newTable(m.Alphabet, append(Standard(m.Alphabet), o.Predicates...)))
	a := &attempt{Options: o, model: m, sample: s, readOnly: s.readOnly(m.Alphabet), query: newQuery(n, o.Solver())}
	a.query.add(n.constraints(s, o.options)...)
	a.result.Language = rules
	return a
}

// in looks for a scheme in one language.
func (o Options) in(ctx context.Context, m *model.Model, l language) (*Result, *Failure, error) {
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
	err = a.verify(ctx, a.matching(best, false))
	var unfaithful *matching.Unfaithful
	var notNormal *matching.NotNormal
	var ambiguous *matching.Ambiguous
	var notClosed *matching.NotClosed
	if err == nil || errors.As(err, &unfaithful) || errors.As(err, &notNormal) {
		a.candidate = a.resultOf(best)
	}
	n := a.query.encoding
	switch {
	case err == nil:
		a.result.Matching = a.matching(best, true)
		return nil, nil
	case errors.As(err, &unfaithful):
		e, f := a.model.Alphabet.Labels(unfaithful.Admitted), a.model.Alphabet.Labels(unfaithful.Rejected)
		a.query.add(constraint{lit: n.apart(e, f), rule: ruleFaithful, e: e, f: f})
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
func (a *attempt) differs(m []bool) formula.Lit {
	n := a.query.encoding
	var ls []formula.Lit
	for v, bit := range m {
		if l := n.variable(v); bit {
			ls = append(ls, -l)
		} else {
			ls = append(ls, l)
		}
	}
	return n.circuit.Or(ls...)
}

func (a *attempt) verify(ctx context.Context, s theory.Matching) error {
	m, err := a.model.With(s)
	if err != nil {
		return err
	}
	if a.result.Stats.Faithful, err = m.Faithful(ctx, a.Checks); err != nil {
		return err
	}
	a.result.Stats.Normal, err = m.Normal(ctx, a.Checks)
	return err
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
	r.Stats.Constraints = len(a.query.constraints)
	r.Stats.Valuations = len(a.query.encoding.g)
	r.Stats.Solving = a.query.spent
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

// explain puts the unsatisfiable core in words.
func (a *attempt) explain(ctx context.Context, f *Failure) error {
	core, err := a.query.core(ctx)
	if err != nil {
		return err
	}
	t := a.query.encoding.table
	shared := make([]int, len(t.valuations))
	for _, c := range core {
		f.Core = append(f.Core, c.describe(a.model.Alphabet))
		for v := range c.valuations(t) {
			shared[v]++
		}
	}
	for v, n := range shared {
		if n == len(core) || n > 1 && n >= len(core)-1 {
			f.Conflict = append(f.Conflict, t.pairText(v))
		}
	}
	return nil
}

// explain chooses the failure to report: of the first language that got as far
// as verification, or else of the language that restricts most operations, where
// a contradiction is least likely to be about values that merely repeat; the
// shortest contradiction of those. A language in which some kind is unseen counts
// only if all are such; then the first, which restricts nothing, tells.
func (o Options) explain(base *model.Model, failures []Failure) *None {
	seen := slices.DeleteFunc(slices.Clone(failures), func(f Failure) bool { return len(f.Unseen) > 0 })
	if len(seen) == 0 {
		return &None{Tried: len(failures), Failure: failures[0], Advice: "if it takes a full object to see that, infer from one with a smaller capacity; or give the matching scheme"}
	}
	failures = seen
	best, candidate := failures[0], failures[0].Candidate
	for _, f := range failures[1:] {
		if candidate == nil {
			candidate = f.Candidate
		}
		switch {
		case best.Err != nil:
		case f.Err != nil, f.introducers > best.introducers,
			f.introducers == best.introducers && len(f.Core) < len(best.Core):
			best = f
		}
	}
	return &None{Tried: len(failures), Failure: best, Advice: advice(base.Alphabet), Candidate: candidate}
}

func advice(a *enumerate.Alphabet) string {
	if len(equalities(a)) == 0 {
		return "no predicate relates the values of two operations: nothing tells which belong together"
	}
	return "a predicate that relates operations by more than equality of their values may help"
}
