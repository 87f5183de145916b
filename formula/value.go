package formula

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/integer"
)

// Compared lists the places of labels, such as the first argument, whose values
// a formula compares by <: as terms without a variable. Predicates must have
// been expanded. Where the list is not empty, the truth of the formula is not
// invariant under renaming of values, and it only makes sense of integers in
// those places.
func Compared(f Formula) (places []Term) {
	Walk(f, func(f Formula) bool {
		if l, ok := f.(Less); ok {
			for _, t := range []Term{l.A, l.B} {
				if t = normalTerm(Term{Fn: t.Fn, Index: t.Index}); t.Fn != "" {
					places = append(places, t)
				}
			}
		}
		return true
	})
	slices.SortFunc(places, func(a, b Term) int { return cmp.Or(cmp.Compare(a.Fn, b.Fn), cmp.Compare(a.Index, b.Index)) })
	return slices.Compact(places)
}

// Named lists the data values that a formula names, in order of appearance.
// Predicates must have been expanded.
func Named(f Formula) (values []history.Value) {
	add := func(ts ...Term) {
		for _, t := range ts {
			if v := history.Value(t.Name); t.Var == "" && SortOf(t) == ValueSort && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	Walk(f, func(f Formula) bool {
		switch f := f.(type) {
		case Equal:
			add(f.A, f.B)
		case Less:
			add(f.A, f.B)
		}
		return true
	})
	return values
}

// Unordered says which of the values that a label has as arguments, or returned
// ones, in places that formulas compare has no order; or "".
func Unordered(places []Term, l *history.Label) string {
	for _, p := range places {
		vs := l.Args
		if p.Fn == "ret" {
			vs = l.Rets
		}
		if p.Index <= len(vs) && !integer.Is(vs[p.Index-1]) {
			return fmt.Sprintf("the theory compares values by <, and %q is no integer", vs[p.Index-1])
		}
	}
	return ""
}

// LabelsOnly reports whether a formula speaks of nothing but labels: methods,
// outcomes, values, identity. Predicates must have been expanded.
func LabelsOnly(f Formula) bool {
	only := true
	switch f := f.(type) {
	case Atom:
		only = f.Name == "completed" || f.Name == usedAtom
	case Equal:
		only = f.A.Fn != "match" && f.B.Fn != "match"
	}
	mapParts(f, func(g Formula) Formula {
		only = only && LabelsOnly(g)
		return g
	})
	return only
}
