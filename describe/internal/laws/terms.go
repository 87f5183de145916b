package laws

import (
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// term is a column that may be the target, with the rows in which it is.
type term struct {
	*column
	right rowset
	n     int
	known int // rows that it was compared in
}

// probe is how many rows are tried before a term is evaluated in all.
const (
	probe     = 96
	probeWork = probe / 4
	listWork  = 3 // of a cell that a list is looked at for
)

// probed are the rows that are tried.
func (p *problem) probed(yield func(int) bool) {
	for i := 0; i < len(p.rows); i += max(1, len(p.rows)/probe) {
		if !yield(i) {
			return
		}
	}
}

// newTerms are what the target may be, by how often it is that: atoms, constants, and what
// the grammar makes of atoms.
func (p *problem) newTerms(atoms []*column) []*term {
	var all []*term
	have := map[uint64]*term{}
	keep := func(c *column) {
		t := &term{column: c}
		if p.compare(t); t.n == 0 {
			return
		}
		h, _ := hashOf(c.v)
		switch was := have[h]; {
		case was == nil:
			have[h] = t
			all = append(all, t)
		case c.cost < was.cost:
			was.column = c
		}
	}
	try := func(op string, args ...*column) {
		if c := p.tried(op, args); c != nil {
			keep(c)
		}
	}
	for _, a := range atoms {
		if a.sort == p.target {
			keep(a)
		}
	}
	for _, c := range p.constants() {
		keep(c)
	}
	switch {
	case p.target == eq.Ints:
		p.integers(atoms, try)
		p.shifted(p.sums(atoms), keep)
		p.mirrored(computed(atoms), keep)
	case p.target.IsList():
		p.lists(atoms, try)
	case p.target.IsMap():
		p.maps(atoms, try)
	case p.target.Fields() != nil:
		p.records(atoms, p.target, try)
	}
	p.elements(atoms, try)
	return all
}

// compare notes the rows in which a term is right, from that on which it does not know.
func (p *problem) compare(t *term) {
	t.right = append(t.right, newRows(len(p.rows))[len(t.right):]...)
	for i := t.known; i < len(p.rows); i++ {
		if t.v[i] == p.rows[i].target && t.v[i] != eq.Undefined {
			t.right.add(i)
			t.n++
		}
	}
	t.known = len(p.rows)
}

// tried is an operator's column; nil: it is the target in no row of some that were tried.
func (p *problem) tried(op string, args []*column) *column {
	made, vs := p.w.applying(op, args), make([]eq.Value, len(args))
	value := func(i int) eq.Value {
		for k, a := range args {
			if vs[k] = a.v[i]; vs[k] == eq.Undefined {
				return eq.Undefined
			}
		}
		return made(vs)
	}
	right, cell := false, 1
	if args[0].sort.IsList() {
		cell = listWork
	}
	p.w.work += cell * probeWork
	for i := range p.probed {
		if right = value(i) == p.rows[i].target; right {
			break
		}
	}
	if !right {
		return nil
	}
	c := &column{e: apply(op, args), sort: p.target, cost: costOf(op, args), v: make([]eq.Value, len(p.rows))}
	p.w.work += cell * len(p.rows)
	for i := range p.rows {
		c.v[i] = value(i)
	}
	return c
}

func apply(op string, args []*column) *eq.Expr {
	es := make([]*eq.Expr, len(args))
	for i, a := range args {
		es[i] = a.e
	}
	if (op == "+" || op == "==" || op == "!=") && es[0].Form == eq.Var && es[1].Form == eq.Obs {
		es[0], es[1] = es[1], es[0]
	}
	return eq.NewOp(op, es...)
}

func costOf(op string, args []*column) int {
	n := eq.NewOp(op).Cost()
	for _, a := range args {
		n += a.cost
	}
	return n
}

// constants are the values that the target has most often, as columns.
func (p *problem) constants() (out []*column) {
	count := map[eq.Value]int{}
	for i := range p.rows {
		count[p.rows[i].target]++
	}
	var all []eq.Value
	for v, n := range count {
		if v != eq.Undefined && (n >= 3 || n*3 >= len(p.rows)) {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b eq.Value) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return p.w.store.Compare(a, b)
	})
	for _, v := range all[:min(len(all), 10)] {
		out = append(out, p.constant(v))
	}
	return out
}

