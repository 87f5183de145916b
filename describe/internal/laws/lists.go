package laws

import (
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Bounds of the lists that are put together.
const (
	mostElements = 64
	mostShorter  = 10
	mostFields   = 4 // of a record that are looked at
)

func numbered(op string, field int) string { return op + string(rune('1'+field)) }

// fieldsOf are the sorts of the fields that are looked at.
func fieldsOf(s eq.Sort) []eq.Sort {
	all := s.Fields()
	return all[:min(len(all), mostFields)]
}

// lists are a list with an element more or less.
func (p *problem) lists(atoms []*column, try func(string, ...*column)) {
	xs := p.inserted(atoms)
	ls := of(atoms, p.target)
	ints := of(atoms, eq.Ints)
	empty := p.constant(p.w.store.Compound(eq.List, nil))
	for _, l := range append(ls, empty) {
		for _, op := range []string{"rest", "front", "reverse", "sorted"} {
			try(op, l)
		}
		for _, n := range ints {
			try("take", l, n)
			try("drop", l, n)
		}
		shorter := []*column{l}
		if l != empty {
			shorter = p.shorter(l, atoms, xs)
			p.filtered(l, atoms, xs, try)
			if p.w.places {
				p.placed(l, atoms, xs, try)
			}
			p.updated(l, atoms, try)
		}
		for _, s := range shorter {
			rows := p.oneMore(s)
			for _, x := range xs {
				p.longer(s, x, rows, try)
			}
		}
		for _, m := range ls {
			if l != m && l != empty {
				try("concat", l, m)
			}
		}
		for _, x := range xs {
			before := p.made("prepend", l, x)
			try("front", before)
			try("rest", p.made("append", l, x))
			for _, n := range ints {
				try("take", before, n)
			}
		}
	}
	for _, a := range atoms {
		switch {
		case a.sort.IsMap() && a.sort.Key() == p.target.Elem():
			try("keys", a)
		case a.sort.IsMap() && a.sort.Elem() == p.target.Elem():
			try("values", a)
		}
	}
}

// inserted are what may be new in a list.
func (p *problem) inserted(atoms []*column) []*column {
	elem := p.target.Elem()
	xs := of(atoms, elem)
	if elem.Fields() != nil {
		p.records(atoms, elem, func(op string, args ...*column) {
			if len(xs) < mostElements {
				c := p.made(op, args...)
				c.sort = elem
				xs = append(xs, c)
			}
		})
	}
	return xs[:min(len(xs), mostElements)]
}

// shorter are lists with less, to which something is added.
func (p *problem) shorter(l *column, atoms, xs []*column) []*column {
	all := []*column{l}
	for f, s := range fieldsOf(p.target.Elem()) {
		for _, x := range of(atoms, s) {
			if len(all) < mostShorter-3 {
				all = append(all, p.made(numbered("without", f), l, x))
			}
		}
	}
	for _, x := range xs {
		if len(all) < mostShorter {
			all = append(all, p.made("without", l, x))
		}
	}
	return append(all, p.made("rest", l), p.made("front", l))
}

// filtered are lists with less.
func (p *problem) filtered(l *column, atoms, xs []*column, try func(string, ...*column)) {
	for _, x := range xs {
		try("without", l, x)
	}
	for f, s := range fieldsOf(p.target.Elem()) {
		for _, x := range of(atoms, s) {
			for _, op := range []string{"without", "with", "above", "below", "upto", "from"} {
				try(numbered(op, f), l, x)
			}
		}
	}
}

// mostUpdated is how many records are tried that differ from one of a list in a field.
const mostUpdated = 60

// updated are lists in which a field of a record has another value: that of an atom, or more or less by it. The
// record is the first that has a parameter in some field, and it keeps its place, or finds a new one in order.
func (p *problem) updated(l *column, atoms []*column, try func(string, ...*column)) {
	elem := p.target.Elem()
	left := mostUpdated
	for f, s := range fieldsOf(elem) {
		for _, x := range of(atoms, s) {
			if !isParameter(x.e, f) {
				continue
			}
			old := p.made("first", p.made(numbered("with", f), l, x))
			rest := p.made(numbered("without", f), l, x)
			for g, s := range fieldsOf(elem) {
				if g == f {
					continue
				}
				for _, v := range p.changed(old, g, s, atoms) {
					if left--; left < 0 {
						return
					}
					is := p.made(numbered("put", g), old, v)
					try(numbered("replace", f), l, is)
					p.longer(rest, is, p.oneMore(rest), try)
				}
			}
		}
	}
}

// changed are what a field of a record may become, by the call.
func (p *problem) changed(old *column, field int, sort eq.Sort, atoms []*column) (all []*column) {
	for _, a := range of(atoms, sort) {
		if e := a.e; e.Form == eq.Var || e.Form == eq.Op && len(e.Args) == 1 && e.Args[0].Form == eq.Var {
			all = append(all, a)
		}
	}
	switch sort {
	case eq.Ints:
		was := p.made(numbered("field", field), old)
		for _, a := range append(slices.Clone(all), p.constant(eq.IntOf(1))) {
			all = append(all, p.made("+", was, a), p.made("-", was, a))
		}
	case eq.Words:
		for _, flag := range []bool{true, false} {
			all = append(all, p.constant(p.w.store.Truth(flag)))
		}
	}
	return all
}

// added is a row in which the target is a list and an element more.
type added struct {
	row  int
	more eq.Value // the element
}

// oneMore are those of the rows that are tried in which the target is a list and an
// element more, wherever that is: behind what both begin with it is the next, for where
// elements alike stand in a row it is the last of them.
func (p *problem) oneMore(l *column) (rows []added) {
	s := p.w.store
	for i := range p.probed {
		t := p.rows[i].target
		if !s.Is(t, eq.List) || !s.Is(l.v[i], eq.List) {
			continue
		}
		more, less := s.Parts(t), s.Parts(l.v[i])
		if len(more) != len(less)+1 {
			continue
		}
		at := 0
		for at < len(less) && more[at] == less[at] {
			at++
		}
		if slices.Equal(more[at+1:], less[at:]) {
			rows = append(rows, added{i, more[at]})
		}
	}
	return rows
}

// longer are lists with an element more: at an end, or in order. Rows are those of oneMore:
// where the element is not the one in any of them, no list with it is the target.
func (p *problem) longer(l, x *column, rows []added, try func(string, ...*column)) {
	fields := fieldsOf(p.target.Elem())
	if !slices.ContainsFunc(rows, func(a added) bool { return a.more == x.v[a.row] }) {
		p.w.work += (3 + 2*len(fields)*len(fields)) * probeWork // as if they had been tried
		return
	}
	try("append", l, x)
	try("prepend", l, x)
	try("insert", l, x)
	for f := range fields {
		by, down := numbered("insertBy", f), numbered("insertDown", f)
		try(by, l, x)
		try(down, l, x)
		for k := range fields {
			if k != f {
				try(numbered(by+"then", k), l, x)
				try(numbered(down+"then", k), l, x)
			}
		}
	}
}
