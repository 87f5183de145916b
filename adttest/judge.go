package adttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/theory"
)

// judge checks histories, each once for a scenario: against the theory, and
// against the reference if there is one, which has the last word.
type judge struct {
	theory *theory.Theory
	engine *check.Checker // nil: the theory says nothing
	exact  *check.Checker // looks again at what the engine finds
	oracle *oracle        // nil: there is no reference
	words  *check.Checker // explains violations
	seen   map[string]bool
	key    []byte

	sample    [][]history.Label // the operations of the first histories
	histories int               // different ones
	coverage  history.Coverage  // of them
	outside   int               // histories not judged: outside the theory's language,
	undecided int               // or given up
	breach    error             // the first one outside the language
	why       string            // what was said of the first one undecided
	differs   *difference       // the first history on which theory and reference disagree
}

// verdict is what becomes of a history.
type verdict int

const (
	holds verdict = iota
	violates
	disputed // the theory refuses what the reference admits
	unjudged // outside the theory's language, or given up
)

// newJudge picks the engine: the fast one if it can read the theory.
func newJudge(s *subject, engine string, o *oracle) (j *judge, err error) {
	t := s.theory
	j = &judge{theory: t, exact: s.exact, oracle: o, words: s.exact}
	if o != nil {
		if j.words, err = o.checker(t); err != nil {
			return nil, err
		}
	}
	options := check.Options{Engine: engine, Returned: true}
	if engine == "" {
		options = check.Options{Engine: "saturate", KeepMatches: true, Whole: true, Returned: true}
		if _, err := clauses.Compile(t); err != nil || t.Spec.Product != nil || t.Spec.Automaton != nil {
			j.engine = j.exact
			return j, nil
		}
	}
	j.engine, err = check.New(t, options)
	return j, err
}

// forget begins a new scenario.
func (j *judge) forget() { j.seen = map[string]bool{} }

// unjudged is the number of histories that were not judged.
func (j *judge) unjudged() int { return j.outside + j.undecided }

// mostSampled is how many histories are kept for the summary.
const mostSampled = 50

// judge judges a history of the present scenario that it has not seen yet.
func (j *judge) judge(ctx context.Context, e *history.Execution) (verdict, error) {
	if j.known(e) {
		return holds, nil
	}
	if j.histories++; j.histories <= mostSampled {
		var labels []history.Label
		for _, o := range j.rest(e).Ops {
			labels = append(labels, o.Label)
		}
		j.sample = append(j.sample, labels)
	}
	j.coverage.Add(history.Of(e))
	said, err := j.decide(ctx, e)
	var outside *check.OutsideLanguage
	switch {
	case errors.As(err, &outside):
		if j.outside++; j.breach == nil {
			j.breach = err
		}
		return unjudged, nil
	case err != nil:
		return holds, err
	case said.undecided != "" && ctx.Err() != nil:
		j.histories-- // the run has ended
	case said.undecided != "":
		if j.undecided++; j.why == "" {
			j.why = said.undecided
		}
		return unjudged, nil
	}
	return said.verdict, nil
}

// decision is a verdict, or why there is none.
type decision struct {
	verdict
	undecided string
}

// crossLimit bounds the memory of the search on the reference for a history that the
// theory admits: nearly always it takes a few calls.
const crossLimit = 4 << 20

