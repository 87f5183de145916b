// Package checktest gives tests the checking engines as values, for any theory, and
// the oracle that decides linearizations one by one.
package checktest

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/theory"
)

// Engine is a way to check, for any theory.
type Engine interface {
	Name() string
	Check(ctx context.Context, t *theory.Theory, e *history.Execution) (check.Result, error)
}

// By is a new Checker for each check.
type By check.Options

// Name is the engine's.
func (b By) Name() string {
	if b.Engine == "" {
		return "auto"
	}
	return b.Engine
}

// Check decides an execution.
func (b By) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (check.Result, error) {
	c, err := check.New(t, check.Options(b))
	if err != nil {
		return check.Result{}, err
	}
	return c.Check(ctx, e)
}

// Oracle is package enumerate.
type Oracle struct{}

// Name is "enumerate".
func (Oracle) Name() string { return "enumerate" }

// Check decides an execution. Symbolic says why one is refused.
func (Oracle) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (check.Result, error) {
	c, err := check.New(t, check.Options{Engine: "symbolic"})
	if err != nil {
		return check.Result{}, err
	}
	n, err := NewEnumerate(t)
	if err != nil {
		return check.Result{}, err
	}
	return enumerated(ctx, n, c, e)
}

func enumerated(ctx context.Context, n *Enumerate, c *check.Checker, e *history.Execution) (check.Result, error) {
	found, err := n.Check(ctx, e)
	if err != nil {
		_, err := c.Check(ctx, e)
		return check.Result{}, err
	}
	res := check.Result{Engine: "enumerate", Events: e.Events, Verdict: check.Inconclusive, Prefix: found.Violation, Detail: found.Detail}
	switch {
	case found.Linearizable:
		res.Verdict = check.Linearizable
	case found.Violation > 0:
		res.Verdict = check.Violation
		res.Patterns, _ = n.Core(ctx, e.Prefix(found.Violation)) // none if time runs out
	}
	return res, nil
}

// All are the engines that need no model, the default first, and the oracle.
func All() []Engine {
	return []Engine{By{}, By{Engine: "saturate"}, By{Engine: "monitor"}, By{Engine: "symbolic"}, Oracle{}}
}

// Ready is an engine for one theory.
type Ready struct {
	*check.Checker
	name   string
	oracle *Enumerate
}

// Prepare makes an engine ready for a theory.
func Prepare(tb testing.TB, engine Engine, t *theory.Theory) Ready {
	tb.Helper()
	r := Ready{name: engine.Name()}
	options := check.Options{Engine: "symbolic"}
	var err error
	if b, ok := engine.(By); ok {
		options = check.Options(b)
	} else if r.oracle, err = NewEnumerate(t); err != nil {
		tb.Fatal(err)
	}
	if r.Checker, err = check.New(t, options); err != nil {
		tb.Fatal(err)
	}
	return r
}

// Name is the engine's.
func (r Ready) Name() string { return r.name }

// Check decides an execution; the theory is the one that was prepared.
func (r Ready) Check(ctx context.Context, _ *theory.Theory, e *history.Execution) (check.Result, error) {
	if r.oracle != nil {
		return enumerated(ctx, r.oracle, r.Checker, e)
	}
	return r.Checker.Check(ctx, e)
}

// Procedure is the near-linear procedure for a theory: monitor.Select with the
// symbolic engine as judge.
func Procedure(ctx context.Context, t *theory.Theory) (*monitor.Procedure, error) {
	c, err := check.New(t, check.Options{Engine: "symbolic", Whole: true})
	if err != nil {
		return nil, &monitor.NotRecognized{Theory: t.Name, Reason: err.Error()}
	}
	return monitor.Select(ctx, t, func(ctx context.Context, e *history.Execution) (bool, bool, error) {
		r, err := c.Check(ctx, e)
		return r.Verdict == check.Linearizable, r.Verdict != check.Inconclusive, err
	})
}
