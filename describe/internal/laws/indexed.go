package laws

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Bounds of what shows that values come by index.
const (
	mostIndexed = 150 // transitions before which lists are looked at
	mostPlaces  = 14  // in lists that are tried
)

// byIndex are lists that can only be read a place at a time: what a pure method answers to
// the last arguments 0, 1, 2, ..., or 1, 2, 3, ..., as long as it answers values.
func (l *learner) byIndex() (all []*observer, err error) {
	w := l.w
	for m := range w.methods {
		last := len(l.params[m]) - 1
		if !l.pure[m] || last < 0 || last > mostParams || l.params[m][last].Sort != eq.Ints {
			continue
		}
		if k := w.methods[m].Params[last].Kind; k != values.KindInt && k != values.KindUint {
			continue
		}
		for k, part := range w.parts[m] {
			if part.Ret < 0 || part.Sort == eq.Words {
				continue
			}
			name := "all_" + nameOf(w.methods[m].Name, part, len(w.parts[m]), len(l.params[m]))
			o := &observer{name: name, params: l.params[m][:last], sort: eq.ListOf(part.Sort), method: m, part: k, repeat: -1, each: true}
			for o.last = range int64(2) {
				ok, err := l.isList(o)
				if err != nil {
					return nil, err
				}
				if ok {
					all = append(all, o)
					break
				}
			}
		}
	}
	return all, nil
}

// isList reports whether what an observer by index leaves out is absent, in the states that
// were met, and two elements are there in one of them.
func (l *learner) isList(o *observer) (bool, error) {
	w, last := l.w, len(o.params)
	is, some := true, false
	err := w.fill(func() {
		n := 0
		is, some = true, false
		for i := range l.first {
			t := &l.first[i]
			if t.method != o.method && last > 0 || n > mostIndexed {
				continue
			}
			n++
			var args []eq.Value
			if t.method == o.method {
				args = t.args[:last]
			}
			v, ok := w.see(t.from, o, args)
			if !ok {
				continue
			}
			if v == eq.Undefined {
				is = false
				return
			}
			size := int64(len(w.store.Parts(v)))
			some = some || size > 1
			out := []int64{o.last - 1, o.last + size + 1, o.last + size + 2}
			if t.method == o.method {
				out = append(out, t.args[last].Int())
			}
			for _, k := range out {
				x, ok := w.see(t.from, &observer{method: o.method, part: o.part, repeat: -1}, append(slices.Clone(args), eq.IntOf(k)))
				if within := o.last <= k && k < o.last+size; ok && x != eq.Undefined && !within && !w.store.Is(x, eq.Word) {
					is = false
					return
				}
			}
		}
	})
	return is && some, err
}

// listed is the list of what a method answers to one index after the other.
func (w *world) listed(state int32, o *observer, args []eq.Value) (eq.Value, bool) {
	var all []eq.Value
	for len(all) <= longest {
		s, made, known := w.made(state, o.method, append(slices.Clone(args), eq.IntOf(o.last+int64(len(all)))))
		if !made || !known {
			return eq.Undefined, known
		}
		v := w.answer(o.method, s.answer)[o.part]
		if w.store.Is(v, eq.Word) {
			return w.store.Compound(eq.List, all), true
		}
		all = append(all, v)
	}
	return eq.Undefined, true
}

// places are integers that may be places in a list: from 0, or from 1, and where an element
// is, or next to it.
func (p *problem) places(l *column, atoms, xs []*column) (all []*column) {
	one := p.constant(eq.IntOf(1))
	for _, n := range computed(atoms) {
		all = append(all, n, p.made("-", n, one))
	}
	all = all[:min(len(all), mostPlaces/2)]
	for _, x := range xs {
		if x.depth == 0 {
			at := p.made("index", l, x)
			all = append(all, at, p.made("-", at, one), p.made("+", at, one))
		}
	}
	return all[:min(len(all), mostPlaces)]
}

// indices are where variables are in lists, if lists are changed at places.
func (p *problem) indices(atoms []*column) (all []*column) {
	for _, l := range atoms {
		for _, x := range atoms {
			if p.w.places && x.depth == 0 && l.sort == eq.ListOf(x.sort) {
				c := p.made("index", l, x)
				c.sort = eq.Ints
				all = append(all, c)
			}
		}
	}
	return all
}

// neighbours are what is at a place that counts from 1, second, or next to something.
func (p *problem) neighbours(l *column, atoms []*column, try func(string, ...*column)) {
	one := p.constant(eq.IntOf(1))
	try("at", l, one)
	for _, i := range of(atoms, eq.Ints) {
		try("at", l, p.made("-", i, one))
	}
	for _, i := range p.indices(append(of(atoms, l.sort.Elem()), l)) {
		if i.e.Args[0] == l.e {
			try("at", l, p.made("-", i, one))
			try("at", l, p.made("+", i, one))
		}
	}
}

// placed are lists that are changed at places.
func (p *problem) placed(l *column, atoms, xs []*column, try func(string, ...*column)) {
	places := p.places(l, atoms, xs)
	shorter, moved := p.shorter(l, atoms, xs), slices.Clone(xs)
	for i, n := range places {
		try("removeAt", l, n)
		for _, k := range places[:i] {
			try("swap", l, k, n)
		}
		for _, x := range xs {
			try("replaceAt", l, n, x)
		}
		shorter, moved = append(shorter, p.made("removeAt", l, n)), append(moved, p.made("at", l, n))
	}
	for _, s := range shorter {
		rows := p.oneMore(s)
		for _, x := range moved {
			if !slices.ContainsFunc(rows, func(a added) bool { return a.more == x.v[a.row] }) {
				p.w.work += len(places) * probeWork // as if they had been tried
				continue
			}
			for _, n := range places {
				try("insertAt", s, n, x)
			}
		}
	}
}
