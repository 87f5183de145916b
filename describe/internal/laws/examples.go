package laws

import (
	"math/rand/v2"
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// chosen are transitions of each kind, so many of each at most.
func (l *learner) chosen(runs []*run) (out []transition) {
	type kind struct {
		method int
		answer eq.Value
		moved  bool // it changed something, where its answer does not say so: few calls do that need what is there
	}
	count := map[kind]int{}
	for _, r := range runs {
		l.calls = max(l.calls, len(r.path))
		for _, i := range r.rnd.Perm(len(r.path)) {
			t := r.path[i]
			k := kind{method: t.method}
			if len(t.answer) > 0 && l.w.store.Is(t.answer[0], eq.Word) {
				k.answer = t.answer[0]
			} else {
				k.moved = l.mixed[t.method] && t.from != t.to
			}
			if count[k]++; count[k] <= mostPerKind {
				out = append(out, t)
			}
		}
	}
	return out
}

// mixedIn are the methods of which calls that answer a value sometimes change something, and sometimes do not.
func (l *learner) mixedIn(runs []*run) []bool {
	moved, stayed := make([]bool, len(l.params)), make([]bool, len(l.params))
	for _, r := range runs {
		for _, t := range r.path {
			if len(t.answer) == 0 || !l.w.store.Is(t.answer[0], eq.Word) {
				moved[t.method] = moved[t.method] || t.from != t.to
				stayed[t.method] = stayed[t.method] || t.from == t.to
			}
		}
	}
	for m := range moved {
		moved[m] = moved[m] && stayed[m]
	}
	return moved
}

// arguments are values for an observer's parameters: those of a transition, and others. They
// depend on both alone, so that whatever was looked for before, examples are the same.
func (l *learner) arguments(o *observer, t *transition) (out [][]eq.Value) {
	if len(o.params) == 0 {
		return [][]eq.Value{nil}
	}
	run := *t.run
	run.rnd = rand.New(rand.NewPCG(t.number, o.hash()))
	rnd := run.rnd
	for k := range tuples {
		args := make([]eq.Value, len(o.params))
		ok := true
		for i, p := range o.params {
			var near []eq.Value
			for j, q := range l.params[t.method] {
				if q.Sort == p.Sort {
					near = append(near, t.args[j])
				}
			}
			for j, q := range l.w.parts[t.method] {
				if q.Sort == p.Sort && !l.w.store.Is(t.answer[j], eq.Word) {
					near = append(near, t.answer[j])
				}
			}
			if len(near) > 0 && (k == 0 || rnd.IntN(3) == 0) {
				args[i] = near[rnd.IntN(len(near))]
				if l.w.apartBy != nil && args[i].IsInt() && rnd.IntN(2) == 0 {
					args[i] = eq.IntOf(args[i].Int() + l.w.apart(rnd))
				}
				continue
			}
			m, at := l.paramOf(o, i)
			args[i] = l.w.pick(&run, m, at)
			ok = ok && args[i] != eq.Undefined
		}
		if ok {
			out = append(out, args)
		}
	}
	return out
}

// paramOf is the method and its parameter that parameter i of an observer is.
func (l *learner) paramOf(o *observer, i int) (method, at int) {
	if o.from != nil && i >= o.from.param {
		i++
	}
	if o.news != nil && i >= o.news.at {
		return o.method, i + 1
	}
	for _, m := range []int{o.repeat, o.method} {
		if m < 0 || m == o.repeat && m == o.method && i >= len(l.params[m]) {
			continue
		}
		if i < len(l.params[m]) {
			return m, i
		}
		i -= len(l.params[m])
	}
	if o.first != nil {
		for at, a := range o.first.args {
			if a.param == i+len(l.params[o.method]) {
				return o.first.method, at
			}
		}
	}
	return o.method, 0
}

// stateRows are examples of what an observer is in states.
func (l *learner) stateRows(o int, some []transition) ([]row, error) {
	var rows []row
	ob := l.all[o]
	seen := map[int32]int{}
	const most = 900
	add := func(t *transition, state int32) {
		if seen[state]++; seen[state] > 2 || len(rows) >= most {
			return
		}
		for _, args := range l.arguments(ob, t) {
			rows = append(rows, row{vars: args, state: state, counts: t.counts})
		}
	}
	if len(some) > 0 {
		first := some[0]
		first.counts = nil
		add(&first, l.w.space.Start())
	}
	stride := max(1, len(some)*len(l.arguments(ob, &some[0]))/most)
	for i := 0; i < len(some); i += stride {
		add(&some[i], some[i].from)
		if ob.method == some[i].method && ob.isAnswer() && len(rows) < most {
			rows = append(rows, row{vars: some[i].args, state: some[i].from, counts: some[i].counts})
		}
	}
	return l.withTargets(o, rows, func(r *row) int32 { return r.state }, 0)
}

// startRows are examples of what an observer is in a new object.
func (l *learner) startRows(o int, runs []*run) ([]row, error) {
	var rows []row
	for i := range l.first {
		if i%7 == 0 || runs != nil && i%5 == 0 {
			for _, args := range l.arguments(l.all[o], &l.first[i]) {
				rows = append(rows, row{vars: args, state: l.w.space.Start()})
			}
		}
		if len(l.all[o].params) == 0 && len(rows) > 2 || len(rows) > 150 {
			break
		}
	}
	return l.withTargets(o, rows, func(r *row) int32 { return r.state }, 0)
}

// effectRows are examples of what an observer is after a method.
func (l *learner) effectRows(m, o int, some []transition) ([]row, error) {
	var rows []row
	var after []int32
	for i := range some {
		t := &some[i]
		if t.method != m {
			continue
		}
		for _, args := range l.arguments(l.all[o], t) {
			vars := slices.Concat(t.args, t.answer, args)
			rows = append(rows, row{vars: vars, state: t.from, counts: t.counts})
			after = append(after, t.to)
		}
	}
	i := 0
	n := len(l.params[m]) + len(l.w.parts[m])
	return l.withTargets(o, rows, func(*row) int32 { i++; return after[i-1] }, n)
}

// withTargets fills in what an observer is in states, and leaves out rows in which it is
// nothing.
func (l *learner) withTargets(o int, rows []row, in func(*row) int32, skip int) ([]row, error) {
	at := make([]int32, len(rows))
	for i := range rows {
		at[i] = in(&rows[i])
	}
	err := l.w.fill(func() {
		for i := range rows {
			rows[i].target, _ = l.w.see(at[i], l.all[o], rows[i].vars[skip:])
		}
	})
	return slices.DeleteFunc(rows, func(r row) bool { return r.target == eq.Undefined }), err
}
