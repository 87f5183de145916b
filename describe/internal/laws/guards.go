package laws

import (
	"cmp"
	"slices"
	"strings"

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
	have := map[uint64]bool{}
	either := func(op string, a, b *column, cost int, not *eq.Expr) {
		yes := &guard{e: apply(op, []*column{a, b}), cost: cost, in: newRows(len(p.rows))}
		no := &guard{e: not, cost: cost, in: newRows(len(p.rows))}
		args, value := make([]eq.Value, 2), p.w.store.Applied(op)
		for i := range p.rows {
			if args[0], args[1] = a.v[i], b.v[i]; args[0] == eq.Undefined || args[1] == eq.Undefined {
				continue
			}
			switch v := value(args); v {
			case p.w.store.Truth(true):
				yes.in.add(i)
			case p.w.store.Truth(false):
				no.in.add(i)
			}
		}
		for _, g := range []*guard{yes, no} {
			h := g.in.hash()
			if !g.in.empty() && !have[h] {
				have[h] = true
				all = append(all, g)
			}
		}
	}
	add := func(op, not string, a, b *column, cost int) {
		either(op, a, b, cost, apply(not, []*column{a, b}))
	}
	given := func(a *column) {
		yes, no := p.given(a)
		all = append(all, yes, no)
		have[yes.in.hash()], have[no.in.hash()] = true, true
	}
	for i, a := range atoms {
		if p.mixed(a) {
			given(a)
		}
		for _, v := range p.usual(a) {
			add("==", "!=", a, p.constant(v), a.cost+1)
		}
		for _, b := range atoms[:i] {
			switch {
			case a.sort != b.sort:
			case a.from && b.e.Form == eq.Var: // a threshold is there to be compared
				either("<=", a, b, a.cost+b.cost+1, eq.NewOp("<", b.e, a.e))
			case b.from && a.e.Form == eq.Var:
				either("<=", b, a, a.cost+b.cost+1, eq.NewOp("<", a.e, b.e))
			}
			if a.sort == b.sort {
				add("==", "!=", b, a, a.cost+b.cost+1)
			}
			for _, of := range [][2]*column{{a, b}, {b, a}} {
				if p.begins(of[0], of[1]) {
					add("startsWith", "!startsWith", of[0], of[1], a.cost+b.cost+2)
				}
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

// begins reports whether texts of a column begin with those of another in some row, and are not the same.
func (p *problem) begins(a, b *column) bool {
	if a.sort != eq.Texts || b.sort != eq.Texts {
		return false
	}
	s := p.w.store
	for i, v := range a.v {
		if w := b.v[i]; v != w && s.Is(v, eq.Text) && s.Is(w, eq.Text) && s.TextOf(w) != "" && strings.HasPrefix(s.TextOf(v), s.TextOf(w)) {
			return true
		}
	}
	return false
}

// given asks whether a column is a value or a word.
func (p *problem) given(a *column) (yes, no *guard) {
	yes = &guard{e: eq.NewOp("given", a.e), cost: a.cost, in: newRows(len(p.rows))}
	no = &guard{e: eq.NewOp("absent", a.e), cost: a.cost, in: newRows(len(p.rows))}
	for i, v := range a.v {
		switch {
		case v == eq.Undefined:
		case p.w.store.Is(v, eq.Word):
			no.in.add(i)
		default:
			yes.in.add(i)
		}
	}
	return yes, no
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

// usual are the values of a column that it may be asked about: words, nothing, zero, and
// texts that the reference has.
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
			p.w.store.Is(v, eq.Text) && (p.w.store.TextOf(v) == "" || p.w.literals.Has(p.w.store.TextOf(v))),
			p.w.store.Is(v, eq.List) && len(p.w.store.Parts(v)) == 0,
			p.w.store.Is(v, eq.Map) && len(p.w.store.Parts(v)) == 0:
			out = append(out, v)
		}
	}
	slices.SortFunc(out, p.w.store.Compare)
	return out[:min(len(out), 10)]
}

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
	order, n, from, step := f.sorted(), 0, 0, 1
	if more {
		from, step = len(order)-1, -1
	}
	end := from
	for ; end >= 0 && end < len(order); end += step {
		r := int(order[end])
		if wrong.has(r) {
			break
		}
		if todo.has(r) {
			n++
		}
	}
	if end < 0 || end == len(order) || n < fewestRows {
		return nil, 0
	}
	in, bound = newRows(len(f.v)), f.v[order[end]]
	for i := from; i != end; i += step {
		if r := int(order[i]); f.v[r] != bound && open.has(r) {
			in.add(r)
		}
	}
	return in, bound
}
