package check

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/check/saturate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Saturate decides by unit propagation alone ("Monitoring refinement" §6),
// event by event: orders and returns that the patterns force are kept, and
// what contradicts them is a violation. It never calls an admitted execution
// one, and misses next to none; package saturate has the figures.
//
// Theories outside its fragment are a *saturate.Unsupported.
type Saturate struct {
	Removal bool // forget matches that can contribute nothing any more (§5)
	Probe   bool // try both values of open literals, too
	Whole   bool // check the whole execution only, not each prefix

	// Rules are the theory's, if who checks many executions has compiled it
	// already.
	Rules *saturate.Rules
}

// Name is "saturate".
func (Saturate) Name() string { return "saturate" }

// Check decides one execution in time about linear in its operations, and
// quadratic in how many of them overlap. A violation's prefix is where it was
// found, which may be later than the shortest violating one: then Detail is
// not empty.
func (s Saturate) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	rules := s.Rules
	if rules == nil {
		var err error
		if rules, err = saturate.Compile(t); err != nil {
			return Result{}, err
		}
	}
	run := &saturation{e: e, m: rules.Monitor(saturate.Options{Removal: s.Removal, Probe: s.Probe, Remember: len(e.Ops) + 1})}
	r, err := run.check(ctx)
	r.Engine, r.Events = s.Name(), e.Events
	return r, err
}

// saturation feeds an execution to a monitor.
type saturation struct {
	e *history.Execution
	m *saturate.Monitor
}

func (s *saturation) check(ctx context.Context) (Result, error) {
	events := eventsOf(s.e)
	running := make([]saturate.Op, len(s.e.Ops))
	for n, i := range events {
		if n&1023 == 0 && ctx.Err() != nil && s.m.Violation() == nil {
			return Result{Verdict: Inconclusive, Detail: "the time limit was reached"}, nil
		}
		var err error
		if i >= 0 {
			o := &s.e.Ops[i]
			running[i], err = s.m.Call(o.Method, o.Args)
		} else {
			o := &s.e.Ops[^i]
			_, err = s.m.Return(running[^i], o.Outcome, o.Rets)
		}
		if err != nil {
			return Result{}, s.explain(err, n)
		}
	}
	if v := s.m.Violation(); v != nil {
		return Result{Verdict: Violation, Prefix: v.Prefix, Patterns: v.Patterns, Detail: "a shorter prefix may violate, too"}, nil
	}
	return Result{Verdict: NoViolationFound}, nil
}

// eventsOf lists the operations by event: i calls, ^i returns.
func eventsOf(e *history.Execution) []int {
	events := make([]int, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		events[o.Call] = i
		if o.Completed() {
			events[o.Return] = ^i
		}
	}
	return events
}

// explain makes a monitor's error about event n one about operations.
func (s *saturation) explain(err error, n int) error {
	var label *saturate.LabelError
	var language *saturate.LanguageError
	switch {
	case errors.As(err, &language):
		return &OutsideLanguage{Rule: language.Rule}
	case errors.As(err, &label):
		return &UnknownLabel{Msg: label.Msg}
	}
	return err
}
