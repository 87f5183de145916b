package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/joint"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// description is what a theory says of a data type otherwise than by patterns, as an
// engine: an automaton, parts by key, patterns with a control automaton; or what is
// given instead of a theory. It takes executions whose labels are not resolved.
type description interface {
	engine

	// resolve is the execution with method names as the description has them. It
	// refuses labels that it does not know.
	resolve(e *history.Execution) (*history.Execution, error)

	explain(ctx context.Context, e *history.Execution, r Result, room time.Duration) (*Explanation, error)
	linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error)
}

// describe finds the descriptions of a theory that the engine asked for can use, in
// the order in which they are asked.
func (c *Checker) describe(t *theory.Theory) error {
	auto := cmp.Or(c.options.Engine, autoName) == autoName
	searching := auto || c.options.Engine == wglName && c.options.Model == ""
	searched := configurations.Searched(&t.Spec)
	var err error
	add := func(d description, bad error) {
		if err = cmp.Or(err, bad); bad == nil {
			c.described = append(c.described, d)
		}
	}
	if t.Spec.Control != nil && searching == auto {
		add(newControlled(c, t))
	}
	switch {
	case !searching:
	case searched != nil:
		add(newSearched(c, t, &t.Spec, searched))
	case c.options.Reference == nil && t.Spec.Laws.Decides():
		add(newLawful(c, t))
	}
	if err == nil && t.Spec.Product != nil && searching == auto && (searched == nil || !t.Spec.IsLocal()) {
		return c.describeParts(t, searched)
	}
	return err
}

// describeParts adds the parts of a product, each of which is decided by itself. If they
// cannot be, that is an error only where nothing else decides. What is local goes first.
func (c *Checker) describeParts(t *theory.Theory, searched semantics.Machine) error {
	d, err := newParts(c, t, searched)
	switch {
	case err != nil && c.theory == nil && searched == nil && t.Spec.Model == nil:
		return err
	case err != nil:
	case t.Spec.IsLocal():
		c.described = append([]description{d}, c.described...)
	default:
		c.described = append(c.described, d)
	}
	return nil
}

// newSearched is an automaton of a theory, or a product of them, that is searched: what a spec says.
func newSearched(c *Checker, t *theory.Theory, says *theory.Spec, m semantics.Machine) (*modelEngine, error) {
	d := &modelEngine{Checker: c, named: t.Name, described: m, says: says}
	d.who = "the automaton of theory " + t.Name
	if p := t.Spec.Product; p != nil {
		d.who = "the automaton that theory " + t.Name + " has for each key"
	}
	var err error
	if d.signature, err = t.Signature(c.options.Aliases); err == nil {
		d.table = logs.New(d.signature.Methods())
	}
	return d, err
}

// newLawful is the closed laws of a theory whose reference is not at hand. They were replayed
// against it, and stand in for it.
func newLawful(c *Checker, t *theory.Theory) (*modelEngine, error) {
	d, err := newSearched(c, t, nil, nil)
	if err != nil {
		return nil, err
	}
	m, err := equations.NewModel(t.Spec.Laws, d.signature.Methods())
	if err != nil {
		return nil, fmt.Errorf("check: theory %s: %w", t.Name, err)
	}
	d.described, d.who = m, fmt.Sprintf("the laws of theory %s, which gave %s of its reference right", t.Name, wording.Count(t.Spec.Laws.Replayed, "answer"))
	return d, nil
}

// newOfAxioms is the automaton that the axioms of a theory mean, which is searched; nil if
// there is none.
func newOfAxioms(c *Checker, t *theory.Theory) *modelEngine {
	spec := axioms.Automaton(t)
	if spec == nil {
		return nil
	}
	d, err := newSearched(c, t, spec, configurations.Searched(spec))
	if err != nil {
		return nil
	}
	d.who = "the axioms of theory " + t.Name + ", as an automaton"
	if spec.Product != nil {
		d.who += " for each key"
	}
	return d
}

// decided reports whether nobody else has to be asked.
func decided(r Result, err error) bool {
	return err == nil && (r.Verdict == Violation || r.Verdict == Linearizable)
}

