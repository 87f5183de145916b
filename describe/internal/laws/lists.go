package laws

import (
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
		}
		for _, s := range shorter {
			for _, x := range xs {
				p.longer(s, x, try)
			}
		}
		for _, m := range ls {
			if l != m && l != empty {
				try("concat", l, m)
			}
		}
		for _, x := range xs {
			try("front", p.made("prepend", l, x))
			try("rest", p.made("append", l, x))
			for _, n := range ints {
				try("take", p.made("prepend", l, x), n)
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

// longer are lists with an element more: at an end, or in order.
func (p *problem) longer(l, x *column, try func(string, ...*column)) {
	try("append", l, x)
	try("prepend", l, x)
	try("insert", l, x)
	fields := fieldsOf(p.target.Elem())
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
