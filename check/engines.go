package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// engine is a way to check. It never calls an admitted execution a violation.
type engine interface {
	// name is what users call the engine, in lower case.
	name() string

	// check decides an execution with resolved labels. It leaves Engine and Events
	// of the result to its caller.
	check(ctx context.Context, e *history.Execution) (Result, error)
}

// engineNames lists the engines, the default first.
func engineNames() []string {
	return []string{autoName, saturateName, monitorName, symbolicName, wglName}
}

// newEngine is the engine that the options ask for.
func (c *Checker) newEngine() (engine, error) {
	switch c.options.Engine {
	case autoName, "":
		return autoEngine{c}, nil
	case saturateName:
		return saturateEngine{c}, nil
	case monitorName:
		return &monitorEngine{c}, nil
	case symbolicName:
		return symbolicEngine{c}, nil
	case wglName:
		return newWGL(c)
	case "enumerate", "counting":
		return nil, fmt.Errorf("check: engine %s is for experiments and tests: in the source tree, go run ./cmd/experiments runs it; use %s",
			c.options.Engine, strings.Join(engineNames(), ", "))
	}
	return nil, fmt.Errorf("check: unknown engine %q: use %s", c.options.Engine, strings.Join(engineNames(), ", "))
}

// saturateEngine decides by unit propagation alone ("Monitoring refinement" §6),
// event by event: orders and returns that the patterns force are kept, and
// what contradicts them is a violation. It never calls an admitted execution
// one, and misses next to none; package saturate has the figures.
//
// Theories outside its fragment are a *clauses.Unsupported. It takes time about
// linear in the operations, and quadratic in how many of them overlap. A
// violation's prefix is where it was found.
type saturateEngine struct{ *Checker }

const saturateName = "saturate"

func (saturateEngine) name() string { return saturateName }

func (s saturateEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	return s.saturate(ctx, e)
}

func (c *Checker) saturate(ctx context.Context, e *history.Execution) (Result, error) {
	rules, err := c.propagation()
	if err != nil {
		return Result{}, err
	}
	events, err := eventsOf(e)
	if err == nil {
		err = rules.Validate(e)
	}
	if err != nil {
		return Result{}, err
	}
	o := c.propagationOptions(ctx)
	m := saturate.New(rules, o)
	at, finished, err := feed(ctx, m, e, events, o.Probe)
	r := Result{Verdict: NoViolationFound}
	switch v := m.Violation(); {
	case err != nil:
		return Result{}, fmt.Errorf("check: saturate: %w", err)
	case v != nil:
		r.Verdict, r.Prefix, r.Patterns, r.Detail = Violation, at, v.Patterns, shorter
		if c.options.Whole {
			r.Prefix, r.Detail = e.Events, logs.NotSought
		}
	case !finished:
		r.Verdict, r.Detail = Inconclusive, logs.Stopped(ctx)
	}
	return r, nil
}