// decide asks the theory, and then the reference. The error is an
// *check.OutsideLanguage if only the theory could be asked and has no opinion.
func (j *judge) decide(ctx context.Context, e *history.Execution) (decision, error) {
	var r check.Result
	var err error
	e = j.rest(e)
	switch {
	case j.engine == nil:
	case j.oracle != nil && j.strange(e):
		err = &check.OutsideLanguage{}
	default:
		r, err = j.byTheory(ctx, e)
	}
	if o := unanswerable(err); o != nil && j.oracle == nil {
		return j.upTo(ctx, e, o, err)
	}
	if errors.As(err, new(*check.OutsideLanguage)) && j.oracle == nil && j.broken(e) != nil {
		return decision{verdict: violates}, nil
	}
	switch {
	case j.oracle == nil && err == nil && r.Verdict == check.Inconclusive && j.strange(e):
		said, _, _ := strings.Cut(r.Detail, ": ")
		return decision{}, unseen(said)
	case j.oracle == nil, err != nil && !errors.As(err, new(*check.OutsideLanguage)) && unanswerable(err) == nil:
		return ofTheory(r), err
	}
	if j.oracle.lacks(e) {
		r, err = j.words.Check(ctx, e)
		if err == nil && r.Verdict == check.Inconclusive {
			return decision{undecided: r.Detail}, nil
		}
		if err == nil {
			return ofTheory(r), nil
		}
	}
	limit := callLimit
	if err == nil && (r.Verdict == check.Linearizable || r.Verdict == check.NoViolationFound) {
		limit = crossLimit
	}
	ruling, refErr := j.oracle.admits(ctx, e, false, limit)
	switch {
	case refErr != nil:
		return decision{}, refErr
	case ruling.undecided != "" && limit == crossLimit:
		return decision{}, nil
	case ruling.undecided != "":
		return decision{undecided: ruling.undecided}, nil
	case err == nil && r.Verdict == check.Violation && ruling.admitted:
		if j.differs == nil {
			j.differs = j.difference(ctx, e, r, ruling)
		}
		return decision{verdict: disputed}, nil
	case ruling.admitted:
		return decision{}, nil
	}
	return decision{verdict: violates}, nil
}

// unseen is why a history was not judged: it has an answer that the theory lacks, and may not know.
type unseen string

func (u unseen) Error() string { return string(u) }

// Unwrap: who knows what the theory does not is a reference.
func (unseen) Unwrap() error { return &check.OutsideLanguage{} }

// unanswerable is the operation that a checker refuses for what it returned; nil if it refuses
// nothing, or something else.
func unanswerable(err error) *history.Operation {
	var label *check.UnknownLabel
	if errors.As(err, &label) && label.Op.Completed() {
		return label.Op
	}
	return nil
}

// upTo decides a history by what comes before an operation that is refused: if that is no
// violation, the operation's answer makes it one, unless what is wrong is its call.
func (j *judge) upTo(ctx context.Context, e *history.Execution, o *history.Operation, refused error) (decision, error) {
	i := slices.IndexFunc(e.Ops, func(p history.Operation) bool { return p.ID == o.ID })
	if i < 0 {
		return decision{}, refused
	}
	said, err := j.decide(ctx, e.Prefix(e.Ops[i].Return))
	if err == nil && said.undecided == "" {
		said.verdict = violates
	}
	return said, err
}

// rest is a history without the operations that may fail in every state: it decides
// for the whole.
func (j *judge) rest(e *history.Execution) *history.Execution {
	return history.Kinds(j.theory.Spec.MayFail).Without(e)
}

// broken is the statement about executions outside the language that a history
// breaks, if any: a defect may leave the language by what it answers. Where an
// operation has not returned it may be what the statement asks for.
func (j *judge) broken(e *history.Execution) *theory.Rule {
	var labels matching.Labels
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			return nil
		}
		labels = append(labels, &e.Ops[i].Label)
	}
	v := j.theory.Vocabulary()
	for i := range j.theory.Spec.Beyond {
		rule := &j.theory.Spec.Beyond[i]
		if _, ok := instance.StatementOf(rule, v); ok && !formula.Eval(formula.Expand(rule.Formula, v), labels, map[string]int{}) {
			return rule
		}
	}
	return nil
}

