package adttest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
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
	f.original, f.found, f.told = first.original, first.found, first.told
	return f, nil
}

// smaller runs each scenario that has something less, shortly at first and then twice
// as long each time: most of those that fail do so soon, and need not wait for those
// that do not. It is nil if none fails.
func (r *run) smaller(f *Failure, most time.Duration, end time.Time) (*Failure, error) {
	const turns = 6
	less := smaller(f.Scenario)
	if sc, ok := r.essence(f); ok {
		less = append([]Scenario{sc}, less...)
	}
	if len(less) == 0 {
		return nil, nil
	}
	most = min(most, patient/time.Duration(len(less)))
	start := time.Now()
	for turn := 1; turn <= turns && (turn == 1 || time.Since(start) < patient); turn++ {
		for _, sc := range less {
			if time.Now().After(end) || r.ctx.Err() != nil {
				return nil, nil
			}
			if g, err := r.again(sc, f.Kind, most>>(turns+1-turn)); g != nil || err != nil {
				return g, err
			}
		}
	}
	return nil, nil
}

// again runs a scenario for a while, until it fails in the given way.
func (r *run) again(sc Scenario, kind Kind, d time.Duration) (*Failure, error) {
	for end := time.Now().Add(d); time.Now().Before(end) && r.ctx.Err() == nil && r.abandoned < maxAbandoned; {
		f, err := r.try(sc, r.Repeat)
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

// essence is the scenario of the operations that explain a violation, with those that break
// patterns, or have the wrong value.
func (r *run) essence(f *Failure) (Scenario, bool) {
	if f.Kind != Violation {
		return Scenario{}, false
	}
	x := r.explainShortly(f.Execution)
	if x == nil || !x.Minimal {
		return Scenario{}, false
	}
	of := slices.Clone(x.Execution.Ops)
	if x.Core != nil {
		of = append(of, x.Core.Ops...)
	}
	for _, o := range f.Execution.Ops {
		if slices.ContainsFunc(x.Last.Rets, func(v history.Value) bool { return slices.Contains(o.Args, v) || slices.Contains(o.Rets, v) }) {
			of = append(of, o)
		}
	}
	sc, err := r.subject.scenarioOf(f.Execution, func(id string) bool {
		return slices.ContainsFunc(of, func(o history.Operation) bool { return o.ID == id })
	})
	return sc, err == nil && sc.size() < f.Scenario.size()
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
