package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
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
	if c.theory == nil {
		return nil
	}
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
			r.Detail = shorter
		}
		r.Verdict, r.Detail = Violation, joined(r.Detail, s.Reason())
	}
	return r
}

// ownTexts copies an operation for who keeps texts of it, which may be parts of much
// text.
func ownTexts(o *history.Operation) *history.Operation {
	x := *o
	x.ID, x.Args, x.Rets = strings.Clone(o.ID), slices.Clone(o.Args), slices.Clone(o.Rets)
	for _, vs := range [][]history.Value{x.Args, x.Rets} {
		for i, v := range vs {
			vs[i] = history.Value(strings.Clone(string(v)))
		}
	}
	return &x
}

// propagation is saturation event by event.
type propagation struct {
	*saturate.Saturation
	running map[string]saturate.Op
}

func (p *propagation) event(o *history.Operation) (bool, error) {
	o = ownTexts(o)
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
		r.Verdict, r.Prefix, r.Patterns, r.Detail = Violation, v.Prefix, v.Patterns, shorter
	}
	return r
}

// configured follows an execution with the automaton of a theory, each key of a product
// on its own: with all configurations that the events so far allow. It is exact.
type configured struct {
	labels *configurations.Labels
	sizes  *configurations.Range
	keys   *configurations.Keys
	events int
	bad    bool
	err    error
}

const configuredName = "configurations"

// configured is nil if the theory has no automaton, or another engine is asked for.
func (c *Checker) configured() *configured {
	if c.spec == nil || len(c.mayFail) > 0 || c.options.Engine != "" && c.options.Engine != autoName {
		return nil
	}
	keys, err := configurations.NewKeys(c.spec)
	if err != nil {
		return nil
	}
	return &configured{labels: configurations.LabelsOf(c.spec), sizes: configurations.NewRange(c.spec), keys: keys}
}

func (f *configured) event(o *history.Operation) (ok bool, err error) {
	f.events++
	if err := f.labels.Refuses(&o.Label); err != nil {
		f.err = &UnknownLabel{ownTexts(o), err.Error()}
		return false, f.err
	}
	if !o.Completed() {
		if err := f.sizes.Take(&o.Label); err != nil {
			f.err = &UnknownLabel{ownTexts(o), err.Error()}
			return false, f.err
		}
		f.keys.Call(o.ID, &o.Label)
		return true, nil
	}
	if ok, err = f.keys.Return(o.ID, &o.Label); err != nil {
		f.err = &unfollowed{ownTexts(o), err}
		return false, f.err
	}
	f.bad = !ok
	return ok, nil
}

func (f *configured) live() int { return f.keys.Live() }

// holds: all that happened is known.
func (f *configured) holds(*history.Operation) bool { return true }

func (f *configured) result() Result {
	r := Result{Verdict: Linearizable, Engine: configuredName, Events: f.events}
	switch {
	case f.err != nil:
		r.Verdict, r.Detail = NoViolationFound, f.err.Error()
	case f.bad:
		r.Verdict, r.Prefix = Violation, f.events
	}
	return r
}

// unfollowed is the error of an event after which a log cannot be followed: since too much is possible after the
// operation, or without one for the error's reason.
type unfollowed struct {
	op  *history.Operation
	err error
}

func (u *unfollowed) Error() string {
	if u.op == nil {
		return u.err.Error()
	}
	return fmt.Sprintf("what may have happened until %s cannot be listed: %v", operation(u.op), u.err)
}

// instead has the theory's automaton go on where the patterns do not: it is given all
// events, if they are kept, and is nil if they are not or it cannot go on.
func (f *follower) instead() *configured {
	set := f.configured()
	if _, already := f.online.(*configured); already || set == nil || f.kept == nil {
		return nil
	}
	e := f.kept.execution()
	events, err := eventsOf(e)
	for _, i := range events {
		if err != nil || set.bad {
			break
		}
		o := e.Ops[max(i, ^i)]
		if i >= 0 {
			o.Return, o.Outcome, o.Rets = history.NoReturn, history.Pending, nil
		}
		_, err = set.event(&o)
	}
	if err != nil {
		return nil
	}
	f.online, f.language = set, &language{}
	return set
}

// exactly reports whether what follows an execution misses nothing.
func exactly(o online) bool {
	switch o.(type) {
	case *stream, *configured:
		return true
	}
	return false
}
