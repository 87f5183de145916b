package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Engine checks with the procedure that Select finds for a theory. The zero
// Engine selects anew for each execution; one made by New once for each theory.
type Engine struct {
	selected *sync.Map // *theory.Theory to *selection
}

// selection is the outcome of Select, computed once.
type selection struct {
	once    sync.Once
	monitor *Monitor
	err     error
}

// New makes an engine that remembers what was selected for a theory as long as
// the engine lives. A theory must not be changed after it was used.
func New() Engine { return Engine{new(sync.Map)} }

// Name is "monitor".
func (Engine) Name() string { return "monitor" }

// Check decides an execution. Besides the errors of all engines there are two
// that mean that another engine should be asked: *NotRecognized, about the
// theory, and *OutsideClass, about the execution.
func (en Engine) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (check.Result, error) {
	m, err := en.selectFor(ctx, t)
	if err != nil {
		if ctx.Err() != nil {
			return check.Result{Verdict: check.Inconclusive, Engine: "monitor", Events: e.Events, Detail: interrupted}, nil
		}
		return check.Result{}, err
	}
	r, _, err := m.Check(ctx, e)
	return r, err
}

const interrupted = "the check was interrupted or its time limit reached"

// selectFor is Select, from memory if there is one. What a context cut short is
// not remembered.
func (en Engine) selectFor(ctx context.Context, t *theory.Theory) (*Monitor, error) {
	if en.selected == nil {
		return Select(ctx, t)
	}
	x, _ := en.selected.LoadOrStore(t, new(selection))
	s := x.(*selection)
	s.once.Do(func() { s.monitor, s.err = Select(ctx, t) })
	var not *NotRecognized
	if s.err != nil && !errors.As(s.err, &not) {
		en.selected.CompareAndDelete(t, x)
		if ctx.Err() == nil { // it was another's context
			return Select(ctx, t)
		}
	}
	return s.monitor, s.err
}

// Check decides an execution and says why. The reason is nil unless the verdict
// is Violation. It takes O(n) for queues, sets, registers and locks, and
// O(n log n) for stacks, beyond what choices about pending operations cost; a
// violation costs that a few times more to find the shortest violating prefix.
// Errors are those of Engine.Check.
func (m *Monitor) Check(ctx context.Context, e *history.Execution) (check.Result, *Reason, error) {
	res := check.Result{Engine: "monitor", Events: e.Events}
	if ctx.Err() != nil {
		res.Verdict, res.Detail = check.Inconclusive, interrupted
		return res, nil, nil
	}
	c, op, err := m.reader.read(e)
	if err == errLabel {
		return check.Result{}, nil, m.mistake(ctx, e, op)
	}
	if err != nil {
		return check.Result{}, nil, err
	}
	p := m.shape.new()
	a, w := p.decide(c, c.events)
	if a == linearizable {
		res.Verdict = check.Linearizable
		return res, nil, nil
	}
	n, a, w, stopped := shortest(ctx, p, c, c.events, a, w)
	if a == unclear {
		return check.Result{}, nil, &OutsideClass{Reason: "pending operations may have added a value a second time, or there are too many of them"}
	}
	r := m.reason(c, e, n, w)
	res.Verdict, res.Prefix, res.Patterns, res.Detail = check.Violation, int(n), m.patterns(ctx, r), r.Sentence
	if stopped != nil {
		res.Detail = interrupted + " before the shortest violating prefix was found; " + r.Sentence
	}
	return res, r, nil
}

// mistake is the error of an operation that the theory does not know, as the
// other engines report it.
func (m *Monitor) mistake(ctx context.Context, e *history.Execution, op int) error {
	o := e.Ops[op]
	o.Call = 0
	if o.Completed() {
		o.Return = 1
	}
	if _, err := (check.Symbolic{}).Check(ctx, m.theory, &history.Execution{Ops: []history.Operation{o}, Events: 2}); err != nil {
		return err
	}
	return fmt.Errorf("monitor: [%s] %s: operations must come in order of their calls, each call before its return", o.ID, o.Label)
}
