package theory

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// A Part is what an execution is in one part of a Product.
type Part struct {
	Key  history.Value
	Rest bool // the part of every key that no operation of the execution has; it has no Key

	// Execution has the operations of the part, as the part's Spec has them. Their
	// Call and Return, and Events, are those of the whole execution.
	Execution *history.Execution
}

// ofPart stands for the key in the answers of a part.
const ofPart history.Value = "key"

// Project is what an operation is in the parts that it belongs to. Its key, which
// matters for a method of role ByKey alone, is no argument there, and in its answer
// the text "key" stands for it. Operations of role SumOfAll change nothing: they are in
// no part, and ok is false. After them, and at any other time, a part answers what its
// Spec says for the method, and the answer of the whole is the sum of that over the
// parts. In a part without operations that is 0.
func (k *Key) Project(l history.Label) (part history.Label, key history.Value, ok bool) {
	switch {
	case k.Role == SumOfAll:
		return l, "", false
	case k.Role == InAll:
		return l, "", true
	}
	key = l.Args[k.Arg]
	l.Rets = k.swap(l.Rets, key)
	switch last := len(l.Args) - 1; k.Arg {
	case 0:
		l.Args = l.Args[1:]
	case last:
		l.Args = l.Args[:last:last]
	default:
		l.Args = slices.Concat(l.Args[:k.Arg], l.Args[k.Arg+1:])
	}
	return l, key, true
}

// Lift undoes Project: it is the operation of the whole with these arguments that a
// part answers as part says.
func (k *Key) Lift(part history.Label, args []history.Value) history.Label {
	if part.Args = args; k.Role == ByKey {
		part.Rets = k.swap(part.Rets, args[k.Arg])
	}
	return part
}

// swap exchanges the key and what stands for it in an answer.
func (k *Key) swap(rets []history.Value, key history.Value) []history.Value {
	if k.Ret == 0 || k.Ret > len(rets) {
		return rets
	}
	rets = slices.Clone(rets)
	switch v := &rets[k.Ret-1]; *v {
	case key:
		*v = ofPart
	case ofPart:
		*v = key
	}
	return rets
}

// Of finds the Key of a method. A method that the Product does not name is in all
// parts.
func (p *Product) Of(method string) *Key {
	for i := range p.Keys {
		if p.Keys[i].Method == method {
			return &p.Keys[i]
		}
	}
	return &Key{Method: method, Role: InAll}
}

// IsLocal reports whether all operations of a spec with a Product belong to one key
// each: then parts that are linearizable prove that the whole is.
func (s *Spec) IsLocal() bool {
	for i := range s.Methods {
		if s.Product.Of(s.Methods[i].Name).Role != ByKey {
			return false
		}
	}
	return true
}

// Parts are the parts of an execution, in the order in which operations of role
// ByKey first have their keys, and last, if there are operations of role InAll, the
// part of all other keys, which has these alone. An operation that is pending is so
// in its parts; one of role InAll took effect in all of them or in none, which the
// parts do not know.
//
// An execution without overlapping operations is admitted if and only if all its
// parts are and each operation of role SumOfAll answers the sum, as Project says.
func (p *Product) Parts(e *history.Execution) []Part {
	var parts []Part
	var common []history.Operation
	at := map[history.Value]int{}
	for i := range e.Ops {
		o, k := e.Ops[i], p.Of(e.Ops[i].Method)
		label, key, ok := k.Project(o.Label)
		o.Label = label
		switch n, known := at[key]; {
		case !ok:
		case k.Role == InAll:
			common = append(common, o)
			for j := range parts {
				parts[j].Execution.Ops = append(parts[j].Execution.Ops, o)
			}
		case known:
			parts[n].Execution.Ops = append(parts[n].Execution.Ops, o)
		default:
			at[key] = len(parts)
			ops := append(common[:len(common):len(common)], o)
			parts = append(parts, Part{Key: key, Execution: &history.Execution{Object: e.Object, Ops: ops, Events: e.Events, Tail: e.Tail}})
		}
	}
	if len(common) > 0 {
		parts = append(parts, Part{Rest: true, Execution: &history.Execution{Object: e.Object, Ops: common, Events: e.Events, Tail: e.Tail}})
	}
	return parts
}
