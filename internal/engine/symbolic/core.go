package symbolic

import (
	"context"
	"slices"
)

// Core names patterns and axioms that together leave the whole log, a violation,
// no way out, none of which can be left out. The log must be made with
// Options.Named. No names mean that it is no violation.
func (l *Log) Core(ctx context.Context) ([]string, error) {
	q := l.query(ctx, len(l.ends)-1)
	if q.ambiguous() {
		if !l.t.product {
			return nil, nil
		}
		q.outside = true
	}
	selectors := slices.Concat(l.named, l.axioms)
	sat, err := q.solve(selectors)
	if sat || err != nil {
		return nil, err
	}
	core := q.selected(selectors)
	for i := 0; i < len(core); {
		without := slices.Delete(slices.Clone(core), i, i+1)
		sat, err := q.solve(without)
		switch {
		case err != nil:
			return nil, err
		case sat:
			i++
		default:
			core = without
		}
	}
	return l.names(core), nil
}

// selected is the selectors that the last answer rests on.
func (q *query) selected(selectors []int) (core []int) {
	for _, lit := range q.s.Core() {
		if slices.Contains(selectors, lit) {
			core = append(core, lit)
		}
	}
	slices.Sort(core)
	return core
}

// names lists axioms and patterns in the order of the theory: axioms first.
func (l *Log) names(core []int) (names []string) {
	for i, a := range l.r.Axioms {
		if slices.Contains(core, l.axioms[i]) {
			names = append(names, a.Name)
		}
	}
	for i, name := range l.r.Names {
		if slices.Contains(core, l.named[i]) {
			names = append(names, name)
		}
	}
	return names
}
