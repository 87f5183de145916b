package main

import (
	"context"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/record/refine"
)

// modelSpec is a built-in model as the specification that logs are checked against
// along their commits. The states of models are persistent.
type modelSpec struct{ wgl.Model }

func (m modelSpec) New() wgl.State              { return m.Init() }
func (m modelSpec) Clone(s wgl.State) wgl.State { return s }
func (m modelSpec) Step(s wgl.State, op *refine.Op) (wgl.State, bool) {
	l := op.Label()
	next, ok := m.Model.Step(s, &l)
	if !ok {
		return s, false
	}
	return next, true
}

// judge searches for a linearization over the model.
func (m modelSpec) judge(ctx context.Context, e *history.Execution) (check.Verdict, error) {
	r, err := wgl.Check(ctx, m.Model, e, wgl.Options{Partition: true})
	switch {
	case err != nil:
		return check.Inconclusive, nil
	case r.Linearizable:
		return check.Linearizable, nil
	}
	return check.Violation, nil
}
