package clauses

import (
	"reflect"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Histories lists what a theory excludes as patterns: for one with axioms, which
// may be many to one, those that inference would have found; false if some of
// them depend on more than the order of operations and their matches. The names
// are those of patterns and axioms, as in Names. What axioms say of labels alone is
// left out: see Axioms.
func (r *Rules) Histories() (patterns []theory.Pattern, ok bool) {
	add := func(name string, ops []history.Op) {
		patterns = append(patterns, theory.Pattern{Name: name, History: *history.Sequence(ops...)})
	}
	for i := range r.Kinds {
		if k := &r.Kinds[i]; k.Role == Other && k.WithoutTarget >= 0 {
			add(r.Names[k.WithoutTarget], []history.Op{{Kind: k.Kind, Target: history.Unmatched, ReadOnly: k.ReadOnly, Completed: true}})
		}
	}
	for i := range r.Clauses {
		cl := &r.Clauses[i]
		switch {
		case cl.Compares():
			return nil, false
		case !cl.Derived && !r.says(i):
			add(r.Names[cl.Patterns[0]], r.ops(cl))
		}
	}
	return patterns, true
}

// says reports whether a shorter clause excludes all that clause i does.
func (r *Rules) says(i int) bool {
	cl := &r.Clauses[i]
	order := eventsOf(cl.Positions)
	return slices.ContainsFunc(r.Clauses, func(d Clause) bool {
		return !d.Derived && len(d.Positions) < len(cl.Positions) && d.excludes(order, 0, [2]int{r.shapeIn(order, 0), r.shapeIn(order, 1)})
	})
}

// ops is a clause as the operations of a history.
func (r *Rules) ops(cl *Clause) (ops []history.Op) {
	for _, p := range cl.Positions {
		k := &r.Kinds[p.Kind]
		o := history.Op{Kind: k.Kind, Target: history.Unmatched, ReadOnly: k.ReadOnly, Completed: true}
		if k.Role != Unmatched {
			o.Target = slices.IndexFunc(cl.Positions, func(q Position) bool { return q.Group == p.Group && q.Kind == k.Target })
		}
		ops = append(ops, o)
	}
	return ops
}

// SameAs reports whether two theories with the same methods, in the same order, were
// turned into the same rules, whatever they call them: same kinds, targets and
// keys, the same kept apart, the same clauses, and no statements about labels
// alone. Then they admit the same executions. Theories that do may still differ
// here.
func (r *Rules) SameAs(o *Rules) bool {
	kinds := func(a, b Kind) bool {
		return a.Kind == b.Kind && a.Args == b.Args && a.Rets == b.Rets && a.ReadOnly == b.ReadOnly &&
			a.Role == b.Role && a.Target == b.Target && slices.Equal(a.Key, b.Key) && len(a.Claims)+len(b.Claims) == 0 &&
			slices.Equal(a.Uniques, b.Uniques) && (a.WithoutTarget < 0) == (b.WithoutTarget < 0)
	}
	uniques := func(a, b Unique) bool { return a.Kinds == b.Kinds && slices.Equal(a.Key, b.Key) }
	return slices.EqualFunc(r.Kinds, o.Kinds, kinds) && slices.EqualFunc(r.Uniques, o.Uniques, uniques) &&
		r.hasAll(o) && o.hasAll(r)
}

// hasAll reports whether there is each clause of other rules.
func (r *Rules) hasAll(o *Rules) bool {
	return !slices.ContainsFunc(o.Clauses, func(a Clause) bool {
		return !slices.ContainsFunc(r.Clauses, func(b Clause) bool {
			return a.keys == b.keys && a.Forbid == b.Forbid && slices.Equal(a.Shapes, b.Shapes) && reflect.DeepEqual(a.Positions, b.Positions)
		})
	})
}
