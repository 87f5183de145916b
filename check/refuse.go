package check

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// leaves counts the events after which an execution is outside the theory's
// language, whatever happens next: those of its shortest prefix that is refused.
// The error says why that is; there is none if the theory speaks of the execution.
func (c *compiled) leaves(ctx context.Context, e *history.Execution) (n int, err error) {
	rules, err := c.patterns()
	if err != nil {
		n = sort.Search(e.Events, func(n int) bool { return c.refuses(ctx, e.Prefix(n+1)) != nil }) + 1
		return n, c.refuses(ctx, e.Prefix(n))
	}
	events, err := eventsOf(e)
	if err != nil {
		return 0, err
	}
	l := newLanguage(rules, func(*history.Operation) bool { return true })
	for n, i := range events {
		o := history.Operation{}
		switch {
		case i == noEvent:
			continue
		case i >= 0:
			o = e.Ops[i]
			o.Return, o.Outcome, o.Rets = history.NoReturn, history.Pending, nil
		default:
			o = e.Ops[^i]
		}
		if l.event(&o) != nil {
			return n + 1, c.refuses(ctx, e.Prefix(n+1))
		}
	}
	return 0, nil
}

// refuses says why an execution is outside the theory's language.
func (c *compiled) refuses(ctx context.Context, e *history.Execution) (err error) {
	if rules, bad := c.patterns(); bad == nil {
		err = saturateError(rules.Validate(e), e)
	} else {
		_, err = newInstance(ctx, c, e)
	}
	if errors.As(err, new(*OutsideLanguage)) {
		return err
	}
	return nil
}

// language follows an execution, and notices when it leaves the theory's language.
// It keeps the values that must not be used again.
type language struct {
	rules   []clauses.Unique
	used    []keySet // by rule
	methods map[string]*restricted
	holds   func(o *history.Operation) bool
	again   map[string]bool // running operations, by identifier: they may break a rule
}

// restricted is a method with the rules that hold its calls apart, and its kinds
// with rules that hold their operations apart.
type restricted struct {
	calls []int
	kinds []*clauses.Kind
}

// newLanguage begins to follow an execution. Holds reports whether who asks about
// running operations knows of the earlier ones with the same values; he then sees
// for himself what another one may do.
func newLanguage(r *clauses.Rules, holds func(o *history.Operation) bool) *language {
	l := &language{rules: r.Uniques, used: make([]keySet, len(r.Uniques)), methods: map[string]*restricted{}, holds: holds, again: map[string]bool{}}
	for i := range r.Methods {
		m := restricted{calls: r.Methods[i].Uniques}
		for _, k := range r.Methods[i].Kinds {
			if k := &r.Kinds[k]; len(k.Uniques) > 0 {
				m.kinds = append(m.kinds, k)
			}
		}
		if len(m.calls)+len(m.kinds) > 0 {
			l.methods[r.Methods[i].Name] = &m
		}
	}
	return l
}

// event takes an operation that is called or, if it is completed, returns. The
// error is an *OutsideLanguage.
func (l *language) event(o *history.Operation) error {
	m := l.methods[o.Method]
	switch {
	case m == nil:
		return nil
	case !o.Completed():
		if slices.ContainsFunc(m.kinds, func(k *clauses.Kind) bool { return l.breaks(k.Uniques, o) }) && !l.holds(o) {
			l.again[o.ID] = true
		}
		return l.use(m.calls, o)
	}
	delete(l.again, o.ID)
	for _, k := range m.kinds {
		if k.Outcome == o.Outcome {
			return l.use(k.Uniques, o)
		}
	}
	return nil
}

func (l *language) use(rules []int, o *history.Operation) error {
	for _, u := range rules {
		if !l.used[u].add(clauses.KeyOf(l.rules[u].Key, o.Args, o.Rets)) {
			return &OutsideLanguage{Rule: l.rules[u].Rule, A: o}
		}
	}
	return nil
}

// breaks reports whether a call breaks one of some rules if it returns as what they
// are about. Package clauses sees to it that they look at arguments alone.
func (l *language) breaks(rules []int, o *history.Operation) bool {
	return slices.ContainsFunc(rules, func(u int) bool { return l.used[u].has(clauses.KeyOf(l.rules[u].Key, o.Args, nil)) })
}

// open reports whether some operation that runs may return so that the language is
// left, and nothing is certain.
func (l *language) open() bool { return len(l.again) > 0 }
