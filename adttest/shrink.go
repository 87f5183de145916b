package adttest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
)

// patient is about how long shrinking goes on after the last time that something got
// smaller: each scenario with something less has its part of it.
const patient = time.Second

// shrink looks for a smaller scenario that fails in the same way: with the calls
// alone that the explanation is about, or with a thread, a part or a call less.
func (r *run) shrink(f *Failure) (*Failure, error) {
	if f.Kind == Hang {
		return f, nil // each try would leave goroutines behind
	}
	first, end := *f, time.Now().Add(r.Shrink)
	limit := r.Rounds
	r.Rounds = 0
	defer func() { r.Rounds = limit }()
	most := min(r.Shrink/20, 250*time.Millisecond) // for one scenario
	if f.Kind == Violation && r.judge.engine != nil && !r.seen(f) {
		within, err := r.again(r.generator.within(f.Scenario), f.Kind, 3*most)
		if err != nil {
			return nil, err
		}
		if within != nil && r.seen(within) {
			f = within
		}
	}
	for g := f; g != nil; {
		var err error
		f = g
		if g, err = r.smaller(f, most, end); err != nil {
			return nil, err
		}
	}
	if g, err := r.fewer(f); err != nil {
		return nil, err
	} else if f = g; f.schedule == "" {
		f = r.inHistory(f)
	}
	f.original, f.found, f.unsaved = first.original, first.found, first.unsaved
	return f, nil
}

// smaller runs each scenario that has something less, shortly at first and then twice
// as long each time: most of those that fail do so soon, and need not wait for those
// that do not. Before these come scenarios by the structure of the failure, for longer: they
// are few. It is nil if none fails.
func (r *run) smaller(f *Failure, most time.Duration, end time.Time) (*Failure, error) {
	const turns = 6
	over := func() bool { return time.Now().After(end) || r.ctx.Err() != nil }
	pieces := r.structured(f)
	for _, p := range pieces {
		if over() {
			return nil, nil
		}
		if g, err := r.again(p.scenario, f.Kind, min(most, patient/2/time.Duration(len(pieces)))); g != nil || err != nil {
			return g, err
		}
	}
	less := smaller(f.Scenario)
	if len(less) == 0 {
		return nil, nil
	}
	most = min(most, patient/time.Duration(len(less)))
	start := time.Now()
	for turn := 1; turn <= turns && (turn == 1 || time.Since(start) < patient); turn++ {
		for _, sc := range less {
			if over() {
				return nil, nil
			}
			if g, err := r.again(sc, f.Kind, most>>(turns+1-turn)); g != nil || err != nil {
				return g, err
			}
		}
	}
	return nil, nil
}

// fewRounds is how many rounds are run at a time while scenarios are made smaller: on a busy machine each takes long.
const fewRounds = 20

// again runs a scenario for a while, until it fails in the given way.
func (r *run) again(sc Scenario, kind Kind, d time.Duration) (*Failure, error) {
	for end := time.Now().Add(d); time.Now().Before(end) && r.ctx.Err() == nil && r.abandoned < maxAbandoned; {
		f, err := r.try(sc, min(r.Repeat, fewRounds))
		if err != nil {
			return nil, err
		}
		if f != nil && f.Kind == kind {
			return f, nil
		}
	}
	return nil, nil
}

// seen reports whether the theory sees a violation, and so has reasons for it.
func (r *run) seen(f *Failure) bool {
	x := r.explainShortly(f.Execution)
	return x != nil && len(x.Reasons) > 0
}

// piece is some of a failure's operations.
type piece struct {
	scenario Scenario
	history  *history.Execution
}

// structured are pieces of a violation by its structure, the smallest first: the operation that
// cannot be and one at the same time, which is all where a check is no act; those that explain
// it; and with them those that have the wrong value.
func (r *run) structured(f *Failure) (all []piece) {
	if f.Kind != Violation {
		return nil
	}
	x, ops := r.explainShortly(f.Execution), f.Execution.Ops
	add := func(keep func(i int) bool) {
		own := ground.Part(f.Execution, keep)
		sc, err := r.subject.scenarioOf(own, func(string) bool { return true })
		if n := sc.size(); err == nil && n > 0 && n < len(ops) && !slices.ContainsFunc(all, func(p piece) bool { return p.scenario.size() == n && p.history.String() == own.String() }) {
			all = append(all, piece{sc, own})
		}
	}
	last := -1
	if x != nil {
		last = slices.IndexFunc(ops, func(o history.Operation) bool { return o.ID == x.Last.ID })
	}
	if last < 0 {
		return nil
	}
	for i := range ops {
		if ops[i].Process != ops[last].Process && ops[i].Call < ops[last].Return && (!ops[i].Completed() || ops[i].Return > ops[last].Call) {
			add(func(k int) bool { return k == i || k == last })
		}
	}
	explains := func(k int) bool {
		return slices.ContainsFunc(x.Execution.Ops, func(o history.Operation) bool { return o.ID == ops[k].ID }) ||
			x.Core != nil && slices.ContainsFunc(x.Core.Ops, func(o history.Operation) bool { return o.ID == ops[k].ID })
	}
	add(explains)
	add(func(k int) bool {
		return explains(k) || slices.ContainsFunc(x.Last.Rets, func(v history.Value) bool { return slices.Contains(ops[k].Args, v) || slices.Contains(ops[k].Rets, v) })
	})
	return all
}

