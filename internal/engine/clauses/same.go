package clauses

import (
	"reflect"
	"slices"
)

// SameAs tells whether two theories with the same methods, in the same order, were
// turned into the same rules, whatever they call them: same kinds, targets and
// keys, the same kept apart, the same clauses, and no statements about labels
// alone. Then they admit the same executions. Theories that do may still differ
// here.
func (r *Rules) SameAs(o *Rules) bool {
	kinds := func(a, b Kind) bool {
		return a.Kind == b.Kind && a.Args == b.Args && a.Rets == b.Rets && a.ReadOnly == b.ReadOnly &&
			a.Role == b.Role && a.Target == b.Target && slices.Equal(a.Key, b.Key) && len(a.Claims)+len(b.Claims) == 0 &&
			slices.Equal(a.Uniques, b.Uniques) && (a.Alone < 0) == (b.Alone < 0)
	}
	uniques := func(a, b Unique) bool { return a.Kinds == b.Kinds && slices.Equal(a.Key, b.Key) }
	return slices.EqualFunc(r.Kinds, o.Kinds, kinds) && slices.EqualFunc(r.Uniques, o.Uniques, uniques) &&
		r.hasAll(o) && o.hasAll(r)
}

// hasAll tells whether there is each clause of other rules.
func (r *Rules) hasAll(o *Rules) bool {
	return !slices.ContainsFunc(o.Clauses, func(a Clause) bool {
		return !slices.ContainsFunc(r.Clauses, func(b Clause) bool {
			return a.keys == b.keys && a.Forbid == b.Forbid && slices.Equal(a.Shapes, b.Shapes) && reflect.DeepEqual(a.Positions, b.Positions)
		})
	})
}
