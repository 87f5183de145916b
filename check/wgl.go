package check

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/theory"
)

// WGL decides by search for a linearization, with a cache of configurations
// ("Faster linearizability checking via P-compositionality" §4). It is complete.
//
// With a Model, that is what decides, and the theory only says which methods
// there are: executions outside the theory's language are decided, too. Without
// one the theory itself is executed: a linearization under construction
// decides literals of the grounded theory, and what they leave open of it is
// the state.
type WGL struct {
	Model wgl.Model // nil: the theory
	LRU   int       // configurations in the cache; 0 is no limit
}

// Name is "wgl".
func (WGL) Name() string { return "wgl" }

// Check decides one execution. It takes time exponential in the overlap at
// worst.
func (w WGL) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, w, t, e)
}

func (w WGL) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	if err := c.sequential("wgl"); err != nil {
		return Result{}, err
	}
	if w.LRU < 0 {
		return Result{}, errors.New("check: the cache of wgl cannot hold fewer than 0 configurations")
	}
	if w.Model != nil {
		return w.byModel(ctx, e, wgl.Options{LRU: w.LRU})
	}
	p := prefixes{ctx: ctx, e: e, whole: c.whole, decide: func(n int) (answer, error) {
		return decidePrefix(ctx, c, e.Prefix(n), func(in *instance) (bool, error) {
			return w.linearize(ctx, in)
		})
	}, explain: symbolicRun{ctx, c, e}.explain}
	return p.check()
}

func (w WGL) byModel(ctx context.Context, e *history.Execution, o wgl.Options) (Result, error) {
	r, err := wgl.Check(ctx, w.Model, e, o)
	switch {
	case err != nil:
		return Result{Verdict: Inconclusive, Detail: stopped(ctx)}, nil
	case r.Linearizable:
		return Result{Verdict: Linearizable, Parts: r.Parts}, nil
	}
	res := Result{Verdict: Violation, Prefix: r.Prefix, Parts: r.Parts}
	if r.Upper {
		res.Detail = "a shorter prefix may violate, too: " + stopped(ctx)
	}
	return res, nil
}

// linearize searches the linearizations of an instance for one that satisfies
// the theory.
func (w WGL) linearize(ctx context.Context, in *instance) (bool, error) {
	s := newResidue(in)
	g := formula.NewGrounder(in, in.circuit)
	for _, x := range in.theory.excludes {
		l, err := g.Ground(ctx, x.plan)
		if err != nil {
			return false, err
		}
		s.cnf.Assert(-l)
	}
	for _, l := range in.facts {
		s.cnf.Assert(l)
	}
	if !s.begin() {
		return false, nil
	}
	e := &history.Execution{Ops: in.ops}
	for i := range in.ops {
		e.Events = max(e.Events, in.ops[i].Call+1, in.ops[i].Return+1)
	}
	return wgl.Search(ctx, e, s, w.LRU)
}