func (c *Checker) propagationOptions(ctx context.Context) saturate.Options {
	o := saturate.Options{Removal: true, Stop: func() bool { return ctx.Err() != nil }}
	if c.options.Engine == saturateName {
		o.Removal, o.Probe = !c.options.KeepMatches, c.options.Probe
	}
	return o
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
		switch {
		case err != nil || m.Violation() != nil:
			return n + 1, true, err
		case m.GaveUp():
			return n, false, nil
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
		if !take(events, o.Call, i) || o.Completed() && !take(events, o.Return, ^i) {
			return nil, &ground.Disorder{Op: i}
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

// monitorEngine decides in near-linear time, by a procedure made for the type, which
// is recognized by the theory's patterns. It is complete, but not for all
// theories (the error is a *monitor.NotRecognized) and not for all executions
// (*monitor.OutsideClass): both mean that another engine should be asked.
//
// The Detail of a violation says what is wrong, in a sentence.
type monitorEngine struct{ *Checker }

const monitorName = "monitor"

func (*monitorEngine) name() string { return monitorName }

func (m *monitorEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	p, err := m.procedure(ctx)
	switch {
	case ctx.Err() != nil:
		return Result{Verdict: Inconclusive, Detail: logs.Stopped(ctx)}, nil
	case err != nil:
		return Result{}, err
	}
	res, reason, err := m.monitor(ctx, p, e)
	if err == nil && reason != nil {
		res.Patterns = m.patternsOf(ctx, reason)
	}
	return res, err
}

// procedure is the near-linear procedure for the theory, or for the model that
// the options name.
func (c *Checker) procedure(ctx context.Context) (*monitor.Procedure, error) {
	return c.selection.get(ctx, func() (*monitor.Procedure, error) {
		if c.options.Model != "" && c.options.Engine == monitorName {
			return c.modelMonitor(ctx)
		}
		p, err := monitor.Select(ctx, c.theory, func(ctx context.Context, e *history.Execution) (bool, bool, error) {
			e, err := c.resolve(e)
			if err != nil {
				return false, false, err
			}
			a, err := c.decide(ctx, e)
			return a.Sat, a.Sat || a.Excluded == "", inputError(err, e)
		})
		if width := ground.Sequential(c.theory, "monitor"); width != nil && errors.As(err, new(*monitor.NotRecognized)) {
			err = &monitor.NotRecognized{Theory: c.theory.Name, Reason: width.Error()}
		}
		return p, err
	})
}

// modelMonitor is the near-linear procedure for a data type about which no theory
// says all: the built-in models priority-queue and min-priority-queue. The
// theory is compared with what it can say of them, and tells the names of the
// methods.
func (c *Checker) modelMonitor(ctx context.Context) (*monitor.Procedure, error) {
	t, model := c.theory, c.options.Model
	if model != "priority-queue" && model != "min-priority-queue" {
		return nil, fmt.Errorf("check: monitor needs no model %q: it has procedures for the models priority-queue and min-priority-queue, and chooses all others from the theory", model)
	}
	_, names, err := wgl.Named(ctx, t, model)
	if err != nil {
		return nil, err
	}
	name := func(own string) string { return append(slices.Clone(names[own]), own)[0] }
	p := monitor.PriorityQueue{Name: t.Name, Add: name("add"), Remove: name("remove"), Peek: name("peek"), Aliases: map[string][]string{}, LowestFirst: model == "min-priority-queue"}
	for i := range t.Spec.Methods {
		p.Aliases[t.Spec.Methods[i].Name] = t.Spec.Methods[i].Aliases
	}
	return monitor.ForPriorityQueue(p), nil
}

// monitor decides an execution by a procedure. It gives the reason for a violation,
// whose patterns it leaves to the caller.
func (c *Checker) monitor(ctx context.Context, p *monitor.Procedure, e *history.Execution) (Result, *monitor.Reason, error) {
	decide := p.Check
	if c.options.Whole {
		decide = p.CheckWhole
	}
	found, err := decide(ctx, e)
	switch {
	case errors.As(err, new(*monitor.BadOperation)), errors.As(err, new(*monitor.OutsideClass)):
		if refused := c.refuses(ctx, e); refused != nil {
			err = refused
		}
		return Result{}, nil, err
	case err != nil:
		return Result{}, nil, err
	}
	res, reason := c.monitored(ctx, p, found)
	return res, reason, nil
}

// monitored is the result of what a procedure found, and the reason for a violation.
func (c *Checker) monitored(ctx context.Context, p *monitor.Procedure, found monitor.Result) (Result, *monitor.Reason) {
	if found.Linearizable {
		return Result{Verdict: Linearizable, Procedure: p.Why()}, nil
	}
	res := Result{Verdict: Violation, Prefix: found.Prefix, Procedure: p.Why(), Detail: found.Reason.Sentence}
	switch {
	case !found.Shortest && c.options.Whole && ctx.Err() == nil:
		res.Detail = joined(res.Detail, logs.NotSought)
	case !found.Shortest:
		why := "whether a shorter prefix is a violation is not known, for what pending operations may do"
		if ctx.Err() != nil {
			why = logs.Stopped(ctx) + " before the shortest violating prefix was found"
		}
		res.Detail = why + "; " + res.Detail
	}
	return res, found.Reason
}

// fewOps is how many operations a reason has at most whose patterns symbolic names, and
// fewPairs how many others each of them overlaps, on average.
const (
	fewOps   = 100
	fewPairs = 4
)

// patternsOf names the patterns that exclude every linearization of a reason's
// operations, and so of the prefix.
func (c *Checker) patternsOf(ctx context.Context, r *monitor.Reason) []string {
	if len(r.Ops) <= fewOps && !muchPending(r.Execution) && logs.Pairs(r.Execution, fewPairs*len(r.Ops)+1) <= fewPairs*len(r.Ops) {
		res, err := c.satisfiable(ctx, r.Execution, false)
		if err == nil && res.Verdict == Violation && len(res.Patterns) > 0 {
			return res.Patterns
		}
	}
	return r.Patterns
}

// wglEngine decides by search for a linearization in a built-in model, with a cache
// of configurations ("Faster linearizability checking via P-compositionality" §4).
// It is complete. The model is what decides: the theory only says which methods
// there are, and executions outside its language are decided, too. It takes time
// exponential in the overlap at worst.
type wglEngine struct {
	*Checker
	compared once[wgl.Model]
}

const wglName = "wgl"

func (*wglEngine) name() string { return wglName }

func newWGL(c *Checker) (engine, error) {
	switch o := c.options; {
	case o.LRU < 0:
		return nil, errors.New("check: the cache of wgl cannot hold fewer than 0 configurations")
	case o.Model == "" && len(c.described) > 0:
		return c.described[0], nil
	case o.Model == "":
		return nil, fmt.Errorf("check: engine wgl searches over an automaton, and theory %s has none, or over a model: name one, %s", c.named, strings.Join(wgl.Builtins(), ", "))
	}
	if err := ground.Sequential(c.theory, wglName); err != nil {
		return nil, err
	}
	return &wglEngine{Checker: c}, nil
}

// model is the built-in model, once it was compared with the theory.
func (w *wglEngine) model(ctx context.Context) (wgl.Model, error) {
	return w.compared.get(ctx, func() (wgl.Model, error) { return wgl.ForTheory(ctx, w.withoutFailures(), w.options.Model) })
}

func (w *wglEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	m, err := w.model(ctx)
	switch {
	case ctx.Err() != nil:
		return Result{Verdict: Inconclusive, Detail: logs.Stopped(ctx)}, nil
	case err != nil:
		return Result{}, err
	}
	if known, ok := m.(wgl.Refusing); ok {
		err = refuse(known, e, e)
	}
	if err = cmp.Or(err, fits(m, e, e)); err != nil {
		return Result{}, err
	}
	r, err := wgl.Check(ctx, m, e, wgl.Options{LRU: w.options.LRU, Partition: true})
	switch {
	case err != nil:
		return Result{Verdict: Inconclusive, Detail: ended(ctx, err)}, nil
	case r.Linearizable:
		return Result{Verdict: Linearizable, Parts: r.Parts}, nil
	}
	res := Result{Verdict: Violation, Prefix: r.Prefix, Parts: r.Parts}
	if r.Upper {
		res.Detail = "a shorter prefix may violate, too: " + ended(ctx, r.Ended)
	}
	return res, nil
}

// ended says why a search did.
func ended(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return logs.Stopped(ctx)
	}
	return err.Error()
}