// inHistory is the failure with fewer operations of the same history, of which the explorer, if it is
// linked, has an interleaving: what seldom happens need not happen again.
func (r *run) inHistory(f *Failure) *Failure {
	if engine.Explorer == nil || f.Kind != Violation || r.named() == "" {
		return f
	}
	ctx, cancel := context.WithTimeout(r.ctx, min(r.Shrink, longest))
	defer cancel()
	for g := f; g != nil; {
		f, g = g, r.lessInHistory(ctx, g)
	}
	return f
}

func (r *run) lessInHistory(ctx context.Context, f *Failure) *Failure {
	pieces := r.structured(f)
	for i := range f.Execution.Ops {
		own := ground.Part(f.Execution, func(k int) bool { return k != i })
		if sc, err := r.subject.scenarioOf(own, func(string) bool { return true }); err == nil {
			pieces = append(pieces, piece{sc, own})
		}
	}
	for _, p := range pieces {
		if len(p.history.Ops) == 0 || !r.known(ctx, p.history) {
			continue
		}
		g := &Failure{Kind: f.Kind, Scenario: p.scenario, Execution: p.history}
		a := r.interleaving(g)
		switch {
		case ctx.Err() != nil:
			return nil
		case a.Why == "":
			for i := range g.Execution.Ops {
				g.Execution.Ops[i].ID = strconv.Itoa(i + 1)
			}
			g.explored = &a
			return g
		}
	}
	return nil
}

// shortly is how long a reason is looked for while scenarios are made smaller.
const shortly = 500 * time.Millisecond

// explainShortly is explain, for what need not be the best reason.
func (r *run) explainShortly(e *history.Execution) *check.Explanation {
	ctx, cancel := context.WithTimeout(r.ctx, shortly)
	defer cancel()
	return r.explain(ctx, e)
}

// explain is the reason for a violation as check has it, nil if there is none to give.
func (r *run) explain(ctx context.Context, e *history.Execution) *check.Explanation {
	res, err := r.judge.words.Check(ctx, e)
	if err == nil && res.Verdict == check.Violation {
		if x, err := r.judge.words.Explain(ctx, e, res); err == nil {
			return x
		}
	}
	if o := unanswerable(err); o != nil {
		if x := r.impossible(ctx, e, o, err); x != nil {
			return x
		}
	}
	if o := r.judge.oracle; o != nil {
		n := o.shortest(ctx, e)
		return &check.Explanation{Execution: r.judge.rest(e.Prefix(n)), Prefix: n, Detail: "the reference answers so in no order of them"}
	}
	e = r.judge.rest(e)
	rule := r.judge.broken(e)
	if rule == nil {
		return nil
	}
	return &check.Explanation{Execution: e, Prefix: e.Events, Detail: "they are outside the theory's language, in a way that no implementation is",
		Reasons: []check.Reason{{Name: rule.Name, Reading: rule.Reading, Axiom: true}}}
}

// impossible is the reason for a violation by an answer that the checker refuses: nil if it is
// something before.
func (r *run) impossible(ctx context.Context, e *history.Execution, o *history.Operation, refused error) *check.Explanation {
	i := slices.IndexFunc(e.Ops, func(p history.Operation) bool { return p.ID == o.ID })
	if i < 0 {
		return nil
	}
	n := e.Ops[i].Return
	if before := e.Prefix(n); r.known(ctx, before) {
		return r.explain(ctx, before)
	}
	var label *check.UnknownLabel
	errors.As(refused, &label)
	own := *e
	own.Ops, own.Events = []history.Operation{e.Ops[i]}, 2
	own.Ops[0].Call, own.Ops[0].Return = 0, 1
	return &check.Explanation{Last: e.Ops[i], Execution: &own, Prefix: n + 1, Minimal: true, Never: label.Msg}
}

// known reports whether a history is known not to be admitted.
func (r *run) known(ctx context.Context, e *history.Execution) bool {
	violates, err := r.judge.violates(ctx, e)
	return violates && err == nil
}

// smaller lists the scenarios with something less, those with much less first.
func smaller(s Scenario) []Scenario {
	var out []Scenario
	without := func(change func(*Scenario)) {
		c := Scenario{slices.Clone(s.Before), nil, slices.Clone(s.After)}
		for _, t := range s.Threads {
			c.Threads = append(c.Threads, slices.Clone(t))
		}
		change(&c)
		c.Threads = slices.DeleteFunc(c.Threads, func(t []Call) bool { return len(t) == 0 })
		if c.size() > 0 {
			out = append(out, c)
		}
	}
	for i, t := range s.Threads {
		if len(t) > 1 {
			without(func(c *Scenario) { c.Threads[i] = nil })
		}
	}
	if len(s.After) > 1 {
		without(func(c *Scenario) { c.After = nil })
	}
	if len(s.Before) > 1 {
		without(func(c *Scenario) { c.Before = nil })
	}
	for i := range s.After {
		without(func(c *Scenario) { c.After = slices.Delete(c.After, i, i+1) })
	}
	for i, t := range s.Threads {
		for k := range t {
			without(func(c *Scenario) { c.Threads[i] = slices.Delete(c.Threads[i], k, k+1) })
		}
	}
	for i := range s.Before {
		without(func(c *Scenario) { c.Before = slices.Delete(c.Before, i, i+1) })
	}
	return out
}
