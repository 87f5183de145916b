package reasons

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Named is an automaton with names for the constants that have some by the types of the
// methods: state => open, where the theory file has a number.
func Named(a *automata.Automaton, methods []history.MethodSig) *automata.Automaton {
	own := *a
	own.Locations, own.Counters = slices.Clone(a.Locations), slices.Clone(a.Counters)
	for i := range own.Counters {
		adds := slices.Clone(own.Counters[i].Adds)
		for j := range adds {
			x := &adds[j]
			if k := slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == x.Kind.Method }); k >= 0 && 0 < x.Where && x.Where <= len(methods[k].Params) {
				x.Is = typename.Shown(methods[k].Params[x.Where-1:x.Where], []history.Value{x.Is})[0]
			}
		}
		own.Counters[i].Adds = adds
	}
	for i := range own.Locations {
		ts := slices.Clone(own.Locations[i].Transitions)
		own.Locations[i].Transitions = ts
		for j := range ts {
			t := &ts[j]
			k := slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == t.Method })
			if k < 0 {
				continue
			}
			m := &methods[k]
			t.Rets, t.Guard = slices.Clone(t.Rets), slices.Clone(t.Guard)
			for n := range t.Rets {
				name(&t.Rets[n], m.Results, n)
			}
			for n := range t.Guard {
				switch c := &t.Guard[n]; {
				case c.Left.Kind == automata.Argument:
					name(&c.Right, m.Params, c.Left.Index)
				case c.Right.Kind == automata.Argument:
					name(&c.Left, m.Params, c.Right.Index)
				}
			}
		}
		held := heldIn(&a.Locations[i], methods)
		for j := range ts {
			t := &ts[j]
			for n := range t.Guard {
				if c := &t.Guard[n]; c.Left.Kind == automata.Register {
					name(&c.Right, held, c.Left.Index)
				}
			}
			if t.To == i {
				t.Load = slices.Clone(t.Load)
				for n := range t.Load {
					name(&t.Load[n], held, n)
				}
			}
		}
		if i == 0 {
			own.Initial = typename.Shown(held, a.Initial)
		}
	}
	return &own
}

// heldIn are the types of what the registers of a location hold, as far as answers tell.
func heldIn(l *automata.Location, methods []history.MethodSig) []values.Basic {
	types := make([]values.Basic, len(l.Registers))
	for _, t := range l.Transitions {
		k := slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == t.Method })
		for n, x := range t.Rets {
			if x.Kind == automata.Register && k >= 0 && n < len(methods[k].Results) {
				types[x.Index] = methods[k].Results[n]
			}
		}
	}
	return types
}

// name gives a constant the name that value k of these types has.
func name(x *automata.Term, types []values.Basic, k int) {
	if x.Kind == automata.Constant && k < len(types) {
		x.Value = typename.Shown(types[k:k+1], []history.Value{x.Value})[0]
	}
}
