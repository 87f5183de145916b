package symbolic

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/internal/solver"
)

// Answer is what is known of a prefix.
type Answer int

const (
	// Violation: no linearization of the prefix is without a pattern.
	Violation Answer = iota
	// Linearizable: there is one.
	Linearizable
	// Outside: there may be one, but not within the theory's language.
	Outside
)

// Decide decides the prefix of n events, one of logs.Ends. The error is about
// another number of events, or the context's.
func (l *Log) Decide(ctx context.Context, n int) (Answer, error) {
	j, ok := slices.BinarySearch(l.ends, n)
	if !ok {
		return Outside, fmt.Errorf("symbolic: no return ends the prefix of %d events", n)
	}
	q := l.query(ctx, j)
	sat, err := q.solve(nil)
	switch {
	case err != nil:
		return Outside, err
	case sat:
		return Linearizable, nil
	case !q.ambiguous():
		return Violation, nil
	case !l.r.product:
		return Outside, nil
	}
	q.outside = true
	if sat, err = q.solve(nil); sat || err != nil {
		return Outside, err
	}
	return Violation, nil
}

// query is a question about prefix j.
type query struct {
	*Log
	ctx     context.Context
	j       int
	on      int // variable: clauses about this query count
	running []int32
	open    []bool // escapes that are decided by guards, by index
	outside bool   // matches may have two targets
}

func (l *Log) query(ctx context.Context, j int) *query {
	q := &query{Log: l, ctx: ctx, j: j, on: l.s.NewVar(), running: l.running(j)}
	for y := range l.matches {
		t := &l.matches[y]
		if t.need <= j && t.first[0] > j {
			l.s.Add(append(l.targets(j, int32(y)), -q.on, -t.pending)...)
		}
	}
	return q
}

// ambiguous reports whether running operations may return so that a match has two
// targets.
func (q *query) ambiguous() bool {
	for y := range q.matches {
		if len(q.matches[y].candidates) > 1 && q.alternatives(q.j, int32(y)) > 1 {
			return true
		}
	}
	return false
}

// assumptions select the prefix and the query: matches have only the members
// that returned, but where guards were opened.
func (q *query) assumptions() []int {
	as := []int{q.within[q.j], q.on}
	if q.j+1 < len(q.within) {
		as = append(as, -q.within[q.j+1])
	}
	for y := range q.matches {
		if t := &q.matches[y]; t.ambiguous != 0 && !(q.outside && q.alternatives(q.j, int32(y)) > 1) {
			as = append(as, -t.ambiguous)
		}
	}
	for i, e := range q.escapes {
		if !q.opened(i) && q.matches[e.y].first[q.r.Kinds[e.kind].Slot] > q.j {
			as = append(as, -e.lit)
		}
	}
	return as
}

func (q *query) opened(i int) bool { return i < len(q.open) && q.open[i] }

// solve decides the prefix, with more assumptions. That a match has no more
// members than returned is assumed first; where that leads to a contradiction,
// the guards of running operations that may join it are opened.
func (q *query) solve(more []int) (sat bool, err error) {
	for {
		res, err := q.ordered(append(q.assumptions(), more...))
		if res != solver.Unsat {
			return res == solver.Sat, err
		}
		if !q.refine(q.s.Core()) {
			return false, nil
		}
	}
}

// refine opens the guards for the assumptions of a core; false if there are none
// to open.
func (q *query) refine(core []int) (some bool) {
	in := map[int]bool{}
	for _, a := range core {
		in[-a] = true
	}
	for i := range q.escapes { // more are appended
		e := q.escapes[i]
		if !in[e.lit] || q.opened(i) || !q.someMayJoin(q.running, e.kind, e.y) {
			continue
		}
		some = true
		for len(q.open) <= i {
			q.open = append(q.open, false)
		}
		q.open[i] = true
		q.s.Add(append(q.joiners(q.running, e.kind, e.y), -q.on, -e.lit)...)
	}
	return some
}

// ordered solves until the model is an order: what makes it one is added where a
// model breaks it.
func (q *query) ordered(assumptions []int) (solver.Result, error) {
	for {
		res, err := q.s.Solve(q.ctx, assumptions...)
		if res != solver.Sat {
			return res, err
		}
		cycle := q.cycles()
		if len(cycle) == 0 {
			return solver.Sat, nil
		}
		if err := q.ctx.Err(); err != nil {
			return solver.Unknown, err
		}
		on := make([]bool, len(q.ops))
		for _, x := range cycle {
			on[x] = true
		}
		if q.transitive(cycle, on) == 0 {
			panic("symbolic: a cycle that no axiom excludes")
		}
	}
}

// Core names patterns and axioms that together leave the whole log, a violation,
// no way out, and no fewer of them do. The log must be made with Options.Named. No
// names mean that it is no violation.
func (l *Log) Core(ctx context.Context) ([]string, error) {
	q := l.query(ctx, len(l.ends)-1)
	if q.ambiguous() {
		if !l.r.product {
			return nil, nil
		}
		q.outside = true
	}
	core, err := solver.Reasons(l.selectors, q.solve)
	if err != nil {
		return nil, err
	}
	return l.names(core), nil
}

// names lists what is selected in the order of the theory: axioms about labels,
// then patterns or other axioms.
func (l *Log) names(core []int) (names []string) {
	n := len(l.r.Names)
	for i, name := range l.r.Axioms {
		if slices.Contains(core, l.selectors[n+i]) {
			names = append(names, name)
		}
	}
	for i, name := range l.r.Names {
		if slices.Contains(core, l.selectors[i]) {
			names = append(names, name)
		}
	}
	return names
}
