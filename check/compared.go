package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// reading is the signature that logs are read with: the theory's, with the outcomes
// that only the reference has.
func (c *Checker) reading() history.Signature {
	if c.alone() || c.model == nil {
		return c.signature
	}
	methods := slices.Clone(c.signature.Methods())
	for i := range methods {
		m := &methods[i]
		more, ok := c.model.signature.Method(m.Name)
		if !ok || more.Args != m.Args {
			continue
		}
		m.Outcomes = slices.Clip(m.Outcomes)
		for _, o := range more.Outcomes {
			if !slices.ContainsFunc(m.Outcomes, func(own history.OutcomeSig) bool { return own.Outcome == o.Outcome }) {
				m.Outcomes = append(m.Outcomes, o)
			}
		}
	}
	if s, err := history.NewSignature(methods...); err == nil {
		return s
	}
	return c.signature
}

// typed is the signature with how logs write values: as the reference's types have them
// or, where nobody knows the types, as the theory does.
func (c *Checker) typed(s history.Signature, t *theory.Theory) (history.Signature, error) {
	methods := slices.Clone(s.Methods())
	for i := range methods {
		m := &methods[i]
		m.Named = t.Sequences().Named
		if c.model == nil || c.options.Reference == nil {
			continue
		}
		known := c.options.Reference.Methods()
		if k := slices.IndexFunc(known, func(r reference.Method) bool { return r.Name == m.Name && len(r.Args) == m.Args }); k >= 0 {
			m.Value, m.Params, m.Results, m.Structs = live.Value(&known[k]), known[k].Params, known[k].Results, known[k].Structs
		}
	}
	return history.NewSignature(methods...)
}

// compared is the result of a theory with what the reference says: that decides what
// the theory does not cover, and confirms violations.
func (c *Checker) compared(ctx context.Context, e *history.Execution, r Result, err error) (Result, error) {
	refused := refused(err)
	open := err == nil && c.unsure(r) && ctx.Err() == nil
	if !refused && !open && (err != nil || r.Verdict != Violation) {
		return r, err
	}
	resolved, bad := c.model.resolve(e)
	switch {
	case bad != nil && refused:
		return r, err
	case bad != nil:
		return Result{}, fmt.Errorf("%w; theory %s does not describe the reference", bad, c.named)
	case r.Verdict == Violation:
		return c.confirmed(ctx, resolved, r)
	}
	res, bad := c.checkBy(ctx, c.model, resolved)
	if bad != nil || res.Verdict == Inconclusive && open {
		return r, errors.Join(err, bad)
	}
	res.By += " (the theory does not cover the log)"
	return res, nil
}

// last is the result of the descriptions of a theory with what the reference says of
// what they do not cover, which is opened for that. A short execution that they leave
// open is one for it, too.
func (c *Checker) last(ctx context.Context, e *history.Execution, r Result, err error) (Result, error) {
	open := err == nil && c.theory == nil && c.unsure(r) && len(e.Ops) <= minMonitor
	if _, auto := c.engine.(autoEngine); !auto || !refused(err) && !open || ctx.Err() != nil {
		return r, err
	}
	if c.options.Open == nil {
		return r, c.pointed(err)
	}
	m, bad := c.opened.get(ctx, func() (*modelEngine, error) { return c.open(ctx) })
	switch {
	case bad != nil && err != nil:
		return r, fmt.Errorf("%w; the reference, which decides such logs, cannot be run: %w", err, bad)
	case bad != nil:
		r.Detail = joined(r.Detail, "the reference cannot be run: "+bad.Error())
		return r, nil
	}
	res, bad := c.resolvedBy(ctx, m, e)
	if bad != nil || res.Verdict == Inconclusive && open {
		return r, err
	}
	res.By += " (the theory does not cover the log)"
	return res, nil
}

