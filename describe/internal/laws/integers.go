package laws

import (
	"cmp"
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// integers are sums and the like.
func (p *problem) integers(atoms []*column, try func(string, ...*column)) {
	ints := computed(atoms)
	for i, a := range ints {
		for k, b := range ints {
			if i < k {
				for _, op := range []string{"+", "min", "max", "*"} {
					try(op, a, b)
				}
			}
			if i != k {
				try("-", a, b)
				try("/", a, b)
			}
		}
	}
	for _, a := range atoms {
		switch {
		case a.sort == eq.ListOf(eq.Ints):
			try("sum", a)
			try("len", a)
		case a.sort.IsList(), a.sort.IsMap(), a.sort == eq.Texts:
			try("len", a)
		}
		if a.sort.IsList() {
			for _, x := range of(atoms, a.sort.Elem()) {
				try("count", a, x)
				try("index", a, x)
			}
		}
		for f, s := range a.sort.Elem().Fields() {
			if !a.sort.IsList() || f >= 4 {
				continue
			}
			for _, x := range of(atoms, s) {
				for _, op := range []string{"with", "above", "below"} {
					c := p.made(numbered(op, f), a, x)
					try("len", c)
				}
			}
		}
	}
	zero := p.constant(eq.IntOf(0))
	for _, a := range ints {
		try("-", zero, a)
		try("max", a, zero)
	}
	if len(ints) > 12 {
		ints = ints[:12]
	}
	for i, a := range ints { // a - b + c, a + b * c and a - b * c, and no more than that
		for k, b := range ints {
			if i >= k {
				continue
			}
			try("max", p.made("-", a, b), zero)
			try("max", p.made("-", b, a), zero)
			sum, product := p.made("+", a, b), p.made("*", a, b)
			for l, c := range ints {
				if l != i && l != k {
					rest := p.made("-", sum, c)
					try("-", sum, c)
					try("max", rest, zero)
					try("+", c, product)
					try("-", c, product)
				}
			}
		}
	}
}

// sums are integers, and sums and differences of them, which may be off by a constant.
func (p *problem) sums(atoms []*column) (all []*column) {
	all = append(of(atoms, eq.Ints), p.indices(atoms)...)
	ints := computed(atoms)
	ints = ints[:min(len(ints), 14)]
	for i, a := range ints {
		for k, b := range ints {
			if i < k {
				all = append(all, p.made("+", a, b))
			}
			if i != k {
				all = append(all, p.made("-", a, b))
			}
		}
	}
	for _, a := range atoms {
		if a.sort.IsList() || a.sort.IsMap() {
			c := p.made("len", a)
			c.sort = eq.Ints
			all = append(all, c)
			if a.sort.Elem().Fields() == nil {
				continue
			}
			for f, s := range a.sort.Elem().Fields() {
				if !a.sort.IsList() || f >= 4 {
					continue
				}
				for _, x := range of(atoms, s) {
					all = append(all, p.made("len", p.made(numbered("above", f), a, x)), p.made("len", p.made(numbered("below", f), a, x)))
				}
			}
		}
	}
	if len(ints) > 7 {
		ints = ints[:7]
	}
	for i, a := range ints {
		for k, b := range ints[:i] {
			for l, c := range ints {
				if l != i && l != k {
					all = append(all, p.made("-", p.made("+", a, b), c))
				}
			}
		}
	}
	return all
}

// floored reports whether the target is 0 in a row in which an integer is less.
func (p *problem) floored(c *column) bool {
	for i := range p.rows {
		if n, ok := c.integer(i); ok && n < 0 && p.rows[i].target == eq.IntOf(0) {
			return true
		}
	}
	return false
}

// shifted are atoms plus or minus an integer, the one by which the target differs most often.
func (p *problem) shifted(atoms []*column, keep func(*column)) {
	for _, a := range atoms {
		for _, d := range p.often(a, func(t, v int64) int64 { return t - v }) {
			op := "+"
			if d < 0 {
				op, d = "-", -d
			}
			p.keepFloored(p.made(op, a, p.constant(eq.IntOf(d))), keep)
		}
	}
}

// mirrored are integers minus an atom: what is left of what there was.
func (p *problem) mirrored(atoms []*column, keep func(*column)) {
	for _, a := range atoms {
		for _, d := range p.often(a, func(t, v int64) int64 { return t + v }) {
			p.keepFloored(p.made("-", p.constant(eq.IntOf(d)), a), keep)
		}
	}
}

// often are the two numbers that what is made of the target and an atom is most often; 0 is not among them.
func (p *problem) often(a *column, of func(t, v int64) int64) (ds []int64) {
	count := map[int64]int{}
	for i := range p.rows {
		if t := p.rows[i].target; a.v[i].IsInt() && a.v[i] != eq.Undefined && t.IsInt() && t != eq.Undefined {
			count[of(t.Int(), a.v[i].Int())]++
		}
	}
	for d, n := range count {
		if d != 0 && n >= 3 {
			ds = append(ds, d)
		}
	}
	slices.SortFunc(ds, func(x, y int64) int { return cmp.Or(count[y]-count[x], cmp.Compare(x, y)) })
	return ds[:min(len(ds), 2)]
}

// keepFloored keeps a column, and the larger of it and 0 where that may be the target.
func (p *problem) keepFloored(c *column, keep func(*column)) {
	if keep(c); p.floored(c) {
		keep(p.made("max", c, p.constant(eq.IntOf(0))))
	}
}
