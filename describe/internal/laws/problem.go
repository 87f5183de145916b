package laws

import (
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// problem is a law to be found: what a target is, in terms of variables and of what
// observers were before.
type problem struct {
	w      *world
	all    []*observer
	scope  []eq.Param // variables
	may    []int      // observers that terms may ask for
	target eq.Sort
	before *eq.Expr // the target as it was before the call; nil: it is no effect
	rows   []row
	law    eq.Law // found last
	total  bool   // no other law is of use
	more   bool   // there are examples of the second sample
	wide   bool   // nothing bounds what terms are made of
	tries  int
	method int // of an effect

	atoms []*column // of the first rows; see find
	terms []*term

	answersAt, answersEnd int // the variables that are the answer
}

// row is an example: variables, the state before, and what the target is.
type row struct {
	vars   []eq.Value
	state  int32
	target eq.Value
	counts []int32
}

// column is an expression with its values in all rows.
type column struct {
	e     *eq.Expr
	sort  eq.Sort
	v     []eq.Value
	cost  int
	depth int  // of observers in one another
	count bool // it is how many calls there were
	from  bool // it is a threshold
}

// eval evaluates an expression in a row; false: something is not known yet.
func (p *problem) eval(e *eq.Expr, r *row) (eq.Value, bool) {
	known := true
	env := p.env(r, &known)
	v, _ := p.w.store.Eval(e, &env)
	return v, known
}

// evalLaw is what a law says in a row.
func (p *problem) evalLaw(l *eq.Law, r *row) (eq.Value, bool) {
	known := true
	env := p.env(r, &known)
	v, _ := p.w.store.Of(l, &env)
	return v, known
}

func (p *problem) env(r *row, known *bool) eq.Env {
	return eq.Env{Vars: r.vars, Obs: func(o int, args []eq.Value) (eq.Value, error) {
		if ob := p.all[o]; ob.counts {
			if ob.part < len(r.counts) {
				return eq.IntOf(int64(r.counts[ob.part])), nil
			}
			return eq.IntOf(0), nil
		}
		v, ok := p.w.see(r.state, p.all[o], args)
		*known = *known && ok
		return v, nil
	}}
}

// columns evaluates expressions in all rows.
func (p *problem) columns(cs []*column) error { return p.evaluate(cs, 0) }

// evaluate evaluates expressions in all rows but the first.
func (p *problem) evaluate(cs []*column, from int) error {
	for _, c := range cs {
		c.v = append(c.v[:from:from], make([]eq.Value, len(p.rows)-from)...)
	}
	return p.w.fill(func() {
		for i := from; i < len(p.rows); i++ {
			known := true
			env := p.env(&p.rows[i], &known)
			for _, c := range cs {
				c.v[i], _ = p.w.store.Eval(c.e, &env)
			}
		}
	})
}

// mostAtoms bounds what terms are made of.
const mostAtoms = 60

// newAtoms are variables, what observers were before, of them and of one another, and
// fields of both.
func (p *problem) newAtoms() ([]*column, error) {
	vars, seen, err := p.near()
	if err != nil {
		return nil, err
	}
	all := slices.Concat(vars, seen)
	if len(all) > mostAtoms && !p.wide {
		return p.distinct(all), nil
	}
	deep := p.asked(seen, all)
	if err := p.columns(deep); err != nil {
		return nil, err
	}
	if all = append(all, deep...); p.wide {
		return all, nil
	}
	return p.distinct(all), nil
}

// near are the atoms that are no observers of observers.
func (p *problem) near() (vars, seen []*column, err error) {
	for i, v := range p.scope {
		vars = append(vars, &column{e: eq.NewVar(v.Name, i), sort: v.Sort, cost: 1})
	}
	vars = fields(vars)
	if err := p.columns(vars); err != nil {
		return nil, nil, err
	}
	seen = p.asked(vars, vars)
	if err := p.columns(seen); err != nil {
		return nil, nil, err
	}
	seen = fields(seen)
	if err := p.columns(seen); err != nil {
		return nil, nil, err
	}
	var inner []*column
	for _, c := range slices.Concat(vars, seen) { // the record of a parameter is as good as one at an end
		for f, s := range c.sort.Elem().Fields() {
			for _, x := range vars {
				if c.sort.IsList() && f < 4 && x.sort == s && isParameter(x.e, f) {
					with := eq.NewOp(numbered("with", f), c.e, x.e)
					inner = append(inner, &column{e: with, sort: c.sort, cost: c.cost + 1},
						&column{e: eq.NewOp("first", with), sort: c.sort.Elem(), cost: c.cost + 1})
				}
			}
		}
	}
	for _, c := range seen {
		if c.sort.IsList() {
			inner = append(inner, &column{e: eq.NewOp("first", c.e), sort: c.sort.Elem(), cost: c.cost + 1},
				&column{e: eq.NewOp("last", c.e), sort: c.sort.Elem(), cost: c.cost + 1})
		}
	}
	inner = fields(inner)
	return vars, append(seen, inner...), p.columns(inner)
}

// isParameter reports whether an expression is a variable, or that field of one.
func isParameter(e *eq.Expr, field int) bool {
	return e.Form == eq.Var || e.Form == eq.Op && e.Name == numbered("field", field) && e.Args[0].Form == eq.Var
}

// fields adds the fields of records.
func fields(cs []*column) []*column {
	for _, c := range cs {
		for i, s := range c.sort.Fields() {
			if i < 6 {
				cs = append(cs, &column{e: eq.NewOp(numbered("field", i), c.e), sort: s, cost: c.cost + 1})
			}
		}
	}
	return cs
}

// asked are observers of some columns, with at least one of those that must be among
// their arguments, or none if they take none and must is all there is.
func (p *problem) asked(must, some []*column) (out []*column) {
	first := len(must) == len(some)
	for _, n := range p.may {
		o := p.all[n]
		if len(o.params) == 0 {
			if first {
				out = append(out, &column{e: eq.NewObs(o.name, n), sort: o.sort, cost: 1, depth: 1, count: o.counts, from: o.from != nil})
			}
			continue
		}
		if !first && len(o.params) > 1 {
			continue
		}
		args := make([]*column, len(o.params))
		var fill func(i int)
		fill = func(i int) {
			if len(out) > 4*mostAtoms && !p.wide {
				return
			}
			if i == len(args) {
				c := &column{sort: o.sort, cost: 1, depth: 1}
				es := make([]*eq.Expr, len(args))
				fresh := first
				if c.from = o.from != nil; c.from {
					c.cost--
				}
				for k, a := range args {
					if k > 0 && args[k-1] == a {
						c.cost += 2 // a value seldom is what two parameters stand for
					}
					es[k] = a.e
					c.cost += a.cost
					c.depth = max(c.depth, a.depth+1)
					for _, m := range must {
						fresh = fresh || m == a
					}
				}
				if fresh {
					c.e = eq.NewObs(o.name, n, es...)
					out = append(out, c)
				}
				return
			}
			for _, a := range some {
				if a.sort == o.params[i].Sort && a.depth < 2 {
					args[i] = a
					fill(i + 1)
				}
			}
		}
		fill(0)
	}
	return out
}

// distinct leaves out columns that are equal to cheaper ones before, or undefined
// everywhere, and what is too much, but for what the target was before.
func (p *problem) distinct(cs []*column) []*column {
	type key struct {
		sort eq.Sort
		hash uint64
	}
	known := map[key]bool{}
	var out []*column
	slices.SortStableFunc(cs, func(a, b *column) int { return a.cost + a.depth - b.cost - b.depth })
	for _, c := range cs {
		h, some := hashOf(c.v)
		k := key{c.sort, h}
		if !some || known[k] || len(out) >= mostAtoms && (p.before == nil || !c.e.Equal(p.before)) {
			continue
		}
		known[k] = true
		out = append(out, c)
	}
	return out
}
