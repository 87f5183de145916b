package refmodel

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// Plain is any model as an Answerer, for an execution: what a pending call may answer
// is found by trying the outcomes of its method, with the log's values.
func Plain(m wgl.Model, s history.Signature, e *history.Execution) Answerer {
	return plain{m, s, valuesOf(e)}
}

type plain struct {
	wgl.Model
	signature history.Signature
	values    []history.Value
}

// Answers lists the labels of a call that the model allows.
func (p plain) Answers(s wgl.State, l *history.Label) (all []history.Label) {
	m, ok := p.signature.Method(l.Method)
	if !ok {
		return nil
	}
	for _, o := range m.Outcomes {
		for _, l := range claims(l, o.Outcome, make([]values.Basic, o.Rets), p.values) {
			if _, ok := p.Step(s, &l); ok {
				all = append(all, l)
			}
		}
	}
	return all
}
