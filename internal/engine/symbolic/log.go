package symbolic

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// Log is one execution in a solver, all of its prefixes at once. It is not safe
// for concurrent use.
type Log struct {
	r         *Rules
	s         solver.Solver
	ends      []int // the prefixes that are worth a decision, by events
	ops       []operation
	within    []int // variables "the prefix is this one or a longer one", by prefix
	selectors []int // variables "this one counts", by name, then by axiom; nil if all do

	matches []match
	byKey   []map[string]int32 // matches by key, by kind of the target
	guards  map[guard]int
	escapes []escape
	searches
	order
}

// operation is an operation of the log.
type operation struct {
	logs.Span
	called   int // the first prefix with its call
	returned int // the first prefix with its return; len(ends) if none has it
	method   int
	kind     int   // -1 if it is pending
	match    int32 // -1 if it is pending
	args     []history.Value
	sofar    int // variable: one of its guards so far holds
}

// match is a match target with all operations that map to it, over the whole log.
type match struct {
	target     int // kind
	key        string
	members    []member // completed, in the order of returns; then running ones
	candidates []int32  // operations that may become the target, while they run
	first      []int    // by slot of a kind: the first prefix with such a member, or never
	escape     []int    // by slot: variable "it has such a member", or 0
	ambiguous  int      // variable: it has two targets, of which nothing is known; or 0
	pending    int      // variable: its target is running; or 0
	need       int      // first prefix in which it needs a target, or never
	stamp      int32
}

// member is an operation in a match: a completed one, or a running one if the
// guard holds.
type member struct {
	op, kind int32
	guard    int // literal; 0 if completed
	at       int // the first prefix in which it returned; -1 of a running one
}

// never is later than every event.
const never = logs.Never

// Options say how a Log is made.
type Options struct {
	Solver func() solver.Solver // nil: solver.New
	Named  bool                 // for Core
}

// New makes a log of an execution that rules.Validate accepts. The error is
// logs.ErrTooMany, a *clauses.LabelError, or the context's.
func New(ctx context.Context, rules *Rules, e *history.Execution, o Options) (*Log, error) {
	l := &Log{r: rules, guards: map[guard]int{}, byKey: make([]map[string]int32, len(rules.Kinds)), ends: logs.Ends(e)}
	if o.Solver == nil {
		o.Solver = solver.New
	}
	l.s = o.Solver()
	l.trees = make([]*tree, len(rules.spans))
	for i := range l.byKey {
		l.byKey[i] = map[string]int32{}
	}
	for j := range l.ends {
		l.within = append(l.within, l.s.NewVar())
		if j > 0 {
			l.s.Add(-l.within[j], l.within[j-1])
		}
	}
	for range len(rules.Names) + len(rules.Axioms) {
		if o.Named {
			l.selectors = append(l.selectors, l.s.NewVar())
		}
	}
	if err := l.intervals(ctx, e); err != nil {
		return nil, err
	}
	for i := range e.Ops {
		if err := l.operation(i, &e.Ops[i]); err != nil {
			return nil, err
		}
	}
	for y := range l.matches {
		slices.SortFunc(l.matches[y].members, func(a, b member) int { return a.at - b.at })
	}
	return l, l.complete(ctx)
}

// Close frees what the solver holds.
func (l *Log) Close() error { return solver.Close(l.s) }

// operation takes in operation i.
func (l *Log) operation(i int, o *history.Operation) error {
	mt, err := l.r.Method(o.Method, o.Args)
	if err != nil {
		return err
	}
	x := &l.ops[i]
	x.method, x.kind, x.match, x.args = int(mt.Index), -1, -1, o.Args
	for _, t := range mt.Targets {
		y := l.matchOf(t, clauses.KeyOf(l.r.Kinds[t].Key, o.Args, nil))
		l.matches[y].candidates = append(l.matches[y].candidates, int32(i))
	}
	if !o.Completed() {
		return nil
	}
	k, err := l.r.Kind(mt, o.Outcome, o.Rets)
	if err != nil {
		return err
	}
	for _, c := range k.Claims {
		if !c.Holds.Of(o.Args, o.Rets) {
			l.s.Add(l.selected(len(l.r.Names)+c.Axiom, -l.within[x.returned])...)
		}
	}
	x.kind, x.match = k.Index, l.matchFor(k, o)
	l.matches[x.match].add(k, member{op: int32(i), kind: int32(k.Index), at: x.returned})
	return nil
}

