package laws

import (
	"cmp"
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// guard is a condition, with the rows in which it holds.
type guard struct {
	e    *eq.Expr
	cost int
	in   rowset
}

// form is a sum of integers in all rows; out holds those in which it has no value.
type form struct {
	v    []int64
	ok   rowset
	cost int

	order []int32
	make  func(less bool, c int64) *eq.Expr // form < c, or form >= c
}

// guards are conditions that compare atoms for equality, ask what is in what, and what
// an answer or a flag is. Each comes with its opposite.
func (p *problem) guards(atoms []*column) (all []*guard) {
	have := map[string]bool{}
	add := func(op, not string, a, b *column, cost int) {
		yes := &guard{e: apply(op, []*column{a, b}), cost: cost, in: newRows(len(p.rows))}
		no := &guard{e: apply(not, []*column{a, b}), cost: cost, in: newRows(len(p.rows))}
		args := make([]eq.Value, 2)
		for i := range p.rows {
			if args[0], args[1] = a.v[i], b.v[i]; args[0] == eq.Undefined || args[1] == eq.Undefined {
				continue
			}
			switch v := p.w.store.Apply(op, args); v {
			case p.w.store.Truth(true):
				yes.in.add(i)
			case p.w.store.Truth(false):
				no.in.add(i)
			}
		}
		for _, g := range []*guard{yes, no} {
			h := string(bytesOf(g.in))
			if !g.in.empty() && !have[h] {
				have[h] = true
				all = append(all, g)
			}
		}
	}
	given := func(a *column) {
		yes := &guard{e: eq.NewOp("given", a.e), cost: a.cost, in: newRows(len(p.rows))}
		no := &guard{e: eq.NewOp("absent", a.e), cost: a.cost, in: newRows(len(p.rows))}
		for i, v := range a.v {
			switch {
			case v == eq.Undefined:
			case p.w.store.Is(v, eq.Word):
				no.in.add(i)
			default:
				yes.in.add(i)
			}
		}
		all = append(all, yes, no)
		have[string(bytesOf(yes.in))], have[string(bytesOf(no.in))] = true, true
	}
	for i, a := range atoms {
		if p.mixed(a) {
			given(a)
		}
		for _, v := range p.usual(a) {
			add("==", "!=", a, p.constant(v), a.cost+1)
		}
		for _, b := range atoms[:i] {
			if a.sort == b.sort {
				add("==", "!=", b, a, a.cost+b.cost+1)
			}
		}
		if a.sort.IsList() || a.sort.IsMap() {
			elem := a.sort.Elem()
			if a.sort.IsMap() {
				elem = a.sort.Key()
			}
			for _, x := range of(atoms, elem) {
				add("in", "!in", x, a, a.cost+x.cost+1)
			}
		}
	}
	return all
}

// mixed reports whether a column has values that are no words, beside more than one word
// or more than one value.
func (p *problem) mixed(a *column) bool {
	if a.sort == eq.Words {
		return false
	}
	word, other := false, false
	for _, v := range a.v {
		if v != eq.Undefined {
			is := p.w.store.Is(v, eq.Word)
			word, other = word || is, other || !is
		}
	}
	return word && other
}

func bytesOf(s rowset) []byte {
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for k := range 8 {
			b = append(b, byte(w>>(8*k)))
		}
	}
	return b
}

