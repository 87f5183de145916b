package symbolic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// Log is one execution in a solver, all of its prefixes at once. It is not safe
// for concurrent use.
type Log struct {
	r      *clauses.Rules
	t      *templates
	s      solver.Solver
	ends   []int // the prefixes that are worth a decision, by events
	ops    []operation
	within []int // variables "the prefix is this one or a longer one", by prefix
	named  []int // variables "this pattern counts", by pattern; nil if all do
	axioms []int // likewise for axioms

	matches []match
	byKey   []map[string]int32 // matches by key, by kind of the target
	guards  map[guard]int
	escapes []escape
	searches
	order
}

// operation is an operation of the log.
type operation struct {
	call, ret int // events; ret is never if it is pending
	called    int // the first prefix with its call
	returned  int // the first prefix with its return; len(ends) if none has it
	method    int
	kind      int   // -1 if it is pending
	match     int32 // -1 if it is pending
	args      []history.Value
	sofar     int // variable: one of its guards so far holds
}

// never is later than every event.
const never = int(^uint(0) >> 1)

// MaxPairs bounds the pairs of operations that overlap: each may take a variable.
const MaxPairs = 1 << 22

// ErrOverlap is the error of an execution with more than MaxPairs.
var ErrOverlap = errors.New("too many operations overlap each other for the symbolic engine")

// Options say how a Log is made.
type Options struct {
	Solver func() solver.Solver // nil: solver.New
	Named  bool                 // for Core
}

// New makes a log of an execution that rules.Validate accepts. The error is
// ErrOverlap, a *clauses.LabelError, or the context's.
func New(ctx context.Context, rules *Rules, e *history.Execution, o Options) (*Log, error) {
	l := &Log{r: rules.Rules, t: rules.templates, guards: map[guard]int{}, byKey: make([]map[string]int32, len(rules.Kinds))}
	l.s = solver.New()
	if o.Solver != nil {
		l.s = o.Solver()
	}
	l.ends = Ends(e)
	l.prefixes(o.Named)
	if err := l.overlaps(e); err != nil {
		return nil, err
	}
	for i := range l.byKey {
		l.byKey[i] = map[string]int32{}
	}
	for i := range e.Ops {
		if err := l.operation(i, &e.Ops[i]); err != nil {
			return nil, err
		}
	}
	l.searches.init(l)
	for y := range l.matches {
		slices.SortFunc(l.matches[y].members, func(a, b member) int { return a.at - b.at })
	}
	return l, l.complete(ctx)
}

// Close frees what the solver holds.
func (l *Log) Close() error { return solver.Close(l.s) }

// Ends lists the prefixes of an execution that end with a return, by their number
// of events, and the whole. No other prefix is the shortest violation.
func Ends(e *history.Execution) (ends []int) {
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Completed() && o.Return+1 < e.Events {
			ends = append(ends, o.Return+1)
		}
	}
	sort.Ints(ends)
	return append(ends, e.Events)
}

// prefixes makes the variables that select a prefix, and patterns.
func (l *Log) prefixes(named bool) {
	for j := range l.ends {
		l.within = append(l.within, l.s.NewVar())
		if j > 0 {
			l.s.Add(-l.within[j], l.within[j-1])
		}
	}
	if !named {
		return
	}
	for range l.r.Names {
		l.named = append(l.named, l.s.NewVar())
	}
	for range l.r.Axioms {
		l.axioms = append(l.axioms, l.s.NewVar())
	}
}

// operation takes in operation i.
func (l *Log) operation(i int, o *history.Operation) error {
	mt, err := l.r.Method(o.Method, o.Args)
	if err != nil {
		return err
	}
	x := &l.ops[i]
	x.method, x.kind, x.match, x.args = int(mt.Index), -1, -1, o.Args
	for _, t := range mt.Targets {
		k := &l.r.Kinds[t]
		y := l.matchOf(t, clauses.KeyOf(k.Key, o.Args, nil))
		l.matches[y].candidates = append(l.matches[y].candidates, int32(i))
	}
	if !o.Completed() {
		return nil
	}
	k, err := l.r.Kind(mt, o.Outcome, o.Rets)
	if err != nil {
		return err
	}
	l.claims(x, k, o)
	x.kind, x.match = k.Index, l.matchFor(k, o)
	l.matches[x.match].add(l.r, member{op: int32(i), kind: int32(k.Index), at: x.returned})
	return nil
}

// matchFor is the match that a completed operation belongs to.
func (l *Log) matchFor(k *clauses.Kind, o *history.Operation) int32 {
	switch {
	case k.Role == clauses.Self && k.Joiners != 0:
		return l.matchOf(k.Index, clauses.KeyOf(k.Key, o.Args, nil))
	case k.Role == clauses.Self || k.Role == clauses.Alone:
		return l.newMatch(k.Index, "")
	}
	return l.matchOf(k.Target, clauses.KeyOf(k.Key, o.Args, o.Rets))
}

// claims excludes an operation that an axiom excludes.
func (l *Log) claims(x *operation, k *clauses.Kind, o *history.Operation) {
	for _, c := range k.Claims {
		if !c.Holds.Of(o.Args, o.Rets) {
			l.s.Add(l.unless(-l.within[x.returned], l.axioms, c.Axiom)...)
		}
	}
}

// unless is a clause with a literal, that only counts if something is selected.
func (l *Log) unless(lit int, selectors []int, n int) []int {
	if selectors == nil {
		return []int{lit}
	}
	return []int{lit, -selectors[n]}
}

// complete puts everything about completed operations into the solver, in the
// order of returns.
func (l *Log) complete(ctx context.Context) error {
	var order []int32
	for i := range l.ops {
		if l.ops[i].kind >= 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return l.ops[a].ret - l.ops[b].ret })
	for i, x := range order {
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

// PrefixError is the error of a number of events that ends no prefix worth a
// decision: see Ends.
type PrefixError int

func (e PrefixError) Error() string {
	return fmt.Sprintf("check: no return ends the prefix of %d events", int(e))
}
