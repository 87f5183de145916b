package observers

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// pair is a state of the theory's automaton, and those of all observers for all registers.
type pair struct {
	theory    wgl.State
	observers []uint16
	from      int // the pair before it, and the operation that leads here
	by        int
}

// sideBySide runs observers beside the automaton of a theory.
type sideBySide struct {
	model      semantics.Machine
	runs       []valued
	operations []history.Label
	pairs      []pair
	known      map[string][]int // pairs, by hash and observers
}

// compareStates is compare for a theory with an automaton: all sequences of any length whose values
// are the constants and some others, two more than an observer has registers.
func (o *oracle) compareStates(m semantics.Machine, all []*Observer) (c Comparison, by [][]int, err error) {
	w := &sideBySide{known: map[string][]int{}}
	registers := 0
	for _, x := range all {
		registers = max(registers, x.Registers)
	}
	var values []history.Value
	for i := range registers + 2 {
		values = append(values, value(i))
	}
	w.operations = o.over(values)
	w.model = m.For(history.Sequential(w.operations...))
	for _, x := range all {
		for _, own := range x.valuations(values) {
			w.runs = append(w.runs, valued{x, own})
		}
	}
	w.add(pair{theory: w.model.Init(), observers: make([]uint16, len(w.runs))})
	seen := map[string]bool{}
	for i, last := 0, 1; i < len(w.pairs); i++ {
		if i == last {
			c.Length, last = c.Length+1, len(w.pairs)
		}
		if err := o.ctx.Err(); err != nil {
			return c, nil, err
		}
		for k := range w.operations {
			if c.Sequences++; c.Sequences > mostSequences {
				return c, nil, fmt.Errorf("more than %d steps have to be compared", mostSequences)
			}
			theory, ok := w.model.Step(w.pairs[i].theory, &w.operations[k])
			observers, who := w.step(i, k, all)
			switch {
			case ok && len(who) > 0:
				return c, nil, &Difference{append(w.path(i), w.operations[k]), true, all[who[0]]}
			case !ok && len(who) == 0:
				return c, nil, &Difference{Labels: append(w.path(i), w.operations[k])}
			case ok:
				w.add(pair{theory, observers, i, k})
			case !seen[fmt.Sprint(who)]:
				seen[fmt.Sprint(who)] = true
				by = append(by, who)
			}
		}
	}
	c.Length = -1
	return c, by, nil
}

// over lists all operations with the constants and some values.
func (o *oracle) over(values []history.Value) (all []history.Label) {
	for _, x := range o.letters(len(values), false) {
		l := history.Label{Kind: x.Kind}
		of := func(classes []Class) (own []history.Value) {
			for _, c := range classes {
				if c >= 0 {
					own = append(own, values[c])
				} else if c <= Constant {
					own = append(own, o.constants[Constant-c])
				}
			}
			return own
		}
		if l.Args, l.Rets = of(x.Args), of(x.Rets); len(l.Args) == len(x.Args) && len(l.Rets) == len(x.Rets) {
			all = append(all, l)
		}
	}
	return all
}

// step is what observers do from a pair on, and which of them accept.
func (w *sideBySide) step(at, operation int, all []*Observer) (to []uint16, who []int) {
	to = slices.Clone(w.pairs[at].observers)
	for i, x := range w.runs {
		s := x.Step(int(to[i]), x.registers, &w.operations[operation])
		to[i] = uint16(s)
		if k := slices.Index(all, x.Observer); s == x.Bad && !slices.Contains(who, k) {
			who = append(who, k)
		}
	}
	return to, who
}

func (w *sideBySide) add(p pair) {
	key := binary.AppendUvarint(nil, p.theory.Hash())
	for _, s := range p.observers {
		key = binary.AppendUvarint(key, uint64(s))
	}
	if !slices.ContainsFunc(w.known[string(key)], func(i int) bool { return w.pairs[i].theory.Equal(p.theory) }) {
		w.known[string(key)] = append(w.known[string(key)], len(w.pairs))
		w.pairs = append(w.pairs, p)
	}
}

// path is the operations that lead to a pair.
func (w *sideBySide) path(i int) (labels []history.Label) {
	for ; i > 0; i = w.pairs[i].from {
		labels = append(labels, w.operations[w.pairs[i].by])
	}
	slices.Reverse(labels)
	return labels
}