// usual are the values of a column that it may be asked about: words, nothing, and zero.
func (p *problem) usual(a *column) (out []eq.Value) {
	seen := map[eq.Value]int{}
	for _, v := range a.v {
		if v != eq.Undefined {
			seen[v]++
		}
	}
	if len(seen) < 2 {
		return nil
	}
	for v, n := range seen {
		switch {
		case n < 2:
		case v.IsInt() && (v.Int() == 0 || len(seen) <= 6), p.w.store.Is(v, eq.Word),
			p.w.store.Is(v, eq.Text) && p.w.store.TextOf(v) == "",
			p.w.store.Is(v, eq.List) && len(p.w.store.Parts(v)) == 0,
			p.w.store.Is(v, eq.Map) && len(p.w.store.Parts(v)) == 0:
			out = append(out, v)
		}
	}
	slices.SortFunc(out, p.w.store.Compare)
	return out[:min(len(out), 10)]
}

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
	ints = p.distinct(ints)
	ints = ints[:min(len(ints), 20)]
	add := func(cost int, make func(bool, int64) *eq.Expr, value func(i int) (int64, bool)) {
		f := &form{v: nil, ok: newRows(len(p.rows)), cost: cost, make: make}
		f.v = append(f.v, zeros(len(p.rows))...)
		for i := range p.rows {
			if v, ok := value(i); ok {
				f.v[i] = v
				f.ok.add(i)
			}
		}
		all = append(all, f)
	}
	num := func(n int64) *eq.Expr { return p.w.store.NewConst(eq.IntOf(n)) }
	plus := func(e *eq.Expr, n int64) *eq.Expr {
		switch {
		case n == 0:
			return e
		case n < 0:
			return eq.NewOp("-", e, num(-n))
		}
		return eq.NewOp("+", e, num(n))
	}
	at := func(a *column, i int) (int64, bool) {
		return a.v[i].Int(), a.v[i] != eq.Undefined && a.v[i].IsInt()
	}
	for _, a := range ints {
		add(a.cost+1, func(less bool, c int64) *eq.Expr {
			if less {
				return eq.NewOp("<", a.e, num(c))
			}
			return eq.NewOp("<=", num(c), a.e)
		}, func(i int) (int64, bool) { return at(a, i) })
	}
	for k, a := range ints {
		for _, b := range ints[:k] {
			if a.count && b.e.Form != eq.Var || b.count && a.e.Form != eq.Var {
				continue
			}
			add(a.cost+b.cost+1, func(less bool, c int64) *eq.Expr { // a - b < c
				switch {
				case less && c == 1:
					return eq.NewOp("<=", a.e, b.e)
				case less:
					return eq.NewOp("<", a.e, plus(b.e, c))
				case c == 1:
					return eq.NewOp("<", b.e, a.e)
				}
				return eq.NewOp("<=", plus(b.e, c), a.e)
			}, func(i int) (int64, bool) {
				x, ok := at(a, i)
				y, also := at(b, i)
				return x - y, ok && also
			})
		}
	}
	ints = computed(ints)
	n := min(len(ints), 7)
	for k, a := range ints[:n] {
		for j, b := range ints[:k] {
			add(a.cost+b.cost+2, func(less bool, c int64) *eq.Expr { // a + b < c
				if less {
					return eq.NewOp("<", eq.NewOp("+", b.e, a.e), num(c))
				}
				return eq.NewOp("<=", num(c), eq.NewOp("+", b.e, a.e))
			}, func(i int) (int64, bool) {
				x, ok := at(a, i)
				y, also := at(b, i)
				return x + y, ok && also
			})
			for l, d := range ints[:n] {
				if l == k || l == j {
					continue
				}
				add(a.cost+b.cost+d.cost+3, func(less bool, c int64) *eq.Expr { // a + b - d < c
					sum := eq.NewOp("+", b.e, a.e)
					switch {
					case less && c == 1:
						return eq.NewOp("<=", sum, d.e)
					case less:
						return eq.NewOp("<", sum, plus(d.e, c))
					case c == 1:
						return eq.NewOp("<", d.e, sum)
					}
					return eq.NewOp("<=", plus(d.e, c), sum)
				}, func(i int) (int64, bool) {
					x, ok := at(a, i)
					y, also := at(b, i)
					z, too := at(d, i)
					return x + y - z, ok && also && too
				})
			}
		}
	}
	texts := p.distinct(of(atoms, eq.Texts))
	texts = texts[:min(len(texts), 6)]
	for k, a := range texts {
		for _, b := range texts[:k] {
			add(a.cost+b.cost+1, func(less bool, c int64) *eq.Expr {
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
	}
	return all
}

func zeros(n int) []int64 { return make([]int64, n) }

// sorted orders the rows in which a form has a value by it.
func (f *form) sorted() []int32 {
	if f.order == nil {
		f.order = make([]int32, 0, len(f.v))
		for i := range f.v {
			if f.ok.has(i) {
				f.order = append(f.order, int32(i))
			}
		}
		slices.SortFunc(f.order, func(a, b int32) int { return cmp.Compare(f.v[a], f.v[b]) })
	}
	return f.order
}

// beyond are the open rows in which a form is less than it is in any wrong row, or more,
// and the bound: where it is first wrong. No rows: there are fewer of those to do than a
// rule is made for.
func (f *form) beyond(open, wrong, todo rowset, more bool) (in rowset, bound int64) {
	order, n, end := f.sorted(), 0, -1
	at := func(i int) int {
		if more {
			i = len(order) - 1 - i
		}
		return int(order[i])
	}
	for i := range order {
		r := at(i)
		if wrong.has(r) {
			end, bound = i, f.v[r]
			break
		}
		if todo.has(r) {
			n++
		}
	}
	if end < 0 || n < fewestRows {
		return nil, 0
	}
	in = newRows(len(f.v))
	for i := range end {
		if r := at(i); f.v[r] != bound && open.has(r) {
			in.add(r)
		}
	}
	return in, bound
}
