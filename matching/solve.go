package matching

import (
	"context"
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// query is an incremental satisfiability query over the constraints. Each has
// a literal of its own that is assumed, so that a core names constraints.
type query struct {
	encoding    *encoding
	solver      solver.Solver
	cnf         *solver.CNF
	constraints []constraint
	selectors   []int
}

func newQuery(n *encoding, s solver.Solver) *query {
	return &query{encoding: n, solver: s, cnf: solver.NewCNF(n.circuit, s.NewVar, s.Add)}
}

func (q *query) add(cs ...constraint) {
	for _, c := range cs {
		sel := q.encoding.circuit.Var()
		q.cnf.AssertIf(sel, c.lit)
		q.constraints = append(q.constraints, c)
		q.selectors = append(q.selectors, q.cnf.Lit(sel))
	}
}

// solve decides the constraints together with further literals.
func (q *query) solve(ctx context.Context, more ...solver.Lit) (bool, error) {
	assumptions := append(make([]int, 0, len(q.selectors)+len(more)), q.selectors...)
	for _, l := range more {
		assumptions = append(assumptions, q.cnf.Lit(l))
	}
	r, err := q.solver.Solve(ctx, assumptions...)
	return r == solver.Sat, err
}

// model is what the last satisfiable query says of each valuation.
func (q *query) model() []bool {
	m := make([]bool, len(q.encoding.g))
	for v, l := range q.encoding.g {
		m[v] = q.cnf.Holds(l, q.solver.True)
	}
	return m
}

// core is a small set of constraints that contradict each other, after an
// unsatisfiable query without further literals: one that is minimal, found by
// leaving out one after the other.
func (q *query) core(ctx context.Context) ([]constraint, error) {
	index := map[int]int{}
	for i, s := range q.selectors {
		index[s] = i
	}
	core := q.solver.Core()
	sort.Ints(core)
	for i := 0; i < len(core); {
		rest := append(append([]int{}, core[:i]...), core[i+1:]...)
		r, err := q.solver.Solve(ctx, rest...)
		if err != nil {
			return nil, err
		}
		if r == solver.Unsat {
			core = rest
		} else {
			i++
		}
	}
	if _, err := q.solver.Solve(ctx, core...); err != nil { // the last query, for those who record it
		return nil, err
	}
	var cs []constraint
	for _, s := range core {
		cs = append(cs, q.constraints[index[s]])
	}
	return cs, nil
}

// best narrows the models to one: as many operations of admitted executions as
// possible are matched, and beyond that as few pairs as possible. Valuations are
// tried one by one, those that occur most first; whether an operation is its own
// target is decided last, where it matters: if no other operation is.
func (q *query) best(ctx context.Context, admitted [][]enumerate.Label) ([]bool, error) {
	pairs := q.occurrences(admitted, func(op, t int) bool { return op != t || !q.encoding.table.identity }, nil)
	fixed, err := q.decide(ctx, nil, pairs)
	if err != nil {
		return nil, err
	}
	selfs := q.occurrences(admitted, func(op, t int) bool { return op == t }, fixed)
	if fixed, err = q.decide(ctx, fixed, selfs); err != nil {
		return nil, err
	}
	if _, err := q.solve(ctx, literals(fixed)...); err != nil {
		return nil, err
	}
	return q.model(), nil
}

// choice is a valuation with what was decided about it.
type choice struct {
	lit solver.Lit
	v   int
}

func literals(cs []choice) []solver.Lit {
	ls := make([]solver.Lit, len(cs))
	for i, c := range cs {
		ls[i] = c.lit
	}
	return ls
}

// decide adds to fixed a decision about every valuation that is not there yet:
// true if it occurs and may be true, false otherwise if it may be false.
func (q *query) decide(ctx context.Context, fixed []choice, occurs map[int]int) ([]choice, error) {
	known := map[int]bool{}
	for _, c := range fixed {
		known[c.v] = true
	}
	var order []int
	for v, val := range q.encoding.table.valuations {
		later := val.self && q.encoding.table.identity && len(fixed) == 0
		if !known[v] && !later {
			order = append(order, v)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return occurs[order[i]] > occurs[order[j]] })
	for _, v := range order {
		l := q.encoding.variable(v)
		if occurs[v] == 0 {
			l = -l
		}
		ok, err := q.solve(ctx, append(literals(fixed), l)...)
		if err != nil {
			return nil, err
		}
		if !ok {
			l = -l
		}
		fixed = append(fixed, choice{l, v})
	}
	return fixed, nil
}

// occurrences counts, for each valuation, the pairs of operations of admitted
// executions that have it and that count accepts. Operations that the fixed
// decisions match to another operation are passed over.
func (q *query) occurrences(admitted [][]enumerate.Label, count func(op, t int) bool, fixed []choice) map[int]int {
	n := q.encoding
	holds := map[int]bool{}
	for _, c := range fixed {
		holds[c.v] = c.lit > 0
	}
	occurs := map[int]int{}
	for _, e := range admitted {
		for op := range e {
			matched := false
			for t := range e {
				matched = matched || t != op && holds[n.table.of(e, t, op)]
			}
			for t := range e {
				if v := n.table.of(e, t, op); !matched && count(op, t) {
					n.variable(v)
					occurs[v]++
				}
			}
		}
	}
	return occurs
}

// others lists further models, up to a limit, in which some valuation differs
// from those in known.
func (q *query) others(ctx context.Context, known []bool, limit int) ([][]bool, error) {
	var found [][]bool
	block := func(m []bool) {
		var ls []solver.Lit
		for v, l := range q.encoding.g {
			if m[v] {
				l = -l
			}
			ls = append(ls, l)
		}
		q.cnf.Assert(q.encoding.circuit.Or(ls...))
	}
	block(known)
	for len(found) < limit {
		ok, err := q.solve(ctx)
		if err != nil || !ok {
			return found, err
		}
		m := q.model()
		found = append(found, m)
		block(m)
	}
	return found, nil
}

// insist finds a scheme for those who want a wrong one rather than none: each
// operation has one target at most, and constraints about removals hold as far
// as they do not contradict each other. It is nil if there is none.
func (o Options) insist(ctx context.Context, m *Model, rules []theory.Rule) (*Result, error) {
	o.Progress("looking for a matching scheme that is nearly faithful and normal")
	s, err := collect(ctx, m)
	if err != nil {
		return nil, err
	}
	a := o.begin(m, s, rules)
	defer solver.Close(a.query.solver)
	for range mostRefinements {
		if ok, err := a.query.relax(ctx); !ok {
			return nil, err
		}
		if _, err := a.refine(ctx); err != nil || a.candidate != nil {
			return a.candidate, err
		}
	}
	return nil, nil
}

// relax drops constraints that a scheme may violate, and still is one, until the
// rest is satisfiable, and reports whether it is.
func (q *query) relax(ctx context.Context) (bool, error) {
	for {
		ok, err := q.solve(ctx)
		if ok || err != nil {
			return ok, err
		}
		core := q.solver.Core()
		drop := -1
		for i, s := range q.selectors {
			if rule := q.constraints[i].rule; rule != ruleUnique && rule != ruleClosed && slices.Contains(core, s) {
				drop = i
			}
		}
		if drop < 0 {
			return false, nil
		}
		q.constraints = slices.Delete(q.constraints, drop, drop+1)
		q.selectors = slices.Delete(q.selectors, drop, drop+1)
	}
}
