package adttest

import (
	"context"
	"errors"
	"strconv"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/clauses"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// judge checks histories, each once for a scenario.
type judge struct {
	theory *theory.Theory
	engine check.Engine
	seen   map[string]bool
	key    []byte

	distinct, outside, inconclusive int
	breach                          error // the first one outside the language
}

// newJudge picks the engine: the fast one if it can read the theory.
func newJudge(t *theory.Theory, engine check.Engine) *judge {
	if engine == nil {
		engine = check.Symbolic{}
		if rules, err := clauses.Compile(t); err == nil {
			engine = check.Saturate{Rules: rules, Whole: true}
		}
	}
	return &judge{theory: t, engine: engine}
}

// forget begins a new scenario.
func (j *judge) forget() { j.seen = map[string]bool{} }

// violates tells whether a history is a violation. What an engine finds is
// looked at again by symbolic, which also finds the reasons.
func (j *judge) violates(ctx context.Context, e *history.Execution) (bool, error) {
	if j.known(e) {
		return false, nil
	}
	j.distinct++
	r, err := j.engine.Check(ctx, j.theory, e)
	var outside *check.OutsideLanguage
	switch {
	case errors.As(err, &outside):
		j.outside++
		if j.breach == nil {
			j.breach = err
		}
		return false, nil
	case err != nil:
		return false, err
	case r.Verdict == check.Inconclusive:
		j.inconclusive++
	case r.Verdict == check.Violation:
		if r, err = (check.Symbolic{}).Check(ctx, j.theory, e); err == nil && r.Verdict == check.Inconclusive {
			j.inconclusive++
		}
		return err == nil && r.Verdict == check.Violation, err
	}
	return false, nil
}

// known tells whether the same history was checked already. The calls are those
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