// unsure reports whether a result of the theory leaves open what the reference may know.
func (c *Checker) unsure(r Result) bool {
	return r.Verdict == Inconclusive || r.Verdict == NoViolationFound && c.theory == nil
}

// pointed is the error of a log that is not covered, with the reference that would decide it.
func (c *Checker) pointed(err error) error {
	if m := c.spec.Model; m != nil && err != nil {
		return fmt.Errorf("%w; its reference, %s, decides such logs", err, m.Package)
	}
	return err
}

// backup is the reference, if there is one by now.
func (c *Checker) backup() *modelEngine {
	if c.model != nil {
		return c.model
	}
	c.opened.mu.Lock()
	defer c.opened.mu.Unlock()
	return c.opened.value
}

// open makes the reference ready that Options.Open opens.
func (c *Checker) open(ctx context.Context) (*modelEngine, error) {
	impl, err := c.options.Open(ctx)
	if err != nil {
		return nil, err
	}
	with := &Checker{options: c.options, named: c.named, spec: c.spec, patience: c.patience, spared: slices.Concat(c.mayFail, c.spared)}
	with.options.Reference, with.options.Engine, with.options.Model = impl, "", ""
	return newModelEngine(with, &theory.Theory{Name: c.named, Spec: *c.spec})
}

// fewEvents is how long a violating prefix may be that the reference has all the time for; about longer ones it is asked for a
// while, and then about what explains them.
const (
	fewEvents = 200
	aWhile    = 2 * time.Second
)

// confirmed is a violation by the theory if its shortest prefix is one by the reference, too. What explains it is another
// history, of which the reference may say something else (an inbox of 500 loses the oldest message only once there are as
// many), so that the result says so where nothing else could be asked.
func (c *Checker) confirmed(ctx context.Context, e *history.Execution, r Result) (Result, error) {
	check := func(room time.Duration) (Result, error) {
		ctx, stop := context.WithTimeout(ctx, room)
		defer stop()
		return c.model.check(ctx, e.Prefix(r.Prefix))
	}
	room := time.Duration(math.MaxInt64)
	if r.Prefix > fewEvents && c.theory != nil {
		room = aWhile
	}
	res, err := check(room)
	if room == aWhile && err == nil && res.Verdict == Inconclusive && ctx.Err() == nil {
		if x, bad := c.explain(ctx, e, r); bad == nil {
			if alone, bad := c.model.check(ctx, x.Execution); bad == nil && alone.Verdict == Violation {
				r.By = "the theory, and " + alone.By + ", asked about the operations of the explanation alone"
				return r, nil
			}
		}
		res, err = check(math.MaxInt64)
	}
	switch {
	case err != nil:
		return Result{}, err
	case res.Verdict == Violation:
		r.By = "the theory, and " + res.By
		return r, nil
	case res.Verdict == Inconclusive:
		if ctx.Err() != nil {
			res.Detail = logs.Stopped(ctx)
		}
		return Result{Verdict: Inconclusive, Engine: r.Engine, Events: r.Events,
			Detail: fmt.Sprintf("the first %d events are a violation by the theory, which the reference does not confirm: %s", r.Prefix, res.Detail)}, nil
	}
	said := fmt.Sprintf("the first %d events are a violation by theory %s, and the reference admits them: the theory does not describe the reference", r.Prefix, c.named)
	if res, err = c.checkBy(ctx, c.model, e); err == nil {
		res.Detail = joined(said, res.Detail)
	}
	return res, err
}

