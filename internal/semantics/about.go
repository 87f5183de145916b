package semantics

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Compared lists the places of labels, such as the first argument, whose values
// a formula compares by <: as terms without a variable. Predicates must have
// been expanded. Where the list is not empty, the truth of the formula is not
// invariant under renaming of values, and it only makes sense of integers in
// those places.
func Compared(f formula.Formula) (places []formula.Term) {
	formula.Walk(f, func(f formula.Formula) bool {
		if l, ok := f.(formula.Less); ok {
			for _, t := range []formula.Term{l.A, l.B} {
				if t.Fn != "" {
					places = append(places, formula.Term{Fn: t.Fn, Index: max(t.Index, 1)})
				}
			}
		}
		return true
	})
	slices.SortFunc(places, func(a, b formula.Term) int { return cmp.Or(cmp.Compare(a.Fn, b.Fn), cmp.Compare(a.Index, b.Index)) })
	return slices.Compact(places)
}

// Named lists the data values that a formula names, in order of appearance.
// Predicates must have been expanded.
func Named(f formula.Formula) (values []history.Value) {
	add := func(ts ...formula.Term) {
		for _, t := range ts {
			if v := history.Value(t.Name); t.Var == "" && formula.SortOf(t) == formula.ValueSort && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	formula.Walk(f, func(f formula.Formula) bool {
		switch f := f.(type) {
		case formula.Equal:
			add(f.A, f.B)
		case formula.Less:
			add(f.A, f.B)
		}
		return true
	})
	return values
}

// Unordered says which of the values that a label has as arguments, or returned
// ones, in places that formulas compare has no order; or "".
func Unordered(places []formula.Term, l *history.Label) string {
	for _, p := range places {
		vs := l.Args
		if p.Fn == "ret" {
			vs = l.Rets
		}
		if p.Index <= len(vs) && !wording.IsInteger(vs[p.Index-1]) {
			return fmt.Sprintf("the theory compares values by <, and %q is no integer", vs[p.Index-1])
		}
	}
	return ""
}

// LabelsOnly reports whether a formula speaks of nothing but labels: methods,
// outcomes, values, identity. Predicates must have been expanded.
func LabelsOnly(f formula.Formula) bool {
	only := true
	formula.Walk(f, func(f formula.Formula) bool {
		switch f := f.(type) {
		case formula.Atom:
			only = only && (f.Name == "completed" || f.Name == "used")
		case formula.Equal:
			only = only && f.A.Fn != "match" && f.B.Fn != "match"
		}
		return only
	})
	return only
}