func (p *problem) constant(v eq.Value) *column {
	sort := p.target
	c := &column{e: p.w.store.NewConst(v), sort: sort, cost: 1, v: make([]eq.Value, len(p.rows))}
	if v.IsInt() && v.Int() != 0 && v.Int() != 1 {
		c.cost = 2
	}
	for i := range c.v {
		c.v[i] = v
	}
	return c
}

// computed are the integers that sums are made of: all but those that count calls.
func computed(cs []*column) []*column {
	return slices.DeleteFunc(of(cs, eq.Ints), func(c *column) bool { return c.count })
}

func of(cs []*column, s eq.Sort) (out []*column) {
	for _, c := range cs {
		if c.sort == s {
			out = append(out, c)
		}
	}
	return out
}

// made is an operator's column, for terms that are made of it.
func (p *problem) made(op string, args ...*column) *column {
	c := &column{e: apply(op, args), sort: p.target, cost: costOf(op, args), v: make([]eq.Value, len(p.rows))}
	vs := make([]eq.Value, len(args))
	value := p.w.applying(op, args)
	for i := range c.v {
		c.v[i] = eq.Undefined
		ok := true
		for k, a := range args {
			vs[k] = a.v[i]
			ok = ok && vs[k] != eq.Undefined
		}
		if ok {
			c.v[i] = value(vs)
		}
	}
	return c
}

// maps are a map with an entry more or less.
func (p *problem) maps(atoms []*column, try func(string, ...*column)) {
	empty := p.constant(p.w.store.Compound(eq.Map, nil))
	for _, m := range append(of(atoms, p.target), empty) {
		values := of(atoms, p.target.Elem())
		for _, k := range of(atoms, p.target.Key()) {
			try("delete", m, k)
			for _, v := range values {
				try("set", m, k, v)
			}
			if p.target.Elem() == eq.Ints {
				at := p.made("at", m, k)
				one := p.constant(eq.IntOf(1))
				try("set", m, k, p.made("+", at, one))
				try("set", m, k, p.made("-", at, one))
				try("set", m, k, one)
				for _, v := range values {
					try("set", m, k, p.made("+", at, v))
					try("set", m, k, p.made("-", at, v))
				}
			}
		}
	}
}

// records are put together of atoms.
func (p *problem) records(atoms []*column, sort eq.Sort, try func(string, ...*column)) {
	fields := sort.Fields()
	if len(fields) > 4 {
		return
	}
	args := make([]*column, len(fields))
	left := 400
	var fill func(i int)
	fill = func(i int) {
		if i == len(args) {
			if left--; left >= 0 {
				try(numbered("record", len(args)-1), args...)
			}
			return
		}
		for _, a := range of(atoms, fields[i]) {
			if a.depth <= 1 && left > 0 {
				args[i] = a
				fill(i + 1)
			}
		}
	}
	fill(0)
}

// elements are taken out of lists and maps.
func (p *problem) elements(atoms []*column, try func(string, ...*column)) {
	for _, l := range atoms {
		if l.sort.Elem() != p.target {
			continue
		}
		if l.sort.IsMap() {
			for _, k := range of(atoms, l.sort.Key()) {
				try("at", l, k)
			}
			continue
		}
		for _, i := range of(atoms, eq.Ints) {
			try("at", l, i)
		}
		if p.w.places {
			p.neighbours(l, atoms, try)
		}
	}
	for _, l := range atoms { // a field of the first record that has another field
		fields := l.sort.Elem().Fields()
		for g, s := range fields {
			if s != p.target || !l.sort.IsList() || g >= 6 {
				continue
			}
			for f, s := range fields {
				if f == g || f >= 4 {
					continue
				}
				for _, x := range of(atoms, s) {
					c := p.made("first", p.made(numbered("with", f), l, x))
					try(numbered("field", g), c)
				}
			}
		}
	}
}
