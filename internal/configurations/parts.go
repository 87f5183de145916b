package configurations

import (
	"slices"

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

// Local reports whether each key can be decided on its own: all operations belong to
// one.
func Local(p *theory.Product) bool {
	return !slices.ContainsFunc(p.Keys, func(k theory.Key) bool { return k.Role != theory.ByKey })
}
