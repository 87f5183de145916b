package record

import (
	"context"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// Model is an executable model of package wgl as a Spec.
type Model struct{ wgl.Model }

// New is the model's initial state.
func (m Model) New() wgl.State { return m.Init() }

// Clone is the state itself: the states of models are persistent.
func (m Model) Clone(s wgl.State) wgl.State { return s }

// Step is the model's step.
func (m Model) Step(s wgl.State, op *Op) (wgl.State, bool) {
	l := op.Label()
	next, ok := m.Model.Step(s, &l)
	if !ok {
		return s, false
	}
	return next, true
}

// ByModel is the Judge that searches for a linearization over a model.
func ByModel(m wgl.Model) Judge {
	return func(ctx context.Context, e *history.Execution) (check.Verdict, error) {
		r, err := wgl.Check(ctx, m, e, wgl.Options{Partition: true})
		switch {
		case err != nil:
			return check.Inconclusive, nil
		case r.Linearizable:
			return check.Linearizable, nil
		}
		return check.Violation, nil
	}
}