// strange reports whether a history has an outcome that the theory does not know:
// where a reference answers so only in executions that are longer than those from
// which the theory was inferred.
func (j *judge) strange(e *history.Execution) bool {
	return slices.ContainsFunc(e.Ops, func(o history.Operation) bool {
		return o.Completed() && !slices.ContainsFunc(j.theory.Spec.Methods, func(m history.MethodSig) bool {
			return m.Name == o.Method && slices.ContainsFunc(m.Outcomes, func(k history.OutcomeSig) bool { return k.Outcome == o.Outcome })
		})
	})
}

// mayWait reports whether the operations of a history that did not return may
// wait for ever: whether the reference, too, has no answer for any of them after
// the others. Without a reference they may not.
func (j *judge) mayWait(ctx context.Context, e *history.Execution) (bool, error) {
	if j.oracle == nil || e == nil {
		return false, nil
	}
	r, err := j.oracle.admits(ctx, e, true, callLimit)
	if r.undecided != "" && ctx.Err() == nil {
		j.histories++
		if j.undecided++; j.why == "" {
			j.why = r.undecided
		}
	}
	return r.admitted || r.undecided != "", err
}

// byTheory decides a history by the engine. What that finds is looked at again.
func (j *judge) byTheory(ctx context.Context, e *history.Execution) (check.Result, error) {
	r, err := j.engine.Check(ctx, e)
	if err == nil && r.Verdict == check.Violation && j.engine != j.exact {
		return j.exact.Check(ctx, e)
	}
	return r, err
}

// admits reports whether the theory finds nothing wrong with a history.
func (j *judge) admits(ctx context.Context, e *history.Execution) bool {
	r, err := j.exact.Check(ctx, j.rest(e))
	return err == nil && r.Verdict == check.Linearizable
}

func ofTheory(r check.Result) decision {
	switch r.Verdict {
	case check.Violation:
		return decision{verdict: violates}
	case check.Inconclusive:
		return decision{undecided: "the engine did not finish"}
	}
	return decision{}
}

// difference is a sequence of operations that the reference answers, and that the
// theory says no implementation may.
type difference struct {
	theory   string
	sequence []string
	reasons  []string
}

// difference looks first at the few operations that the theory calls a violation.
func (j *judge) difference(ctx context.Context, e *history.Execution, r check.Result, whole ruling) *difference {
	d := &difference{theory: j.theory.Name}
	x, err := j.exact.Explain(ctx, e, r)
	if err == nil && x.Core != nil {
		for _, reason := range x.Reasons {
			d.reasons = append(d.reasons, reason.Name)
		}
		if few, err := j.oracle.admits(ctx, x.Core, false, callLimit); err == nil && few.admitted {
			e, whole = x.Core, few
		}
	}
	for _, i := range whole.order {
		d.sequence = append(d.sequence, e.Ops[i].Label.String())
	}
	return d
}

func (d *difference) String() string {
	const most = 20
	seq := d.sequence
	if n := len(seq); n > most {
		seq = append(append(seq[:most/2:most/2], fmt.Sprintf("... %d more ...", n-most)), seq[n-most/2:]...)
	}
	return fmt.Sprintf("the theory %s is wrong beyond its bounds: the reference answers the sequence %s, and the theory calls it a violation (%s)",
		d.theory, strings.Join(seq, "; "), strings.Join(d.reasons, ", "))
}

// known reports whether the same history was checked already. The calls are those
// of the scenario, so the order of events and the answers are all there is.
func (j *judge) known(e *history.Execution) bool {
	k := j.key[:0]
	events := make([]int, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		events[o.Call] = i
		if o.Completed() {
			events[o.Return] = ^i
		}
	}
	for _, i := range events {
		if i >= 0 {
			k = append(append(k, '('), e.Ops[i].Process...)
			continue
		}
		o := &e.Ops[^i]
		k = append(strconv.AppendInt(append(k, ')'), int64(^i), 10), o.Outcome...)
		for _, v := range o.Rets {
			k = append(append(k, ','), v...)
		}
	}
	j.key = k
	if j.seen[string(k)] {
		return true
	}
	j.seen[string(k)] = true
	return false
}
