package configurations

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Part is the operations of an execution that belong to a key of a product, without
// it; events keep their numbers. For a key that no operation has it is those that
// belong to all.
func Part(p *theory.Product, e *history.Execution, key history.Value) *history.Execution {
	part := &history.Execution{Object: e.Object, Events: e.Events, Tail: e.Tail}
	for _, o := range e.Ops {
		k := p.Of(o.Method)
		label, own, ok := k.Project(o.Label)
		if o.Label = label; ok && (k.Role == theory.InAll || own == key) {
			part.Ops = append(part.Ops, o)
		}
	}
	return part
}