// matchFor is the match that a completed operation belongs to.
func (l *Log) matchFor(k *clauses.Kind, o *history.Operation) int32 {
	switch {
	case k.Role == clauses.Self && k.Joiners != 0:
		return l.matchOf(k.Index, clauses.KeyOf(k.Key, o.Args, nil))
	case k.Role == clauses.Self || k.Role == clauses.Unmatched:
		return l.newMatch(k.Index, "")
	}
	return l.matchOf(k.Target, clauses.KeyOf(k.Key, o.Args, o.Rets))
}

// matchOf is the match with a target's kind and key.
func (l *Log) matchOf(target int, key string) int32 {
	y, ok := l.byKey[target][key]
	if !ok {
		y = l.newMatch(target, key)
		l.byKey[target][key] = y
	}
	return y
}

func (l *Log) newMatch(target int, key string) int32 {
	slots := 1 + l.r.Kinds[target].Writers.Len()
	m := match{target: target, key: key, need: never, first: make([]int, slots), escape: make([]int, slots)}
	for i := range m.first {
		m.first[i] = never
	}
	l.matches = append(l.matches, m)
	return int32(len(l.matches) - 1)
}

// add notes a completed member, of kind k.
func (t *match) add(k *clauses.Kind, m member) {
	t.members = append(t.members, m)
	if k.Slot >= 0 {
		t.first[k.Slot] = min(t.first[k.Slot], m.at)
	}
	if k.Role == clauses.Other {
		t.need = min(t.need, m.at)
	}
}

// firstOf is the first prefix in which match t has an operation of some kinds.
func (l *Log) firstOf(t *match, ks clauses.Kinds) int {
	first := never
	for k := range ks.All() {
		first = min(first, t.first[l.r.Kinds[k].Slot])
	}
	return first
}

// selected is a clause that only counts if pattern or axiom n is selected.
func (l *Log) selected(n int, lits ...int) []int {
	if l.selectors != nil {
		lits = append(lits, -l.selectors[n])
	}
	return lits
}

// complete puts everything about completed operations into the solver, in the
// order of returns.
func (l *Log) complete(ctx context.Context) error {
	for i, x := range l.ByReturn {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		o := &l.ops[x]
		l.joined(member{op: x, kind: int32(o.kind), at: o.returned}, o.match)
	}
	for y := range l.matches {
		l.needs(int32(y))
	}
	return nil
}

// needs says that a match with operations that need a target has one: one that
// returned, or one that runs.
func (l *Log) needs(y int32) {
	t := &l.matches[y]
	target := t.first[0]
	if t.need == never || t.need >= target {
		return
	}
	t.pending = l.s.NewVar()
	var seen clauses.Kinds
	for _, m := range t.members {
		k := &l.r.Kinds[m.kind]
		if k.Role != clauses.Other || m.at >= target || seen.Has(k.Index) {
			continue
		}
		seen |= 1 << k.Index
		lits := l.selected(k.WithoutTarget, -l.within[m.at], t.pending)
		if target < len(l.within) {
			lits = append(lits, l.within[target])
		}
		l.s.Add(l.orAmbiguous(lits, y)...)
	}
}

// orAmbiguous adds the way out that nothing is known of the match.
func (l *Log) orAmbiguous(lits []int, y int32) []int {
	t := &l.matches[y]
	if len(t.candidates) < 2 {
		return lits
	}
	if t.ambiguous == 0 {
		t.ambiguous = l.s.NewVar()
	}
	return append(lits, t.ambiguous)
}
