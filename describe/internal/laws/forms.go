package laws

import (
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Bounds of what is compared.
const (
	mostForms = 20 // integers
	mostSums  = 7  // of them in sums
	mostTexts = 6
)

// forms are integers, differences of two, and sums of two less a third. They are compared
// with constants that examples show.
func (p *problem) forms(atoms []*column) (all []*form) {
	ints := of(atoms, eq.Ints)
	for _, l := range atoms {
		if l.sort.IsList() || l.sort.IsMap() {
			c := p.made("len", l)
			c.sort = eq.Ints
			ints = append(ints, c)
		}
	}
	ints = p.distinct(append(ints, p.indices(atoms)...))
	ints = ints[:min(len(ints), mostForms)]
	for k, a := range ints {
		all = append(all, p.single(a))
		for _, b := range ints[:k] {
			if a.count && b.e.Form != eq.Var || b.count && a.e.Form != eq.Var {
				continue
			}
			all = append(all, p.difference(a, b, nil))
		}
	}
	ints = computed(ints)
	ints = ints[:min(len(ints), mostSums)]
	for k, a := range ints {
		for _, b := range ints[:k] {
			all = append(all, p.sum(b, a))
			for _, d := range ints {
				if d != a && d != b {
					all = append(all, p.difference(b, d, a))
				}
			}
		}
	}
	texts := p.distinct(of(atoms, eq.Texts))
	texts = texts[:min(len(texts), mostTexts)]
	for k, a := range texts {
		for _, b := range texts[:k] {
			all = append(all, p.order(a, b))
		}
	}
	return all
}

// form is a form with its values.
func (p *problem) form(cost int, make func(bool, int64) *eq.Expr, value func(i int) (int64, bool)) *form {
	f := &form{v: zeros(len(p.rows)), ok: newRows(len(p.rows)), cost: cost, make: make}
	for i := range p.rows {
		if v, ok := value(i); ok {
			f.v[i] = v
			f.ok.add(i)
		}
	}
	return f
}

func zeros(n int) []int64 { return make([]int64, n) }

func (p *problem) number(n int64) *eq.Expr { return p.w.store.NewConst(eq.IntOf(n)) }

// plus is a term and a constant.
func (p *problem) plus(e *eq.Expr, n int64) *eq.Expr {
	switch {
	case n == 0:
		return e
	case n < 0:
		return eq.NewOp("-", e, p.number(-n))
	}
	return eq.NewOp("+", e, p.number(n))
}

// integer is the integer in a row.
func (c *column) integer(i int) (int64, bool) {
	return c.v[i].Int(), c.v[i] != eq.Undefined && c.v[i].IsInt()
}

// single is one integer.
func (p *problem) single(a *column) *form {
	return p.form(a.cost+1, func(less bool, c int64) *eq.Expr {
		if less {
			return eq.NewOp("<", a.e, p.number(c))
		}
		return eq.NewOp("<=", p.number(c), a.e)
	}, a.integer)
}

// sum is a + b.
func (p *problem) sum(a, b *column) *form {
	e := eq.NewOp("+", a.e, b.e)
	return p.form(a.cost+b.cost+2, func(less bool, c int64) *eq.Expr {
		if less {
			return eq.NewOp("<", e, p.number(c))
		}
		return eq.NewOp("<=", p.number(c), e)
	}, func(i int) (int64, bool) {
		x, ok := a.integer(i)
		y, also := b.integer(i)
		return x + y, ok && also
	})
}

// difference is a + more - b; more may be nil.
func (p *problem) difference(a, b, more *column) *form {
	left, cost := a.e, a.cost+b.cost+1
	if more != nil {
		left, cost = eq.NewOp("+", a.e, more.e), cost+more.cost+2
	}
	return p.form(cost, func(less bool, c int64) *eq.Expr { // left - b < c
		switch {
		case less && c == 1:
			return eq.NewOp("<=", left, b.e)
		case less:
			return eq.NewOp("<", left, p.plus(b.e, c))
		case c == 1:
			return eq.NewOp("<", b.e, left)
		}
		return eq.NewOp("<=", p.plus(b.e, c), left)
	}, func(i int) (int64, bool) {
		x, ok := a.integer(i)
		y, also := b.integer(i)
		if more == nil || !ok || !also {
			return x - y, ok && also
		}
		z, too := more.integer(i)
		return x + z - y, too
	})
}

// order is how two texts compare.
func (p *problem) order(a, b *column) *form {
	return p.form(a.cost+b.cost+1, func(less bool, c int64) *eq.Expr {
		switch {
		case less && c == 0:
			return eq.NewOp("<", a.e, b.e)
		case less:
			return eq.NewOp("<=", a.e, b.e)
		case c == 0:
			return eq.NewOp("<=", b.e, a.e)
		}
		return eq.NewOp("<", b.e, a.e)
	}, func(i int) (int64, bool) {
		if !p.w.store.Is(a.v[i], eq.Text) || !p.w.store.Is(b.v[i], eq.Text) {
			return 0, false
		}
		return int64(p.w.store.Compare(a.v[i], b.v[i])), true
	})
}