// refused reports whether an error says that a description does not cover a log.
func refused(err error) bool {
	return outside(err) || errors.As(err, new(*Ambiguous)) || errors.As(err, new(*UnknownLabel)) || errors.As(err, new(*uncovered))
}

// uncovered is the error of a log that no description of a theory covers.
type uncovered struct{ errs []error }

func (u *uncovered) Error() string {
	var b strings.Builder
	for i, err := range u.errs {
		if i > 0 {
			b.WriteString("; nor does another description cover it: ")
		}
		b.WriteString(strings.TrimPrefix(err.Error(), "check: "))
	}
	return "check: " + b.String()
}

func (u *uncovered) Unwrap() []error { return u.errs }

// together is one error of what all descriptions say.
func together(refusals []error) error {
	if len(refusals) == 1 {
		return refusals[0]
	}
	return &uncovered{refusals}
}

// otherwise asks the descriptions of the theory about an execution that the one asked
// before them, if any was, did not decide. What found no violation stands if nobody
// knows better.
func (c *Checker) otherwise(ctx context.Context, e *history.Execution, r Result, err error) (Result, error) {
	known := r.Verdict != "" && err == nil
	var refusals []error
	if refused(err) {
		refusals = append(refusals, err)
	} else if err != nil {
		return r, err
	}
	for _, d := range c.described {
		if decided(r, err) && known {
			return r, nil
		}
		next, bad := c.ask(ctx, d, e)
		switch {
		case refused(bad):
			refusals = unlessSaid(refusals, bad)
		case bad != nil:
			return Result{}, bad
		case !known || decided(next, nil) || r.Verdict == Inconclusive && next.Verdict == NoViolationFound:
			known, r, err = true, next, nil
		}
	}
	switch {
	case known:
		return r, nil
	case len(refusals) > 0:
		return Result{}, together(refusals)
	}
	return r, err
}

// ask is what one description says, with the engine as that of auto.
func (c *Checker) ask(ctx context.Context, d description, e *history.Execution) (r Result, err error) {
	r, err = c.resolvedBy(ctx, d, e)
	if r.Engine != "" && !strings.HasPrefix(r.Engine, autoName) {
		r.Engine = autoName + ": " + r.Engine
	}
	return r, err
}

// resolvedBy is what a description says of an execution once it knows the labels.
func (c *Checker) resolvedBy(ctx context.Context, d description, e *history.Execution) (r Result, err error) {
	if e, err = d.resolve(e); err == nil {
		r, err = c.checkBy(ctx, d, e)
	}
	return r, err
}

// unlessSaid adds an error unless there is one that says the same.
func unlessSaid(all []error, err error) []error {
	if slices.ContainsFunc(all, func(old error) bool { return old.Error() == err.Error() }) {
		return all
	}
	return append(all, err)
}

// engineFor is the engine of a theory without patterns that decide.
func (c *Checker) engineFor(t *theory.Theory) (engine, error) {
	name := c.options.Engine
	if name == "" || name == autoName {
		return autoEngine{c}, nil
	}
	if !slices.Contains(engineNames(), name) {
		return c.newEngine()
	}
	if len(c.described) > 0 {
		return c.described[0], nil
	}
	if err := t.NoPatterns("engine "+name, "use engine auto"); err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	return nil, fmt.Errorf("check: engine %s cannot use what theory %s says beside its patterns; use engine auto", name, t.Name)
}

// controlled decides by patterns that are half of a description: they say which values
// come, and an automaton which outcomes do. Both must hold of one order, but each is
// looked at alone: what neither shows to be a violation may be one. If arguments alone
// say which operations are hidden, nothing is left open: these take effect at any time.
type controlled struct {
	*modelEngine // of the automaton
	hidden       history.Kinds
	methods      []string // all kinds of which are hidden
	patterns     *Checker
	machine      semantics.Machine      // the automaton
	guards       *configurations.Guards // nil unless they and the patterns are exact
}

