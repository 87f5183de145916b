package counters

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// A register holds what the last operation of some kinds put there: an argument, such as
// the value of a cell whose version counts, or a constant, such as the state of a job whose
// attempts count. Registers alone are what learning finds (package learn), so they are
// looked for only where counters alone explain too little.
type register struct {
	sources []source // of different kinds
	goType  string
	initial history.Value
}

// source is what operations of a kind put into a register: an argument, or a constant if
// arg is negative.
type source struct {
	kind history.Kind
	arg  int
	is   history.Value
}

// load is what the register holds after an event that was made.
func (r *register) load(held history.Value, l *history.Label) history.Value {
	for _, s := range r.sources {
		switch {
		case s.kind != l.Kind:
		case s.arg < 0:
			return s.is
		default:
			return l.Args[s.arg]
		}
	}
	return held
}

// mostSources bounds the kinds that load one register.
const mostSources = 4

// last is the register that holds value i of some answers of a method; nil: there is none.
func (f *fit) last(method int, rows []int, i int) (found *register) {
	if i >= len(f.methods[method].Rets) {
		return nil
	}
	chosen := make([]bool, len(f.calls[method]))
	for _, row := range rows {
		chosen[row] = true
	}
	for n := 1; n <= mostSources && found == nil; n++ {
		choose(f.kinds, n, nil, func(kinds []history.Kind) bool {
			if r := f.holding(kinds, method, chosen, i); r != nil {
				found = f.known(r)
			}
			return found != nil
		})
	}
	return found
}

// choose visits the sets of so many kinds until visit has enough.
func choose(all []history.Kind, n int, some []history.Kind, visit func([]history.Kind) bool) bool {
	if n == 0 {
		return visit(some)
	}
	for i, k := range all {
		if choose(all[i+1:], n-1, append(some, k), visit) {
			return true
		}
	}
	return false
}

// seen is what values were answered after operations of a kind.
type seen struct {
	value  history.Value
	varied bool
	args   []int // those that all values were
}

// holding is the register that the kinds load and that has value i of chosen calls.
func (f *fit) holding(kinds []history.Kind, method int, chosen []bool, i int) *register {
	r := &register{goType: f.methods[method].Rets[i]}
	after, row := make([]*seen, len(kinds)+1), 0 // the last: before all of them
	for _, run := range f.runs {
		last, args := len(kinds), []history.Value(nil)
		for j := range run {
			e := &run[j]
			if e.method == method {
				if chosen[row] && !f.fits(&after[last], kinds, last, args, e.label.Rets[i], r.goType) {
					return nil
				}
				row++
			}
			if k := slices.Index(kinds, e.label.Kind); k >= 0 && !e.waits() {
				last, args = k, e.label.Args
			}
		}
	}
	if first := after[len(kinds)]; first != nil {
		r.initial = first.value
	}
	for k, a := range after[:len(kinds)] {
		switch {
		case a == nil:
			return nil // it is not needed
		case len(a.args) > 0:
			r.sources = append(r.sources, source{kinds[k], a.args[0], ""})
		default:
			r.sources = append(r.sources, source{kinds[k], -1, a.value})
		}
	}
	return r
}

// fits takes in a value that was answered after a kind; false: neither a constant nor an
// argument is what all were.
func (f *fit) fits(a **seen, kinds []history.Kind, k int, args []history.Value, v history.Value, goType string) bool {
	if *a == nil {
		*a = &seen{value: v}
		for p := range args {
			if f.method(kinds[k]).Args[p] == goType {
				(*a).args = append((*a).args, p)
			}
		}
	}
	(*a).varied = (*a).varied || v != (*a).value
	(*a).args = slices.DeleteFunc((*a).args, func(p int) bool { return args[p] != v })
	return !(*a).varied || len((*a).args) > 0
}

// known is a register that is there already, or r.
func (f *fit) known(r *register) *register {
	for _, o := range f.registers {
		if o.goType == r.goType && o.initial == r.initial && slices.Equal(o.sources, r.sources) {
			return o
		}
	}
	f.registers = append(f.registers, r)
	return r
}

// compared are the comparisons that registers allow before a call of a method: of an
// argument with what one of its type holds, which an answer or one kind of operation tells,
// and of what one holds with the constants that it is given.
func (f *fit) compared(method int) (xs []term) {
	if !f.register {
		return nil
	}
	for p, goType := range f.methods[method].Args {
		if f.methods[method].Params[p].Kind == values.KindBool {
			continue
		}
		for _, k := range f.kinds {
			for q, typ := range f.method(k).Args {
				if typ == goType {
					f.known(&register{sources: []source{{k, q, ""}}, goType: goType})
				}
			}
		}
		for _, r := range f.registers {
			if r.goType == goType {
				xs = append(xs, term{arg: p, text: true, register: r, sum: -1, key: -1})
			}
		}
	}
	for _, r := range f.registers {
		var constants []history.Value
		for _, s := range r.sources {
			if s.arg < 0 && !slices.Contains(constants, s.is) {
				constants = append(constants, s.is)
			}
		}
		if len(constants) > 0 && !slices.Contains(constants, r.initial) {
			constants = append(constants, r.initial)
		}
		for _, v := range constants {
			xs = append(xs, term{text: true, own: true, is: v, register: r, sum: -1, key: -1})
		}
	}
	return xs
}

// used are the registers that answers and outcomes need, in order.
func (f *fit) used() (all []*register) {
	use := func(r *register) {
		if r != nil && !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	for _, k := range f.kinds {
		for _, a := range f.rets[k] {
			use(a.register)
		}
	}
	for _, t := range f.trees {
		for _, cut := range t.cuts() {
			use(cut.form.terms[0].register)
		}
	}
	return all
}

// loads are what an operation of a kind puts into the registers that are used.
func (f *fit) loads(k history.Kind) (all []automata.Term) {
	for i, r := range f.used() {
		t := automata.Term{Kind: automata.Register, Index: i}
		for _, s := range r.sources {
			switch {
			case s.kind != k:
			case s.arg < 0:
				t = automata.Term{Kind: automata.Constant, Value: s.is}
			default:
				t = automata.Term{Kind: automata.Argument, Index: s.arg}
			}
		}
		all = append(all, t)
	}
	return all
}
