package enumerate

import (
	"iter"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Labels yields the labels that may come next in a sequence, in a fixed order:
// those of every method and outcome, in each place a value that the sequence
// has, a named one, or a new one, so that sequences extended label by label are
// met once up to renaming of the values that are not named. Where values are
// compared by their order, only lists those that take part; else it is nil.
// Labels are made one by one, however many values a method takes.
func Labels(methods []history.MethodSig, before []history.Label, named, only []history.Value) iter.Seq[history.Label] {
	var seen []history.Value
	for i := range before {
		seen = union(union(seen, before[i].Args), before[i].Rets)
	}
	return func(yield func(history.Label) bool) {
		t := tuples{named, only}
		for i := range methods {
			m := &methods[i]
			for _, out := range m.Outcomes {
				kind := history.Kind{Method: m.Name, Outcome: out.Outcome}
				if !t.complete(seen, nil, m.Args+out.Rets, func(vs []history.Value) bool {
					return yield(history.Label{Kind: kind, Args: vs[:m.Args:m.Args], Rets: vs[m.Args:]})
				}) {
					return
				}
			}
		}
	}
}

// tuples are of values as Labels has them.
type tuples struct{ named, only []history.Value }

// complete completes a tuple of n values in all ways; it is false once yield is.
func (t *tuples) complete(seen, tuple []history.Value, n int, yield func([]history.Value) bool) bool {
	if len(tuple) == n {
		return yield(slices.Clone(tuple))
	}
	next := t.only
	if next == nil {
		next = union(seen, t.named)
		next = append(slices.Clip(next), unused(next))
	}
	for _, v := range next {
		if !t.complete(union(seen, []history.Value{v}), append(tuple, v), n, yield) {
			return false
		}
	}
	return true
}

// unused is the least positive number that is not among the values.
func unused(values []history.Value) history.Value {
	for i := 1; ; i++ {
		if v := history.Value(strconv.Itoa(i)); !slices.Contains(values, v) {
			return v
		}
	}
}

func union(a, b []history.Value) []history.Value {
	u := slices.Clip(a)
	for _, v := range b {
		if !slices.Contains(u, v) {
			u = append(u, v)
		}
	}
	return u
}
