package laws

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
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
	Names [][]string // of the parameters, by method; nil: letters

	// Literals are constants that the reference may compare arguments with. Those that it
	// was given are arguments in all samples, the others where values are odd.
	Literals origin.Literals
}

// Learn looks for the laws of a reference.
func Learn(ctx context.Context, impl reference.Implementation, o Options) (*Found, error) {
	f, err := learnt(ctx, impl, o, false)
	if errors.Is(err, errDied) {
		return learnt(ctx, impl, o, true)
	}
	return f, err
}

// learnt looks for laws. Plain: for those of what methods answer alone, which may stay open.
func learnt(ctx context.Context, impl reference.Implementation, o Options, plain bool) (*Found, error) {
	w, err := newWorld(ctx, impl)
	if errors.Is(err, errNotKept) {
		return &Found{Why: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	defer w.space.Close()
	w.literals = o.Literals
	l := &learner{w: w, o: o}
	return l.learn(plain)
}

type learner struct {
	w      *world
	o      Options
	params [][]eq.Param // of methods
	pure   []bool
	mixed  []bool          // that change something in some calls that answer a value
	first  []transition    // on which laws are found
	second []transition    // and those for which the first were too few
	kept   map[string]bool // observers that others turned out not to define
	whole  bool            // laws are to be closed, or not to be
	last   bool            // the test is the last: what is wrong goes, for nothing would test what came instead
	calls  int
	spent  int // work of the stages before

	listed   []*observer // of a stage of its own
	earliers []*observer // all with a call before that may be offered
	missing  struct {    // law that closed laws lack, of an effect
		observer *observer
		method   int
	}

	gap gap // of the last stage that has one

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

func (l *learner) learn(plain bool) (*Found, error) {
	if _, err := l.begin(); err != nil {
		return nil, err
	}
	if len(l.first) == 0 {
		return &Found{Why: "no arguments of its methods can be made"}, nil
	}
	if plain {
		return l.stage(answers, false)
	}
	for s := range special {
		if !l.offersMore(s) {
			continue
		}
		f, err := l.stage(s, true)
		if err != nil || f.Closed {
			return f, err
		}
	}
	if f, err := l.specially(); f != nil || err != nil {
		return f, err
	}
	return l.stage(answers, false)
}

// begin makes the runs on which laws are found, and says which methods are pure.
func (l *learner) begin() ([]*run, error) {
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
	l.mixed = l.mixedIn(runs)
	l.first = l.chosen(runs)
	for m := range l.pure {
		l.pure[m] = !slices.ContainsFunc(runs, func(r *run) bool {
			return slices.ContainsFunc(r.path, func(t transition) bool { return t.method == m && t.from != t.to })
		})
	}
	return runs, nil
}

// stage looks for laws about the observers of a stage: for all of them, or nothing, if
// they are to be closed.
func (l *learner) stage(s stage, closed bool) (*Found, error) {
	l.whole, l.w.work, l.w.most = closed, 0, mostWork
	switch {
	case s == untils, s == answers && closed: // numbers have more to be compared with; answers alone say most plainly what a type is
		l.w.most = 2 * mostWork
	case s == firsts:
		l.w.most = 5 * mostWork
	}
	if closed {
		l.w.most = min(l.w.most, mostInAll-l.spent)
		defer func() { l.spent += l.w.work }()
	}
	for {
		f, err := l.tried(s)
		switch {
		case errors.Is(err, errAnew):
			continue
		case errors.Is(err, errOpen):
			return &Found{Why: open}, nil
		}
		return f, err
	}
}

// tried finds laws once, and replays them if they are closed.
func (l *learner) tried(s stage) (*Found, error) {
	if err := l.attempt(s); err != nil {
		return nil, err
	}
	f := &Found{Set: l.set(), States: l.w.states(), Calls: l.calls}
	if !f.Set.Closed() {
		f.Why = open
		return f, nil
	}
	l.w.most += mostWork // what is as near as that may cost more
	n, why, err := l.replay(f.Set)
	if errors.Is(err, errAnew) {
		return nil, err
	}
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
	if torn, err := l.gaping(); torn || err != nil {
		return err
	}
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
	if err := l.found(); err != nil || l.whole { // a replay tests the whole
		return err
	}
	l.last = true
	defer func() { l.last = false }()
	_, err := l.test(rounds)
	return err
}

// mostParams is how many parameters an observer has at most of which laws are looked for.
const mostParams = 2

// found finds the laws of observers that are needed, and are not there yet.
func (l *learner) found() error {
	for known := -1; known != len(l.start); {
		known = len(l.start)
		need := l.set().Needed()
		var some []int
		for _, o := range l.base {
			if !need[o] || l.start[o] != nil {
				continue
			}
			if err := l.open(o); err != nil {
				return err
			}
			some = append(some, o)
		}
		for _, o := range some {
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
		return nil
	}
	if err := l.solve(l.start[o], o); err != nil {
		return err
	}
	for m := range l.w.methods {
		if p := l.after[[2]int{m, o}]; p != nil {
			if err := l.solve(p, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// open begins the laws of an observer: with examples, and if all laws are to be closed with what they are made of,
// which may be too little.
func (l *learner) open(o int) (err error) {
	if l.all[o].counts {
		l.count(o)
		return nil
	}
	if l.whole && len(l.all[o].params) > mostParams {
		return errOpen
	}
	p := l.problem(o)
	l.start[o] = p
	if p.rows, err = l.startRows(o, nil); err != nil {
		return err
	}
	if p.rows, err = l.withRare(o, p.rows); err != nil {
		return err
	}
	for m := range l.w.methods {
		if l.pure[m] {
			continue
		}
		p := l.effect(m, o)
		l.after[[2]int{m, o}] = p
		if p.rows, err = l.effectRows(m, o, l.first); err != nil {
			return err
		}
		if p.total = l.whole; !p.total {
			continue
		}
		if err := p.makeAtoms(); err != nil {
			return err
		}
		if p.torn() {
			l.gap = gap{l.all[o], m}
			return l.without(p, o)
		}
	}
	return nil
}

// without notes a law that closed laws lack.
func (l *learner) without(p *problem, o int) error {
	if p.before != nil && l.all[o].isAnswer() {
		l.missing.observer, l.missing.method = l.all[o], p.method
	}
	return errOpen
}

// count has the laws of how many calls of a kind there were.
func (l *learner) count(o int) {
	w := l.w
	zero := l.problem(o)
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

func (l *learner) problem(o int) *problem {
	return &problem{w: l.w, all: l.all, scope: l.all[o].params, target: l.all[o].sort}
}

// effect is the problem of what an observer is after a method.
func (l *learner) effect(m, o int) *problem {
	me := eq.Method{Params: l.params[m], Parts: l.w.parts[m]}
	ob := l.all[o]
	p := l.problem(o)
	p.scope = me.Scope(&eq.Observer{Params: ob.params})
	p.may = l.base
	n := len(p.scope) - len(ob.params)
	p.answersAt, p.answersEnd = len(l.params[m]), n
	args := make([]*eq.Expr, len(ob.params))
	for i := range args {
		args[i] = eq.NewVar(p.scope[n+i].Name, n+i)
	}
	p.method = m
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
	p := l.problem(o)
	p.may, p.total = by, true
	if p.rows, err = l.stateRows(o, l.first); err != nil {
		return false, err
	}
	if p.rows, err = l.withRare(o, p.rows); err != nil {
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