// filled is the result of an execution some calls of which returned nobody knows what: whether there are answers of theirs with
// which it is linearizable. A search knows, of a model that lists what a call may answer; else r stays, in which
// these calls may never have taken effect.
func (c *Checker) filled(ctx context.Context, e *history.Execution, r Result) (Result, error) {
	m := c.searched()
	if m == nil || len(c.mayFail) > 0 || !slices.ContainsFunc(e.Ops, func(o history.Operation) bool { return o.Completed() }) {
		return r, nil
	}
	resolved, err := m.resolve(e)
	if err != nil {
		return r, nil
	}
	model, err := m.over(ctx, resolved)
	if err != nil {
		return r, nil
	}
	defer model.close()
	whole, counted := returning(resolved, e.Unknown)
	found, err := wgl.Check(ctx, &filling{model.searched, m.signature}, whole, wgl.Options{LRU: c.options.LRU})
	open := slices.ContainsFunc(resolved.Ops, func(o history.Operation) bool {
		return !o.Completed() && m.builtin == nil && model.open(&o.Label)
	})
	if err != nil || !found.Linearizable && open {
		return r, nil
	}
	first := &e.Ops[e.Unknown[0][0]]
	r.Unknown = len(e.Unknown)
	said := fmt.Sprintf("%s returned what nobody knows, the first [%s] %s at %s", wording.Count(r.Unknown, "call"), first.ID,
		history.Label{Kind: history.Kind{Method: first.Method, Outcome: history.None}, Args: first.Args}, first.CallPos)
	if found.Linearizable {
		r.Verdict, r.Detail = Linearizable, joined(r.Detail, said+": some answers fit")
		return r, nil
	}
	res := Result{Verdict: Violation, Engine: wglName, Events: e.Events, Prefix: counted[found.Prefix], Unknown: r.Unknown, Detail: said + ": no answers fit"}
	if found.Upper {
		res.Detail = joined(res.Detail, "a shorter prefix may violate, too")
	}
	res.By, err = m.by(ctx)
	return res, err
}

// searched is what a search asks: the reference or model alone, an automaton of the theory, or the reference beside it.
func (c *Checker) searched() *modelEngine {
	if c.alone() {
		return c.model
	}
	for _, d := range c.described {
		if m, ok := d.(*modelEngine); ok {
			return m
		}
	}
	return c.model
}

// returning is an execution with returns of calls of which nobody knows what they returned, and how many of its first events
// are events of e.
func returning(e *history.Execution, unknown [][2]int) (*history.Execution, []int) {
	whole := &history.Execution{Object: e.Object, Ops: slices.Clone(e.Ops)}
	at := make([]int, e.Events) // where events of e are
	counted := []int{0}
	for n := range e.Events + 1 {
		for ; len(unknown) > 0 && unknown[0][1] == n; unknown = unknown[1:] {
			whole.Ops[unknown[0][0]].Return = whole.Events
			whole.Events++
			counted = append(counted, n)
		}
		if n < e.Events {
			at[n] = whole.Events
			whole.Events++
			counted = append(counted, n+1)
		}
	}
	for i := range whole.Ops {
		o := &whole.Ops[i]
		if o.Call = at[o.Call]; e.Ops[i].Completed() {
			o.Return = at[e.Ops[i].Return]
		}
	}
	return whole, counted
}

// filling is a model of which a call that nobody knows the answer of may answer anything: also what changes nothing,
// which models need not list for a call that never returned.
type filling struct {
	wgl.Model
	signature history.Signature
}

// Branches lists the states after such a call.
func (f *filling) Branches(s wgl.State, l *history.Label) (after []wgl.State) {
	if b, ok := f.Model.(wgl.Brancher); ok {
		after = b.Branches(s, l)
	} else if next, ok := f.Step(s, l); ok {
		after = append(after, next)
	}
	m, _ := f.signature.Method(l.Method)
	for _, o := range m.Outcomes {
		if o.Rets > 0 {
			continue
		}
		label := history.Label{Kind: history.Kind{Method: l.Method, Outcome: o.Outcome}, Args: l.Args}
		if next, ok := f.Step(s, &label); ok {
			after = append(after, next)
		}
	}
	return after
}

// Err is the model's.
func (f *filling) Err() error {
	if m, ok := f.Model.(wgl.Failing); ok {
		return m.Err()
	}
	return nil
}
