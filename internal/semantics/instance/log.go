package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// Log is an execution, or a prefix of one, under a theory. It is not safe for
// concurrent use.
type Log struct {
	ctx      context.Context
	spec     *theory.Spec
	e        *history.Execution
	at       map[string]int // operations by identifier
	outcomes map[string][]history.OutcomeSig
	patterns map[string]*theory.Pattern
	targets  []formula.Formula
	readOnly formula.Formula
	axioms   map[string]formula.Formula // about one label
	values   bool                       // operations that match share a value, or are one
	byValue  map[history.Value][]int
	pending  []int
	fresh    string // what no value of the log begins with

	statements []statement

	rivals map[pair]claim
	joins  map[taking][]joining
}

// New prepares a theory for an execution whose methods are named as in the
// theory. What the Log says once the context has ended is worth nothing. It is an
// error if the theory's matching depends on more than labels, or names values, or if
// its histories are no sequences.
func New(ctx context.Context, t *theory.Theory, e *history.Execution) (*Log, error) {
	if err := t.NoPatterns("a derivation", "only linearizations are evidence for it"); err != nil {
		return nil, fmt.Errorf("instance: %w", err)
	}
	if t.Spec.Width > 1 {
		return nil, fmt.Errorf("instance: theory %s has width %d, and evidence is about sequences of operations", t.Name, t.Spec.Width)
	}
	l := &Log{ctx: ctx, spec: &t.Spec, e: e, at: map[string]int{}, outcomes: map[string][]history.OutcomeSig{}, patterns: map[string]*theory.Pattern{},
		readOnly: formula.Const(false), axioms: map[string]formula.Formula{}, values: true, fresh: "\x00", byValue: map[history.Value][]int{},
		rivals: map[pair]claim{}, joins: map[taking][]joining{}}
	for i := range t.Spec.Patterns {
		l.patterns[t.Spec.Patterns[i].Name] = &t.Spec.Patterns[i]
	}
	for _, m := range t.Spec.Methods {
		l.outcomes[m.Name] = m.Outcomes
	}
	for i := range e.Ops {
		l.add(i, &e.Ops[i])
	}
	if !l.formulas(t) {
		return nil, errors.New("instance: the theory's matching depends on more than labels, or on particular values")
	}
	return l, nil
}

func (l *Log) add(i int, o *history.Operation) {
	l.at[o.ID] = i
	if !o.Completed() {
		l.pending = append(l.pending, i)
	}
	for _, v := range slices.Concat(o.Args, o.Rets) {
		l.byValue[v] = append(l.byValue[v], i)
		for strings.HasPrefix(string(v), l.fresh) {
			l.fresh += "\x00"
		}
	}
}

// formulas prepares those of matching and axioms; false if they are out of scope.
func (l *Log) formulas(t *theory.Theory) bool {
	ok := !t.Spec.Matching.Past
	plain := func(f formula.Formula) (formula.Formula, bool) {
		f = formula.Expand(f, t.Vocabulary())
		return f, semantics.LabelsOnly(f) && len(semantics.Named(f))+len(semantics.Compared(f)) == 0 && !strings.Contains(formula.String(f), ":Op")
	}
	for _, f := range t.Spec.Matching.Target {
		f, usable := plain(f)
		l.targets, l.values, ok = append(l.targets, f), l.values && shares(f), ok && usable
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		var usable bool
		l.readOnly, usable = plain(f)
		ok = ok && usable
	}
	for _, a := range t.Spec.Axioms {
		if q, _ := a.Formula.(formula.Quantified); q.Forall && len(q.Vars) == 1 {
			if f, usable := plain(q.Body); usable {
				l.axioms[a.Name] = formula.Quantified{Forall: true, Vars: q.Vars, Body: f}
			}
		}
	}
	l.beyond(t, plain)
	return ok
}

// shares reports whether a formula about x and y holds only if they share a value
// or are one operation, as far as its form shows.
func shares(f formula.Formula) bool {
	switch f := f.(type) {
	case formula.Const:
		return !bool(f)
	case formula.Equal:
		label := f.A.Fn == "method" || f.A.Fn == "outcome"
		return !label && f.A.Var != "" && f.B.Var != "" && f.A.Var != f.B.Var
	case formula.And:
		return slices.ContainsFunc(f, shares)
	case formula.Or:
		return !slices.ContainsFunc(f, func(g formula.Formula) bool { return !shares(g) })
	}
	return false
}

// near lists, in order, the operations that an operation may match or that may
// match it.
func (l *Log) near(op int) []int {
	o, near := &l.e.Ops[op], append([]int{op}, l.pending...)
	if !l.values || !o.Completed() {
		near = near[:0]
		for i := range l.e.Ops {
			near = append(near, i)
		}
		return near
	}
	for _, v := range slices.Concat(o.Args, o.Rets) {
		near = append(near, l.byValue[v]...)
	}
	slices.Sort(near)
	return slices.Compact(near)
}

// Meaningful reports whether a fact is about operations of the execution, and
// could hold or not.
func (l *Log) Meaningful(f evidence.Fact) bool {
	a, okA := l.at[f.A]
	_, okB := l.at[f.B]
	if f.Is == evidence.Before {
		return okA && okB && f.A != f.B
	}
	return okA && okB && !l.e.Ops[a].Completed() && slices.ContainsFunc(l.outcomes[l.e.Ops[a].Method],
		func(o history.OutcomeSig) bool { return o.Outcome == f.Outcome })
}

// Before reports whether operation a returned before b was called.
func (l *Log) Before(a, b string) bool {
	i, okA := l.at[a]
	j, okB := l.at[b]
	return okA && okB && l.e.Before(i, j)
}

// Exclude reports whether a pending operation that took effect in one way did not
// in another: it has one outcome, and no label that two targets could share.
func (l *Log) Exclude(took, other evidence.Fact) bool {
	switch {
	case took.Is != evidence.Took || took.A != other.A:
		return false
	case took.Outcome != other.Outcome:
		return true
	case took.B == other.B || took.A == took.B || other.A == other.B:
		return false
	}
	x, y, z := l.at[took.A], l.at[took.B], l.at[other.B]
	return !l.possible(func(w *world) bool { return w.tier(x, y) >= 0 && w.tier(x, z) >= 0 },
		taking{x, took.Outcome}, taking{op: y}, taking{op: z})
}
