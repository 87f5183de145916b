package laws

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
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

	Replayed int // answers that followed from closed laws alone, without the reference
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
	whole  bool            // laws are to be closed, or not to be
	calls  int

	all     []*observer
	base    []int            // observers that no others define
	derived map[int]*problem // of the others
	start   map[int]*problem
	after   map[[2]int]*problem // by method and observer
}

// The samples: laws are found on the first, and tested on the others.
var (
	finding = sampling{runs: 200, calls: 30, seed: 1}
	proving = sampling{runs: 120, calls: 40, seed: 2, odd: true}
)

const (
	rounds      = 7  // of tests
	mostPerKind = 90 // transitions of a method with one outcome
	tuples      = 4  // parameters of an observer tried in a transition
	mostWrong   = 40 // examples that a test adds
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
	for s := range stages {
		f, err := l.stage(s, true)
		if err != nil || f.Closed {
			return f, err
		}
	}
	return l.stage(answers, false)
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

// stage looks for laws about the observers of a stage: for all of them, or nothing, if
// they are to be closed.
func (l *learner) stage(s stage, closed bool) (*Found, error) {
	l.whole, l.w.work = closed, 0
	for {
		err := l.attempt(s)
		switch {
		case errors.Is(err, errAnew):
			continue
		case errors.Is(err, errOpen):
			return &Found{Why: open}, nil
		case err != nil:
			return nil, err
		}
		break
	}
	f := &Found{Set: l.set(), States: l.w.states(), Calls: l.calls}
	if !f.Set.Closed() {
		f.Why = open
		return f, nil
	}
	n, why, err := l.replay(f.Set)
	f.Closed, f.Why, f.Replayed = why == "" && err == nil, why, n
	return f, err
}

// open says why laws are not closed.
const open = "some answers do not follow from what was seen before"

var (
	errAnew = errors.New("an observer is not what it was taken for")
	errOpen = errors.New(open)
)

// attempt finds the laws that answers follow from, and tests them.
func (l *learner) attempt(s stage) error {
	l.all = l.observers(s)
	l.derived, l.start, l.after = map[int]*problem{}, map[int]*problem{}, map[[2]int]*problem{}
	if err := l.derive(); err != nil {
		return err
	}
	for k := range rounds {
		if err := l.found(); err != nil {
			return err
		}
		bad, err := l.test(k)
		if err != nil || !bad && k >= 2 {
			return err
		}
	}
	return l.found()
}

// mostParams is how many parameters an observer has at most of which laws are looked for.
const mostParams = 2

// found finds the laws of observers that are needed, and are not there yet.
func (l *learner) found() error {
	for known := -1; known != len(l.start); {
		known = len(l.start)
		need := l.set().Needed()
		for _, o := range l.base {
			if !need[o] || l.start[o] != nil {
				continue
			}
			if err := l.about(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// about finds the laws of an observer.
func (l *learner) about(o int) (err error) {
	if l.all[o].counts {
		l.count(o)
		return nil
	}
	p := l.problem(nil, o)
	p.what = "start"
	l.start[o] = p
	if p.rows, err = l.startRows(o, nil); err != nil {
		return err
	}
	if err := l.solve(p, o); err != nil {
		return err
	}
	for m := range l.w.methods {
		if l.pure[m] {
			continue
		}
		p := l.effect(m, o)
		p.what = "after " + l.w.methods[m].Name
		l.after[[2]int{m, o}] = p
		if p.rows, err = l.effectRows(m, o, l.first); err != nil {
			return err
		}
		if err := l.solve(p, o); err != nil {
			return err
		}
	}
	return nil
}

// count has the laws of how many calls of a kind there were.
func (l *learner) count(o int) {
	w := l.w
	zero := l.problem(nil, o)
	zero.law = eq.Law{Rules: []eq.Rule{{Then: w.store.NewConst(eq.IntOf(0))}}}
	l.start[o] = zero
	for m := range w.methods {
		if l.pure[m] {
			continue
		}
		p := l.effect(m, o)
		p.law = eq.Law{Rules: []eq.Rule{{Then: p.before}}}
		if k := w.kinds[l.all[o].part]; k.method == m {
			more := eq.NewOp("+", p.before, w.store.NewConst(eq.IntOf(1)))
			answer := eq.NewVar(p.scope[p.answersAt].Name, p.answersAt)
			is := eq.NewOp("given", answer)
			if k.word != eq.Undefined {
				is = eq.NewOp("==", answer, w.store.NewConst(k.word))
			}
			p.law.Rules = []eq.Rule{{If: is, Then: more}, {Then: p.before}}
		}
		l.after[[2]int{m, o}] = p
	}
}

// mostWork bounds the search for the laws of a stage, in cells of tables.
const mostWork = 150_000_000

// solve finds a law.
func (l *learner) solve(p *problem, o int) error {
	if p.tries++; p.tries > mostTries || len(l.all[o].params) > mostParams || l.w.work > mostWork {
		p.law = eq.Law{}
	} else if err := p.find(); err != nil {
		return err
	}
	if l.whole && !p.law.Total() {
		if debug {
			fmt.Printf("   open: %s of %v: %s (%d rows, tries %d)\n", p.what, l.all[o].name, p.law.String(), len(p.rows), p.tries)
			if os.Getenv("ROWS") != "" {
				for i := range p.rows {
					r := &p.rows[i]
					if v, _ := p.evalLaw(&p.law, r); v != r.target {
						fmt.Print("      ")
						for k, x := range r.vars {
							fmt.Print(p.scope[k].Name, "=", l.w.store.Text(x), " ")
						}
						fmt.Println("->", l.w.store.Text(r.target))
						if i > 300 {
							break
						}
					}
				}
			}
		}
		return errOpen
	}
	return nil
}

var debug = os.Getenv("DEBUG") != ""

// mostTries is how often a law is found again that a test refutes.
const mostTries = 9

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

// derive leaves out observers that others define, from those that say least on: first by
// such as say more, and then by any.
func (l *learner) derive() error {
	left := l.byRank(l.all)
	for _, richer := range []bool{true, false} {
		for i := 0; i < len(left); {
			o := left[i]
			ok, err := l.defined(o, slices.DeleteFunc(slices.Clone(left), func(n int) bool {
				return n == o || richer && (l.rank(l.all[n]) <= l.rank(l.all[o]) || l.all[n].counts)
			}))
			if err != nil {
				return err
			}
			if ok {
				left = slices.Delete(left, i, i+1)
			} else {
				i++
			}
		}
	}
	l.base = left
	slices.Sort(l.base)
	return nil
}

// defined looks for a law that defines an observer by some others.
func (l *learner) defined(o int, by []int) (ok bool, err error) {
	if l.kept[l.all[o].name] || l.all[o].counts || len(by) == 0 {
		return false, nil
	}
	p := l.problem(nil, o)
	p.may = by
	if p.rows, err = l.stateRows(o, l.first); err != nil {
		return false, err
	}
	if err := p.find(); err != nil || !p.defines() {
		return false, err
	}
	if ok, err = l.holds(p, o); ok {
		l.derived[o] = p
	}
	return ok, err
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
		if !p.defines() {
			return false, nil
		}
	}
	return true, nil
}

// fresh is a sample to test on.
func (l *learner) fresh(k int) ([]*run, error) {
	s := proving
	s.seed += uint64(k)
	runs, err := l.w.sample(s)
	for _, r := range runs {
		for _, t := range r.path {
			if l.pure[t.method] && t.from != t.to {
				l.pure[t.method], err = false, errAnew
			}
		}
	}
	return runs, err
}

// test tests all laws on a fresh sample, and mends them. Bad: one was wrong.
func (l *learner) test(k int) (bad bool, err error) {
	runs, err := l.fresh(100 + k)
	if err != nil {
		return false, err
	}
	some := l.chosen(runs)
	for o := range l.all {
		p := l.derived[o]
		if p == nil {
			continue
		}
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
		p.tries++
		if err := p.find(); err != nil {
			return false, err
		}
		if !p.defines() || p.tries > mostTries {
			l.kept[l.all[o].name] = true
			return true, errAnew
		}
	}
	for _, o := range l.base {
		if l.start[o] == nil || l.all[o].counts {
			continue
		}
		rows, err := l.startRows(o, runs)
		if err != nil {
			return false, err
		}
		wrong, err := l.mended(l.start[o], o, rows)
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
			wrong, err := l.mended(p, o, rows)
			if err != nil {
				return false, err
			}
			bad = bad || wrong
		}
	}
	return bad, nil
}

// defines reports whether a law is short enough to define an observer by others: some
// rules, and one or two for each word.
func (p *problem) defines() bool {
	words := map[*eq.Expr]bool{}
	for _, r := range p.law.Rules {
		if r.Then.Form == eq.Const {
			words[r.Then] = true
		}
	}
	return p.law.Total() && len(p.law.Rules) <= 4+len(words)
}

// mended tests a law on rows, and finds another if it is wrong.
func (l *learner) mended(p *problem, o int, rows []row) (bool, error) {
	wrong, err := p.wrong(rows)
	if err != nil || len(wrong) == 0 {
		return false, err
	}
	p.rows = append(p.rows, wrong...)
	return true, l.solve(p, o)
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
			rows = append(rows, row{vars: args, state: state, counts: t.counts})
		}
	}
	if len(some) > 0 {
		first := some[0]
		first.counts = nil
		add(&first, l.w.space.Start())
	}
	stride := max(1, len(some)*len(l.arguments(ob, &some[0], some[0].run.rnd))/most)
	for i := 0; i < len(some); i += stride {
		add(&some[i], some[i].from)
		if ob.method == some[i].method && ob.repeat < 0 && !ob.large && len(rows) < most {
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
			rows[i].target, _ = l.w.see(at[i], o, l.all[o], rows[i].vars[skip:])
		}
	})
	return slices.DeleteFunc(rows, func(r row) bool { return r.target == eq.Undefined }), err
}
