package wgl

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	drivervalues "github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// Plain is any model as an Answerer, for an execution: what a pending call may answer
// is found by trying the outcomes of its method, with the log's values.
func Plain(m Model, s history.Signature, e *history.Execution) Answerer {
	return tried{m, s, semantics.ValuesOf(e.Ops)}
}

type tried struct {
	Model
	signature history.Signature
	values    []history.Value
}

// Answers lists the labels of a call that the model allows.
func (p tried) Answers(s State, l *history.Label) []history.Label {
	all, _ := Claims(p.signature, l, p.values)
	return slices.DeleteFunc(all, func(l history.Label) bool {
		_, ok := p.Step(s, &l)
		return !ok
	})
}

// Claims lists what a call may answer with some values, in whatever state. It is false if some are left
// out, since they are very many.
func Claims(s history.Signature, call *history.Label, values []history.Value) (all []history.Label, ok bool) {
	m, _ := s.Method(call.Method)
	ok = true
	for _, o := range m.Outcomes {
		some := claims(call, o.Outcome, make([]drivervalues.Basic, o.Rets), values)
		all, ok = append(all, some...), ok && (len(some) > 0 || len(values) == 0)
	}
	return all, ok
}
