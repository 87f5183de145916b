package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/theory"
)

// Saturate decides by unit propagation alone ("Monitoring refinement" §6),
// event by event: orders and returns that the patterns force are kept, and
// what contradicts them is a violation. It never calls an admitted execution
// one, and misses next to none; package saturate has the figures.
//
// Theories outside its fragment are a *clauses.Unsupported.
type Saturate struct {
	Removal bool // forget matches that can contribute nothing any more (§5)
	Probe   bool // try both values of open literals, too
	Whole   bool // say no more of a violation than that the whole execution is one

	// Rules are the theory's, if who checks many executions has compiled it
	// already; else each check does.
	Rules *clauses.Rules
}

// Name is "saturate".
func (Saturate) Name() string { return "saturate" }

// Check decides one execution in time about linear in its operations, and
// quadratic in how many of them overlap. A violation's prefix is where it was
// found, and Detail says that a shorter one may violate, too.
func (s Saturate) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	rules := s.Rules
	if rules == nil {
		var err error
		if rules, err = clauses.Compile(t); err != nil {
			return Result{}, err
		}
	}
	events, err := eventsOf(e)
	if err == nil {
		err = saturateError(rules.Validate(e), e)
	}
	if err != nil {
		return Result{}, err
	}
	m := saturate.New(rules, saturate.Options{Removal: s.Removal, Probe: s.Probe, Stop: func() bool { return ctx.Err() != nil }})
	at, finished, err := feed(ctx, m, e, events, s.Probe)
	r := Result{Verdict: NoViolationFound, Engine: s.Name(), Events: e.Events}
	switch v := m.Violation(); {
	case err != nil:
		return Result{}, fmt.Errorf("check: saturate: %w", err)
	case v != nil:
		r.Verdict, r.Prefix, r.Patterns, r.Detail = Violation, at, v.Patterns, "a shorter prefix may violate, too"
		if s.Whole {
			r.Prefix, r.Detail = e.Events, notSought
		}
	case !finished:
		r.Verdict, r.Detail = Inconclusive, stopped(ctx)
	}
	return r, nil
}

// feed gives a monitor the events of an execution until it finds a violation,
// or the context ends. At is the number of events until then.
func feed(ctx context.Context, m *saturate.Saturation, e *history.Execution, events []int, probing bool) (at int, finished bool, err error) {
	running := make([]saturate.Op, len(e.Ops))
	for n, i := range events {
		if (n&255 == 0 || probing) && ctx.Err() != nil {
			return n, false, nil
		}
		switch {
		case i == noEvent:
		case i >= 0:
			running[i], err = m.Call(e.Ops[i].Method, e.Ops[i].Args)
		default:
			o := &e.Ops[^i]
			_, err = m.Return(running[^i], o.Outcome, o.Rets)
		}
		if err != nil || m.Violation() != nil {
			return n + 1, true, err
		}
	}
	return e.Events, true, nil
}

// noEvent stands for an event that is none of the operations'.
const noEvent = int(^uint(0) >> 1)

// eventsOf lists operations by event: i where i is called, ^i where it returns.
func eventsOf(e *history.Execution) ([]int, error) {
	events := make([]int, e.Events)
	for i := range events {
		events[i] = noEvent
	}
	for i := range e.Ops {
		o := &e.Ops[i]
		if i > 0 && o.Call <= e.Ops[i-1].Call || !take(events, o.Call, i) || o.Completed() && (o.Return <= o.Call || !take(events, o.Return, ^i)) {
			return nil, fmt.Errorf("check: %s: operations must come in order of their calls, each call before its return", operation(o))
		}
	}
	return events, nil
}

// take makes event n one of operation i's; false if there is no such event, or
// another operation has it.
func take(events []int, n, i int) bool {
	if n < 0 || n >= len(events) || events[n] != noEvent {
		return false
	}
	events[n] = i
	return true
}

// saturateError makes an error about indices one about operations.
func saturateError(err error, e *history.Execution) error {
	var label *clauses.LabelError
	var language *clauses.LanguageError
	switch {
	case errors.As(err, &label):
		return &UnknownLabel{&e.Ops[label.Op], label.Msg}
	case errors.As(err, &language):
		return &OutsideLanguage{language.Rule, &e.Ops[language.A], &e.Ops[language.B]}
	}
	return err
}
