package check

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
)

// online is an engine that follows an execution as it happens, in memory that
// does not grow with it.
type online interface {
	// event takes an operation that is called or, if it is completed, returns.
	// It is false if what happened so far is a violation. After an error, which
	// is about the event, the engine is of no use.
	event(o *history.Operation) (ok bool, err error)

	// holds reports whether earlier operations with the same values as one that is
	// called are taken into account; else it is taken for the first.
	holds(o *history.Operation) bool

	// result is what is known so far. It may take as long as many events do.
	result() Result

	live() int
}

// onlineEngine is the engine that follows executions in place of the one that was
// chosen; nil if there is none.
func (c *Checker) onlineEngine(ctx context.Context) online {
	if m := c.firstProcedure(ctx); m != nil {
		if s, err := m.Stream(); err == nil {
			return &stream{s, true, nil}
		}
	}
	switch c.engine.(type) {
	case autoEngine, saturateEngine:
		rules, err := c.propagation()
		if err != nil {
			return nil
		}
		return &propagation{saturate.New(rules, c.propagationOptions(ctx)), map[string]saturate.Op{}}
	}
	return nil
}

// firstProcedure is the near-linear procedure that the engine asks first about long
// executions; nil if there is none.
func (c *Checker) firstProcedure(ctx context.Context) *monitor.Procedure {
	switch c.engine.(type) {
	case autoEngine, *monitorEngine:
		m, _ := c.procedure(ctx)
		return m
	}
	return nil
}

// stream is a near-linear procedure that can work event by event.
type stream struct {
	*monitor.Stream
	ok  bool
	err error // why it cannot be told
}

func (s *stream) event(o *history.Operation) (ok bool, err error) {
	if !o.Completed() {
		s.err = s.Call(o.ID, o.Method, o.Args...)
		return true, s.err
	}
	s.ok, s.err = s.Return(o.ID, o.Outcome, o.Rets...)
	return s.ok, s.err
}

func (s *stream) live() int { return s.Live() }

func (s *stream) holds(o *history.Operation) bool { return s.Holds(o.Args...) }

func (s *stream) result() Result {
	if s.ok && s.err == nil {
		s.ok, s.err = s.Finish()
	}
	r := Result{Verdict: Linearizable, Engine: monitorName, Events: s.Events()}
	switch {
	case s.err != nil:
		r.Verdict, r.Detail = NoViolationFound, s.err.Error()
	case !s.ok:
		exact := false
		if r.Prefix, exact = s.Prefix(); !exact {
			r.Detail = "a shorter prefix may violate, too"
		}
		r.Verdict, r.Detail = Violation, joined(r.Detail, s.Reason())
	}
	return r
}

// propagation is saturation event by event.
type propagation struct {
	*saturate.Saturation
	running map[string]saturate.Op
}

func (p *propagation) event(o *history.Operation) (bool, error) {
	var err error
	if o.Completed() {
		_, err = p.Return(p.running[o.ID], o.Outcome, o.Rets)
		delete(p.running, o.ID)
	} else {
		p.running[o.ID], err = p.Call(o.Method, o.Args)
	}
	if err != nil {
		err = fmt.Errorf("check: %s: %w", operation(o), err)
	}
	return p.Violation() == nil, err
}

func (p *propagation) live() int { return p.Live() }

func (p *propagation) holds(o *history.Operation) bool { return p.Holds(o.Method, o.Args) }

func (p *propagation) result() Result {
	r := Result{Verdict: NoViolationFound, Engine: saturateName, Events: p.Events()}
	if v := p.Violation(); v != nil {
		r.Verdict, r.Prefix, r.Patterns, r.Detail = Violation, v.Prefix, v.Patterns, "a shorter prefix may violate, too"
	}
	return r
}
