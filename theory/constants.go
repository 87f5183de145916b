package theory

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// Values of logs are read by their types, and have one text each. A value that a formula
// or automaton names has to have that text, or no log would ever have it.

// named refuses values of a formula that have another text by each type that has them.
func (d *decoder) named(n *node, f formula.Formula) {
	if all := d.allTypes(); len(all) > 0 {
		for _, v := range semantics.Named(f) {
			d.constant(n, v, all)
		}
	}
}

// constants refuses values of an automaton that have another text by their types.
func (d *decoder) constants(n *node, a *automata.Automaton) {
	all := d.allTypes()
	if len(all) == 0 {
		return
	}
	for _, v := range a.Initial {
		d.constant(n, v, all)
	}
	for _, c := range a.Counters {
		for _, add := range c.Adds {
			k := slices.IndexFunc(d.spec.Methods, func(m history.MethodSig) bool { return m.Name == add.Kind.Method })
			if add.Where > 0 && add.Where <= len(d.spec.Methods[k].Params) {
				d.constant(n, add.Is, d.spec.Methods[k].Params[add.Where-1:add.Where])
			}
		}
	}
	for i := range a.Locations {
		for j := range a.Locations[i].Transitions {
			t := &a.Locations[i].Transitions[j]
			m := d.spec.Methods[slices.IndexFunc(d.spec.Methods, func(m history.MethodSig) bool { return m.Name == t.Method })]
			at := func(x automata.Term, types []values.Basic, k int) {
				if x.Kind == automata.Constant && k < len(types) {
					d.constant(n, x.Value, types[k:k+1])
				}
			}
			for _, c := range t.Guard {
				if c.Left.Kind == automata.Argument {
					at(c.Right, m.Params, c.Left.Index)
				} else if c.Right.Kind == automata.Argument {
					at(c.Left, m.Params, c.Right.Index)
				} else if c.Right.Kind == automata.Constant && c.Left.Kind == automata.Register {
					d.constant(n, c.Right.Value, all)
				}
			}
			for k, x := range t.Rets {
				at(x, m.Results, k)
			}
		}
	}
}

// allTypes are the types of the values of all methods, as far as they are known.
func (d *decoder) allTypes() (all []values.Basic) {
	for i := range d.spec.Methods {
		all = slices.Concat(all, d.spec.Methods[i].Params, d.spec.Methods[i].Results)
	}
	return all
}

// constant refuses a value that some of these types has with another text, and none with
// this one.
func (d *decoder) constant(n *node, v history.Value, types []values.Basic) {
	var other *values.Basic
	for i := range types {
		b := &types[i]
		_, ok := b.Text(string(v))
		switch {
		case b.Kind == "" || ok && b.Canonical(string(v)) == string(v):
			return
		case ok:
			other = b
		}
	}
	if other != nil {
		d.fail(n, "the value %q has the text %q here, by its type %s: write that", v, other.Canonical(string(v)), typename.Of(*other))
	}
}