func newControlled(c *Checker, t *theory.Theory) (*controlled, error) {
	d := &controlled{hidden: t.Spec.Control.Hidden}
	bare := *t
	bare.Spec.Product, bare.Spec.Automaton, bare.Spec.Model, bare.Spec.Control = nil, nil, nil, nil
	bare.Spec.Methods = d.hidden.Methods(t.Spec.Methods)
	for _, m := range t.Spec.Methods {
		if !slices.ContainsFunc(bare.Spec.Methods, func(o history.MethodSig) bool { return o.Name == m.Name }) {
			d.methods = append(d.methods, m.Name)
		}
	}
	o := c.options
	o.Reference, o.Model, o.Aliases, o.MayFail = nil, "", nil, nil
	var err error
	if d.patterns, err = New(&bare, o); err != nil {
		return nil, err
	}
	if t.Spec.Control.Guards {
		d.guards = configurations.GuardsOf(t.Spec.Control)
	}
	says := &theory.Spec{Methods: t.Spec.Methods, Automaton: t.Spec.Control.Automaton}
	if d.machine, err = configurations.Of(says); err != nil {
		return nil, err
	}
	if d.machine.Unclear() {
		return nil, fmt.Errorf("check: the control automaton of theory %s compares by size what a call answers freely, which no search knows of a call that has not returned", t.Name)
	}
	if d.modelEngine, err = newSearched(c, t, says, d.machine); err == nil {
		d.who = "the patterns and the control automaton of theory " + t.Name
	}
	return d, err
}

func (d *controlled) name() string { return d.patterns.engine.name() }

// seen is an execution as the patterns see it.
func (d *controlled) seen(e *history.Execution) *history.Execution {
	own := *d.hidden.Without(e)
	own.Ops = slices.DeleteFunc(slices.Clone(own.Ops), func(o history.Operation) bool {
		refused := false
		if d.guards != nil {
			_, refused = d.guards.Refuses(&o.Label)
		}
		return refused || slices.Contains(d.methods, o.Method)
	})
	return &own
}

// bound is after how many events an operation has returned that the guards do not allow;
// 0: none has.
func (d *controlled) bound(e *history.Execution) (n int) {
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Completed() && (n == 0 || o.Return < n) && !d.guards.Allows(&o.Label) {
			n = o.Return + 1
		}
	}
	return n
}

// eachAlone decides where arguments alone say what is hidden.
func (d *controlled) eachAlone(ctx context.Context, e *history.Execution) (Result, error) {
	n := d.bound(e)
	before := e
	if n > 0 {
		before = e.Prefix(n - 1)
	}
	r, err := d.patterns.checkEvents(ctx, d.seen(before))
	switch {
	case n == 0 || err == nil && r.Verdict == Violation || err != nil && !refused(err):
		r.By = d.who
		return r, err
	case err != nil || r.Verdict != Linearizable:
		return Result{Verdict: Violation, Prefix: n, Engine: wglName, By: d.who, Detail: shorter}, nil
	}
	return Result{Verdict: Violation, Prefix: n, Engine: wglName, By: d.who}, nil
}

func (d *controlled) check(ctx context.Context, e *history.Execution) (Result, error) {
	if d.guards != nil {
		return d.eachAlone(ctx, e)
	}
	r, err := d.once(ctx, e)
	if err != nil || r.Verdict != Violation || d.options.Whole {
		return r, err
	}
	r = narrowed(e, d.hidden, r, func(e *history.Execution) (Result, error) { return d.once(ctx, e) })
	return d.exactly(ctx, e, r), nil
}

