package main

import (
	"context"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/theory"
)

// decide is an engine for one theory.
type decide func(ctx context.Context, e *history.Execution) (check.Result, error)

// engine is a way to check that the papers have; new prepares it for a theory.
type engine struct {
	name string
	new  func(t *theory.Theory) (decide, error)
}

// withOptions is an engine that users have, too.
func withOptions(name string, o check.Options) engine {
	return engine{name, func(t *theory.Theory) (decide, error) {
		c, err := check.New(t, o)
		if err != nil {
			return nil, err
		}
		return c.Check, nil
	}}
}

func symbolic() engine { return withOptions("symbolic", check.Options{Engine: "symbolic"}) }

func saturating() []engine {
	return []engine{
		withOptions("saturate", check.Options{Engine: "saturate", KeepMatches: true}),
		withOptions("saturate, removal", check.Options{Engine: "saturate"}),
	}
}

func counted(name string, k int) engine {
	return engine{name, func(t *theory.Theory) (decide, error) {
		c, err := checktest.NewCounting(t, k)
		if err != nil {
			return nil, err
		}
		return c.Check, nil
	}}
}

func enumerated() engine {
	return engine{"enumerate", func(t *theory.Theory) (decide, error) {
		n, err := checktest.NewEnumerate(t)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, e *history.Execution) (check.Result, error) {
			r, err := n.Check(ctx, e)
			res := check.Result{Verdict: check.Inconclusive, Events: e.Events, Prefix: r.Violation, Detail: r.Detail}
			switch {
			case r.Linearizable:
				res.Verdict = check.Linearizable
			case r.Violation > 0:
				res.Verdict = check.Violation
			}
			return res, err
		}, nil
	}}
}
