package laws

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/reference"
)

// Found is what was learnt.
type Found struct {
	Set    *eq.Set // nil: there are no laws
	Closed bool    // the laws determine every answer, and did in a replay without the reference
	Why    string  // they do not
	States int     // on which laws were tested
	Calls  int     // of the longest run that led to one
}

// Options say how much to look at.
type Options struct {
	Names    [][]string // of the parameters, by method; nil: letters
	Progress func(string)
}

// Learn looks for the laws of a reference.
func Learn(ctx context.Context, impl reference.Implementation, o Options) (*Found, error) {
	w, err := newWorld(ctx, impl)
	if errors.Is(err, errNotKept) {
		return &Found{Why: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	defer w.space.Close()
	l := &learner{w: w, o: o}
	return l.learn()
}

type learner struct {
	w      *world
	o      Options
	params [][]eq.Param // of methods
	pure   []bool
	first  []transition    // on which laws are found
	kept   map[string]bool // observers that others turned out not to define
	calls  int

	all     []*observer
	base    []int            // observers that no others define
	derived map[int]*problem // of the others
	start   map[int]*problem
	after   map[[2]int]*problem // by method and observer
}

// The samples: laws are found on the first, and tested on the others.
var (
	finding = sampling{runs: 240, calls: 24, seed: 1}
	proving = sampling{runs: 160, calls: 36, seed: 2, odd: true}
)

const (
	rounds      = 7  // of tests
	mostPerKind = 90 // transitions of a method with one outcome
	tuples      = 4  // parameters of an observer tried in a transition
	mostWrong   = 24 // examples that a test adds
)

func (l *learner) learn() (*Found, error) {
	w := l.w
	for m := range w.methods {
		l.params = append(l.params, l.paramsOf(m))
	}
	l.pure = make([]bool, len(w.methods))
	l.kept = map[string]bool{}
	runs, err := w.sample(finding)
	if err != nil {
		return nil, err
	}
	l.first = l.chosen(runs)
	for m := range l.pure {
		l.pure[m] = !slices.ContainsFunc(runs, func(r *run) bool {
			return slices.ContainsFunc(r.path, func(t transition) bool { return t.method == m && t.from != t.to })
		})
	}
	var best *Found
	for s := range stages {
		f, err := l.stage(s)
		if err != nil {
			return nil, err
		}
		if f.Closed {
			return f, nil
		}
		if best == nil || l.said(f) > l.said(best) {
			best = f
		}
	}
	return best, nil
}

// said counts the laws that there are.
func (l *learner) said(f *Found) (n int) {
	for o := range f.Set.Needed() {
		n -= len(f.Set.Missing(o))
	}
	return n
}

func (l *learner) paramsOf(m int) []eq.Param {
	me := &l.w.methods[m]
	ps := make([]eq.Param, len(me.Params))
	for i := range ps {
		ps[i].Sort = eq.SortOf(&me.Params[i])
		if l.o.Names != nil && i < len(l.o.Names[m]) {
			ps[i].Name = l.o.Names[m][i]
		}
		if ps[i].Name == "" || ps[i].Name == "_" {
			ps[i].Name = map[eq.Sort]string{eq.Ints: "n", eq.Texts: "s", eq.Words: "w"}[ps[i].Sort]
		}
		if ps[i].Name == "" {
			ps[i].Name = "x"
		}
		for slices.ContainsFunc(ps[:i], func(p eq.Param) bool { return p.Name == ps[i].Name }) {
			ps[i].Name += "'"
		}
	}
	return ps
}

// chosen are transitions of each kind, so many of each.
func (l *learner) chosen(runs []*run) (out []transition) {
	type kind struct {
		method int
		answer eq.Value
	}
	count := map[kind]int{}
	for _, r := range runs {
		l.calls = max(l.calls, len(r.path))
		for _, i := range r.rnd.Perm(len(r.path)) {
			t := r.path[i]
			k := kind{method: t.method}
			if len(t.answer) > 0 && l.w.store.Is(t.answer[0], eq.Word) {
				k.answer = t.answer[0]
			}
			if count[k]++; count[k] <= mostPerKind {
				out = append(out, t)
			}
		}
	}
	return out
}

// stage looks for laws about the observers of a stage.
func (l *learner) stage(s stage) (*Found, error) {
	for {
		again, err := l.attempt(s)
		if err != nil {
			return nil, err
		}
		if !again {
			break
		}
	}
	f := &Found{Set: l.set(), States: l.w.states(), Calls: l.calls}
	if !f.Set.Closed() {
		f.Why = "some answers do not follow from what was seen before"
		return f, nil
	}
	why, err := l.replay(f.Set)
	f.Closed, f.Why = why == "" && err == nil, why
	return f, err
}

// attempt finds all laws and tests them. Again: an observer that others defined turned out
// not to be defined by them.
func (l *learner) attempt(s stage) (again bool, err error) {
	l.all = l.observers(s)
	l.derived, l.start, l.after = map[int]*problem{}, map[int]*problem{}, map[[2]int]*problem{}
	if err := l.derive(); err != nil {
		return false, err
	}
	for _, o := range l.base {
		p := l.problem(nil, o)
		if p.rows, err = l.startRows(o, nil); err != nil {
			return false, err
		}
		l.start[o] = p
		for m := range l.w.methods {
			if l.pure[m] {
				continue
			}
			p := l.effect(m, o)
			if p.rows, err = l.effectRows(m, o, l.first); err != nil {
				return false, err
			}
			l.after[[2]int{m, o}] = p
		}
	}
	for _, p := range l.problems() {
		if p.law.Rules != nil {
			continue
		}
		if err := p.find(); err != nil {
			return false, err
		}
	}
	return l.test()
}

// problems are all that is to be found, in a fixed order.
func (l *learner) problems() (out []*problem) {
	for o := range l.all {
		if p := l.derived[o]; p != nil {
			out = append(out, p)
		}
	}
	for _, o := range l.base {
		out = append(out, l.start[o])
		for m := range l.w.methods {
			if p := l.after[[2]int{m, o}]; p != nil {
				out = append(out, p)
			}
		}
	}
	return out
}

func (l *learner) problem(scope []eq.Param, o int) *problem {
	return &problem{w: l.w, all: l.all, scope: append(slices.Clone(scope), l.all[o].params...), may: nil, target: l.all[o].sort}
}

// effect is the problem of what an observer is after a method.
func (l *learner) effect(m, o int) *problem {
	me := eq.Method{Params: l.params[m], Parts: l.w.parts[m]}
	ob := l.all[o]
	p := l.problem(nil, o)
	p.scope = me.Scope(&eq.Observer{Params: ob.params})
	p.may = l.base
	n := len(p.scope) - len(ob.params)
	p.answersAt, p.answersEnd = len(l.params[m]), n
	args := make([]*eq.Expr, len(ob.params))
	for i := range args {
		args[i] = eq.NewVar(p.scope[n+i].Name, n+i)
	}
	p.before = eq.NewObs(ob.name, o, args...)
	return p
}

// derive leaves out observers that others define, from those that say least on.
func (l *learner) derive() error {
	left := l.byRank(l.all)
	for i := 0; i < len(left); {
		o := left[i]
		if l.kept[l.all[o].name] {
			i++
			continue
		}
		p := l.problem(nil, o)
		p.may = slices.DeleteFunc(slices.Clone(left), func(n int) bool { return n == o })
		var err error
		if p.rows, err = l.stateRows(o, l.first); err != nil {
			return err
		}
		if err := p.find(); err != nil {
			return err
		}
		if !p.law.Total() || len(p.law.Rules) > 4 {
			i++
			continue
		}
		ok, err := l.holds(p, o)
		if err != nil {
			return err
		}
		if !ok {
			i++
			continue
		}
		l.derived[o] = p
		left = slices.Delete(left, i, i+1)
	}
	l.base = left
	slices.Sort(l.base)
	return nil
}

// holds tests a law that defines an observer, and mends it.
func (l *learner) holds(p *problem, o int) (bool, error) {
	for k := range 3 {
		runs, err := l.fresh(k)
		if err != nil {
			return false, err
		}
		rows, err := l.stateRows(o, l.chosen(runs))
		if err != nil {
			return false, err
		}
		wrong, err := p.wrong(rows)
		if err != nil {
			return false, err
		}
		if len(wrong) == 0 {
			if k > 0 {
				return true, nil
			}
			continue
		}
		p.rows = append(p.rows, wrong...)
		if err := p.find(); err != nil {
			return false, err
		}
		if !p.law.Total() || len(p.law.Rules) > 5 {
			return false, nil
		}
	}
	return true, nil
}

// fresh is a sample to test on.
func (l *learner) fresh(k int) ([]*run, error) {
	s := proving
	s.seed += uint64(k)
	return l.w.sample(s)
}

// test tests all laws on fresh samples, and mends them. What cannot be mended goes.
func (l *learner) test() (again bool, err error) {
	for k := range rounds {
		runs, err := l.fresh(100 + k)
		if err != nil {
			return false, err
		}
		some := l.chosen(runs)
		bad := false
		for o := range l.all {
			if p := l.derived[o]; p != nil {
				rows, err := l.stateRows(o, some)
				if err != nil {
					return false, err
				}
				wrong, err := p.wrong(rows)
				if err != nil {
					return false, err
				}
				if len(wrong) == 0 {
					continue
				}
				bad = true
				p.rows = append(p.rows, wrong...)
				if err := p.find(); err != nil {
					return false, err
				}
				if !p.law.Total() || len(p.law.Rules) > 5 {
					l.kept[l.all[o].name] = true
					return true, nil
				}
			}
		}
		for _, o := range l.base {
			rows, err := l.startRows(o, runs)
			if err != nil {
				return false, err
			}
			wrong, err := l.mended(l.start[o], rows)
			if err != nil {
				return false, err
			}
			bad = bad || wrong
			for m := range l.w.methods {
				p := l.after[[2]int{m, o}]
				if p == nil {
					continue
				}
				rows, err := l.effectRows(m, o, some)
				if err != nil {
					return false, err
				}
				wrong, err := l.mended(p, rows)
				if err != nil {
					return false, err
				}
				bad = bad || wrong
			}
		}
		if !bad && k >= 1 {
			return false, nil
		}
	}
	return false, nil
}

// mended tests a law on rows, and finds another if it is wrong.
func (l *learner) mended(p *problem, rows []row) (bool, error) {
	wrong, err := p.wrong(rows)
	if err != nil || len(wrong) == 0 {
		return false, err
	}
	p.rows = append(p.rows, wrong...)
	return true, p.find()
}

// wrong are rows in which the law says something else than is the case.
func (p *problem) wrong(rows []row) (out []row, err error) {
	if !p.law.Total() {
		return nil, nil
	}
	values := make([]eq.Value, len(rows))
	err = p.w.fill(func() {
		for i := range rows {
			values[i], _ = p.evalLaw(&p.law, &rows[i])
		}
	})
	for i := range rows {
		if values[i] != rows[i].target && len(out) < mostWrong {
			out = append(out, rows[i])
		}
	}
	return out, err
}

// arguments are values for an observer's parameters: those of a transition, and others.
func (l *learner) arguments(o *observer, t *transition, rnd *rand.Rand) (out [][]eq.Value) {
	if len(o.params) == 0 {
		return [][]eq.Value{nil}
	}
	for k := range tuples {
		args := make([]eq.Value, len(o.params))
		ok := true
		for i, p := range o.params {
			var near []eq.Value
			if t != nil {
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
			}
			if len(near) > 0 && (k == 0 || rnd.IntN(3) == 0) {
				args[i] = near[rnd.IntN(len(near))]
				continue
			}
			m, at := l.paramOf(o, i)
			args[i] = l.w.pick(t.run, m, at)
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
	for _, m := range []int{o.first, o.repeat, o.method} {
		if m < 0 || m == o.repeat && m == o.method && i >= len(l.params[m]) {
			continue
		}
		if i < len(l.params[m]) {
			return m, i
		}
		i -= len(l.params[m])
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
		for _, args := range l.arguments(ob, t, t.run.rnd) {
			rows = append(rows, row{vars: args, state: state})
		}
	}
	if len(some) > 0 {
		add(&some[0], l.w.space.Start())
	}
	stride := max(1, len(some)*len(l.arguments(ob, &some[0], some[0].run.rnd))/most)
	for i := 0; i < len(some); i += stride {
		add(&some[i], some[i].from)
		if ob.method == some[i].method && ob.repeat < 0 && !ob.large && len(rows) < most {
			rows = append(rows, row{vars: some[i].args, state: some[i].from})
		}
	}
	return l.withTargets(o, rows, func(r *row) int32 { return r.state }, 0)
}

// startRows are examples of what an observer is in a new object.
func (l *learner) startRows(o int, runs []*run) ([]row, error) {
	var rows []row
	for i := range l.first {
		if i%7 == 0 || runs != nil && i%5 == 0 {
			for _, args := range l.arguments(l.all[o], &l.first[i], l.first[i].run.rnd) {
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
		for _, args := range l.arguments(l.all[o], t, t.run.rnd) {
			vars := slices.Concat(t.args, t.answer, args)
			rows = append(rows, row{vars: vars, state: t.from})
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
			rows[i].target, _ = l.w.see(at[i], o, l.all[o], rows[i].vars[skip:])
		}
	})
	return slices.DeleteFunc(rows, func(r row) bool { return r.target == eq.Undefined }), err
}