// once decides an execution without looking at its prefixes, in which operations run that are hidden once they
// have returned, and may turn out otherwise.
func (d *controlled) once(ctx context.Context, e *history.Execution) (Result, error) {
	values, err := d.patterns.checkEvents(ctx, d.seen(e))
	if err != nil && !refused(err) {
		return Result{}, err
	}
	if err == nil && values.Verdict == Violation {
		e = e.Prefix(values.Prefix)
	} else if _, ok := d.jointly(ctx, e); ok {
		return Result{Verdict: Linearizable, Engine: values.Engine, By: d.who}, nil
	}
	outcomes, bad := d.modelEngine.check(ctx, e)
	switch {
	case bad != nil:
		return Result{}, bad
	case outcomes.Verdict == Violation && (values.Verdict != Violation || outcomes.Prefix < values.Prefix):
		outcomes.Engine = wglName
		return outcomes, nil
	case err != nil:
		return Result{}, err
	case values.Verdict == Violation, values.Verdict == Inconclusive:
		return values, nil
	case outcomes.Verdict == Inconclusive:
		return outcomes, nil
	}
	return Result{Verdict: NoViolationFound, Engine: values.Engine, By: d.who,
		Detail: "some order explains the values, and some order the outcomes; whether one order explains both is not known"}, nil
}

func (d *controlled) explain(ctx context.Context, e *history.Execution, r Result, room time.Duration) (*Explanation, error) {
	resolved, err := d.resolve(e)
	if err != nil {
		return nil, err
	}
	seen := d.seen(resolved.Prefix(r.Prefix)) // which may be no violation: hidden operations may be to blame
	if res, bad := d.patterns.checkEvents(ctx, seen); bad == nil && res.Verdict == Violation {
		if x, err := d.patterns.explained(ctx, seen, r, true, room); err == nil {
			return x, nil
		}
	}
	return d.modelEngine.explain(ctx, e, r, room)
}

func (d *controlled) linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	e, err := d.resolve(e)
	if err != nil {
		return nil, err
	}
	if order, ok := d.jointly(ctx, e); ok {
		return &evidence.Evidence{Theory: d.named, Log: evidence.Digest(e), Order: order}, nil
	}
	return nil, &NoEvidence{"patterns and control automaton were looked at alone, and neither says how to order the operations"}
}

// jointly looks for one order of an execution that satisfies patterns and control automaton. Both are asked about
// the order that is found, so that it is right whatever the search does. That none is found says nothing.
func (d *controlled) jointly(ctx context.Context, e *history.Execution) (order []evidence.Taken, ok bool) {
	if d.patterns.theory == nil {
		return nil, false
	}
	p, err := d.patterns.procedure(ctx) // whatever the engine: its order is looked at again
	if err != nil {
		return nil, false
	}
	seen := d.seen(e)
	l, err := p.Linearize(ctx, seen)
	if err != nil {
		return nil, false
	}
	at := make(map[string]int, len(e.Ops))
	for i := range e.Ops {
		at[e.Ops[i].ID] = i
	}
	g := joint.Given{Machine: d.machine, Queue: p.Shape() == "queue", Completions: map[int]history.Label{}}
	visible := make([]bool, len(e.Ops))
	for _, k := range l.Order {
		i := at[seen.Ops[k].ID]
		g.Order, visible[i] = append(g.Order, i), true
		if label, ok := l.Completions[k]; ok {
			g.Completions[i] = label
		}
	}
	found, ok := joint.Find(ctx, e, g)
	if !ok {
		return nil, false
	}
	var all, some []history.Label
	for _, i := range found {
		o, taken := &e.Ops[i], evidence.Taken{Op: e.Ops[i].ID}
		label := o.Label
		if !o.Completed() {
			label = g.Completions[i]
			taken.Outcome, taken.Rets = label.Outcome, label.Rets
		}
		order, all = append(order, taken), append(all, label)
		if visible[i] {
			some = append(some, label)
		}
	}
	if n, err := configurations.Replay(ctx, d.machine, all); err != nil || n < len(all) {
		return nil, false
	}
	r, err := d.patterns.checkEvents(ctx, history.Sequential(some...))
	return order, err == nil && r.Verdict == Linearizable
}

// exactly is a violation after so many events: the shortest if there is an order of what comes before.
func (d *controlled) exactly(ctx context.Context, e *history.Execution, r Result) Result {
	if _, ok := d.jointly(ctx, e.Prefix(r.Prefix-1)); !ok {
		r.Detail = joined(r.Detail, shorter)
	} else if r.Detail == shorter {
		r.Detail = ""
	}
	return r
}
