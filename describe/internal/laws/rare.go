package laws

import (
	"slices"
	"strconv"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

const (
	fewRows   = 12 // that an observer is one thing in, so that others around them are looked at
	mostAbout = 6  // of these rows
)

// withRare adds examples around those of what an observer seldom is, in the same states: no rule is made for a case
// that one example has, and a bound is known when both its sides are.
func (l *learner) withRare(o int, rows []row) ([]row, error) {
	often := map[eq.Value]int{}
	for _, r := range rows {
		often[r.target]++
	}
	known := map[string]bool{}
	is := func(r *row) string {
		key := strconv.Itoa(int(r.state))
		for _, v := range r.vars {
			key += " " + strconv.FormatInt(int64(v), 10)
		}
		return key
	}
	for i := range rows {
		known[is(&rows[i])] = true
	}
	var more []row
	for i, n := 0, map[eq.Value]int{}; i < len(rows); i++ {
		r := &rows[i]
		if often[r.target] >= fewRows || n[r.target] == mostAbout {
			continue
		}
		n[r.target]++
		for k := range l.all[o].params {
			for _, v := range l.around(o, k, rows, r.vars[k]) {
				next := row{vars: slices.Clone(r.vars), state: r.state, counts: r.counts}
				if next.vars[k] = v; !known[is(&next)] {
					known[is(&next)] = true
					more = append(more, next)
				}
			}
		}
	}
	more, err := l.withTargets(o, more, func(r *row) int32 { return r.state }, 0)
	return append(rows, more...), err
}

// around are values near one of parameter k of an observer.
func (l *learner) around(o, k int, rows []row, v eq.Value) (all []eq.Value) {
	if !v.IsInt() {
		for i := 0; i < len(rows) && len(all) < 3; i++ {
			if x := rows[i].vars[k]; x != v && !slices.Contains(all, x) {
				all = append(all, x)
			}
		}
		return all
	}
	m, at := l.paramOf(l.all[o], k)
	for _, d := range []int64{-2, -1, 1, 2} {
		if x := l.w.value(&l.w.methods[m].Params[at], strconv.FormatInt(v.Int()+d, 10)); x != eq.Undefined {
			all = append(all, x)
		}
	}
	return all
}
