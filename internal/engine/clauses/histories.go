package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Histories lists what a theory excludes as patterns: for one with axioms, which
// may be many to one, those that inference would have found; false if some of
// them depend on more than the order of operations and their matches. The names
// are those of patterns and axioms, as in Names. What axioms say of labels alone is
// left out, and Labels names it.
func (r *Rules) Histories() (patterns []theory.Pattern, ok bool) {
	add := func(name string, ops []history.Op) {
		patterns = append(patterns, theory.Pattern{Name: name, History: *history.Sequence(ops...)})
	}
	for i := range r.Kinds {
		if k := &r.Kinds[i]; k.Role == Other && k.Alone >= 0 {
			add(r.Names[k.Alone], []history.Op{{Kind: k.Kind, Target: history.Unmatched, ReadOnly: k.ReadOnly, Completed: true}})
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

// says tells whether a shorter clause excludes all that clause i does.
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
		if k.Role != Alone {
			o.Target = slices.IndexFunc(cl.Positions, func(q Position) bool { return q.Group == p.Group && q.Kind == k.Target })
		}
		ops = append(ops, o)
	}
	return ops
}

// Labels names the axioms that are about labels alone.
func (r *Rules) Labels() (names []string) {
	for _, a := range r.Axioms {
		names = append(names, a.Name)
	}
	return names
}
