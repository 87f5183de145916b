package observers

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// ofPatterns is an observer for each pattern of a theory.
func (o *oracle) ofPatterns() (all []*Observer, err error) {
	for i := range o.theory.Spec.Patterns {
		x, err := o.ofPattern(&o.theory.Spec.Patterns[i])
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// ofPattern reads a pattern off its drawing: state i is that its first i operations came.
func (o *oracle) ofPattern(p *theory.Pattern) (*Observer, error) {
	drawing := p.Drawing
	if drawing == "" {
		drawing = history.Draw(&p.History, nil)
	}
	h, labels, err := history.ParseDrawing(drawing)
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", p.Name, err)
	}
	registers, kinds := registersOf(h, labels)
	n := len(labels)
	x := &Observer{Name: p.Name, Bad: n + 1, Registers: len(registers), Constants: o.constants}
	for i := range n {
		x.States = append(x.States, fmt.Sprintf("s%d", i))
	}
	x.States = append(x.States, "off", "bad")
	off := n
	for i, l := range labels {
		to := i + 1
		if to == n {
			to = x.Bad
		}
		class := func(values []history.Value) (classes []Class) {
			for _, v := range values {
				c := Class(slices.Index(registers, v))
				if c < 0 {
					c = Any
				}
				classes = append(classes, c)
			}
			return classes
		}
		x.Transitions = append(x.Transitions, Transition{i, Letter{l.Kind, class(l.Args), class(l.Rets)}, to})
		for register := range registers {
			for _, other := range o.touching(Class(register), kinds[register]) {
				x.Transitions = append(x.Transitions, Transition{i, other, off})
			}
		}
	}
	return x, nil
}

// registersOf lists the values of matches, and of operations without one; and which kinds
// of operations each has.
func registersOf(h *history.History, labels []history.Label) (registers []history.Value, kinds [][]history.Kind) {
	for i, op := range h.Ops {
		if op.Target != i && op.Target != history.Unmatched {
			continue
		}
		for _, v := range slices.Concat(labels[i].Args, labels[i].Rets) {
			if slices.Contains(registers, v) {
				continue
			}
			var own []history.Kind
			for k, x := range h.Ops {
				if x.Target == op.Target {
					own = append(own, labels[k].Kind)
				}
			}
			registers, kinds = append(registers, v), append(kinds, own)
		}
	}
	return registers, kinds
}

// touching lists the operations with the value of a register that are not read-only and of none of
// some kinds.
func (o *oracle) touching(register Class, but []history.Kind) (all []Letter) {
	for _, m := range o.methods {
		for _, out := range m.Outcomes {
			k := history.Kind{Method: m.Name, Outcome: out.Outcome}
			for at := range m.Args + out.Rets {
				x := Letter{k, slices.Repeat([]Class{Any}, m.Args), slices.Repeat([]Class{Any}, out.Rets)}
				if at < m.Args {
					x.Args[at] = register
				} else {
					x.Rets[at-m.Args] = register
				}
				if !slices.Contains(but, k) && !o.readOnly(x) {
					all = append(all, x)
				}
			}
		}
	}
	return all
}

// readOnly reports whether an operation is, which is told by its kind.
func (o *oracle) readOnly(x Letter) bool {
	l := history.Label{Kind: x.Kind}
	for i := range x.Args {
		l.Args = append(l.Args, value(i))
	}
	for i := range x.Rets {
		l.Rets = append(l.Rets, value(len(x.Args)+i))
	}
	return o.sequences.Structure([]history.Label{l}).ReadOnly(0)
}
