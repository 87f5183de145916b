package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/theory"
)

// Explanation is the reason for a violation: the operation that cannot be, what it
// should have answered, and few operations from which that follows.
type Explanation struct {
	// Last is the operation that completes the shortest violating prefix. In the orders
	// that fit the first Prefix events it answers one of Answers, and of values that are
	// in no operation others, too, if Open; if it Waits it has no answer in any of them.
	// Without any of these its answer fits no order, and what would is not known.
	Last    history.Operation
	Answers []history.Label
	Open    bool
	Waits   bool

	// Execution holds Last and the operations that matter, out of the first Prefix
	// events. They are a violation by themselves. Where it is known what Last should
	// have answered, that is so among them alone. Identifiers and positions are those
	// of the log, while Call and Return count the events of these operations alone.
	Execution *history.Execution
	Prefix    int

	// Alone says that no other operation of the first Prefix events has the first
	// argument of Last.
	Alone bool

	// Nowhere says that no other operation of the first Prefix events has a value that Last
	// answered, where what it should have answered is such a value, or nothing.
	Nowhere bool

	// Never says what the method of Last always answers instead, if no call has its answer: beside false or an
	// error it has other results.
	Never string

	// Undone is another operation of the first Prefix events: if it were among Execution, Last
	// could answer as it did, and what others did undoes that. Nil if there is none.
	Undone *history.Operation

	// Reasons are patterns and axioms that together exclude every linearization of Core,
	// which are operations of the first Prefix events; none of them can be left out, unless
	// more than a few operations are pending.
	Reasons []Reason
	Core    *history.Execution

	// Minimal says that nothing more can be left out: without any one of its operations
	// but Last the Execution has other answers. Where answers are not known, it is no
	// violation without any one of its matches, read-only operations or duplicates. If
	// Minimal is false a few operations are given that may matter, no violation by
	// themselves, and Detail says in one sentence why.
	Minimal bool
	Detail  string

	// Steps derive a contradiction from operations, real time and the patterns:
	// what is forced, one fact after the other. They are about the log's first
	// Prefix events, and verify.Check accepts them. There are none for theories
	// with axioms about more than one label; Underived says why in one sentence.
	Steps     []evidence.Step
	Underived string

	// Of a violation that a reference or a model shows, and of others if people asked for it,
	// Order is a linearization of all events before the last one of the prefix, with the
	// answers that pending operations have in it. State is the object after it, in words,
	// if that is known. Last is in it if it takes effect before others.
	Order []history.Operation
	State string

	// Of a violation that an automaton shows, States are the states in which the last
	// event may find the object, in words, if there are several and not many. Of a
	// product Keys is the key whose operations these are, and the one in its part and so
	// on; Steps are about the operations of that key.
	States []string
	Keys   []history.Value

	// Labels are those of the operations that Steps name, by identifier. Some may
	// not be in Execution: pending ones that could join it.
	Labels map[string]history.Label

	// Ordered says that people asked for Order and Steps.
	Ordered bool

	// Shown is the explanation as people read it, with names for values that have some by
	// their types; nil: it is as they read it.
	Shown func() *Explanation
}

// Reason is a pattern or axiom.
type Reason struct {
	Name    string
	Reading string // one sentence; may be empty
	Axiom   bool   // what the sentence says holds; of a pattern it must not
}

// Explain finds the reason for a violation, given its result: operations are left
// out as long as the rest is a violation by the theory alone, or by the reference or
// model that decides.
//
// When the context ends the explanation found so far is returned, which is not
// minimal. It is an error if the result is no violation, or if the theory shows
// neither it nor a part of it to be one.
func (c *Checker) Explain(ctx context.Context, e *history.Execution, r Result) (*Explanation, error) {
	return c.explained(ctx, e, r, true, mostTime)
}

// How long it may take to find out what an operation should have answered.
const (
	leastTime = 500 * time.Millisecond
	mostTime  = 5 * time.Second
)

// explained is Explain; if whole is false the derivation may be about few operations alone, and for what the last
// one should have answered there is so much time. However far an explanation came, its events are those of its operations.
func (c *Checker) explained(ctx context.Context, e *history.Execution, r Result, whole bool, room time.Duration) (*Explanation, error) {
	x, err := c.reasoned(ctx, e, r, whole, room)
	if err != nil {
		return nil, err
	}
	x.Execution = ground.Part(x.Execution, func(int) bool { return true })
	if len(x.Execution.Ops) > 0 && x.Last.Method == "" {
		x.Last = x.Execution.Ops[explain.Last(x.Execution)]
	}
	if x.Ordered = c.options.Order; x.Ordered && len(x.Order) == 0 && x.Prefix > 1 {
		x.Order = c.earlier(ctx, e.Prefix(x.Prefix-1))
	}
	x.Shown = func() *Explanation { return c.shown(x) }
	return x, nil
}

// mostBefore is how many operations have an order that is found only because people asked for it.
const mostBefore = 2000

// earlier is an order that explains an execution, the events before a violation; nil if it is not found soon.
func (c *Checker) earlier(ctx context.Context, e *history.Execution) (order []history.Operation) {
	if len(e.Ops) > mostBefore {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	ev, err := c.linearize(ctx, e)
	if err != nil || ev == nil {
		return nil
	}
	at := map[string]int{}
	for i := range e.Ops {
		at[e.Ops[i].ID] = i
	}
	for _, t := range ev.Order {
		o := e.Ops[at[t.Op]]
		if !o.Completed() {
			o.Outcome, o.Rets = t.Outcome, t.Rets
		}
		order = append(order, o)
	}
	return order
}

// expected adds to an explanation what the last operation of an execution should have answered.
func (c *Checker) expected(ctx context.Context, a explain.Asker, e *history.Execution, x *Explanation) explain.Found {
	found := explain.Find(ctx, &failing{a, slices.Concat(c.mayFail, c.spared)}, e)
	last := e.Ops[explain.Last(e)]
	if found.Known && slices.ContainsFunc(found.Labels, func(l history.Label) bool { return l.Kind == last.Kind && slices.Equal(l.Rets, last.Rets) }) {
		found.Known = false // a call that was not tried has this answer, too
	}
	if x.Last = last; !found.Known {
		return found
	}
	x.Answers, x.Open, x.Waits = found.Labels, found.Open, found.Waits()
	x.Execution, x.Minimal, x.Detail = found.Part, found.Minimal, ""
	switch {
	case found.Many:
		x.Detail = "more of the others do than are shown"
	case !x.Minimal:
		x.Detail = "there was no time to find out which of the others do"
	}
	x.Undone = found.Undone
	x.Nowhere = len(found.Part.Ops) > 1 && nowhere(e, &last, found.Labels)
	x.Alone = len(last.Args) > 0 && c.isKey(last.Args[0]) && alone(e, x.Execution, &last)
	return found
}

// alone reports whether some operations, of which last is one, are all that have the first argument of last.
func alone(all, some *history.Execution, last *history.Operation) bool {
	key := last.Args[0]
	in := func(id string) bool {
		return slices.ContainsFunc(some.Ops, func(o history.Operation) bool { return o.ID == id })
	}
	shared := len(some.Ops) == 1 || slices.ContainsFunc(some.Ops, func(o history.Operation) bool {
		return o.ID != last.ID && len(o.Args) > 0 && o.Args[0] == key
	})
	return shared && !slices.ContainsFunc(all.Ops, func(o history.Operation) bool {
		return !in(o.ID) && (slices.Contains(o.Args, key) || slices.Contains(o.Rets, key))
	})
}

// nowhere reports whether no operation but the last one has a value that it answered, though others have those of
// the right answers: values that come and go, and are not computed.
func nowhere(e *history.Execution, last *history.Operation, right []history.Label) bool {
	has := func(v history.Value, args bool) bool {
		return slices.ContainsFunc(e.Ops, func(o history.Operation) bool {
			return o.ID != last.ID && (slices.Contains(o.Args, v) || !args && slices.Contains(o.Rets, v))
		})
	}
	if len(last.Rets) != 1 || slices.ContainsFunc(right, func(l history.Label) bool {
		return slices.ContainsFunc(l.Rets, func(v history.Value) bool { return v != "0" && v != "" && !has(v, true) })
	}) {
		return false
	}
	return !has(last.Rets[0], false)
}

// isKey reports whether people would say that operations touch a value: of integers, which
// may be amounts, only where keys are known.
func (c *Checker) isKey(v history.Value) bool {
	_, err := strconv.ParseFloat(string(v), 64)
	return err != nil || c.theory != nil && c.theory.Spec.Product != nil
}

// failing is a data type with answers that may come in every state.
type failing struct {
	explain.Asker
	mayFail history.Kinds
}

func (f *failing) Possible(ctx context.Context, e *history.Execution) (explain.Answers, error) {
	a, err := f.Asker.Possible(ctx, e)
	last := &e.Ops[explain.Last(e)]
	for _, k := range f.mayFail {
		if k.Method == last.Method && a.Fits {
			a.Add(history.Label{Kind: k, Args: last.Args})
		}
	}
	return a, err
}

// shown is an explanation with names for values.
func (c *Checker) shown(x *Explanation) *Explanation {
	named := func(l history.Label) history.Label {
		if m, ok := c.signature.Method(l.Method); ok {
			l.Args, l.Rets = typename.Shown(m.Params, l.Args), typename.Shown(m.Results, l.Rets)
		}
		return l
	}
	operations := func(ops []history.Operation) []history.Operation {
		ops = slices.Clone(ops)
		for i := range ops {
			ops[i].Label = named(ops[i].Label)
		}
		return ops
	}
	renamed := *x
	e := *x.Execution
	e.Ops, renamed.Order = operations(e.Ops), operations(x.Order)
	renamed.Execution, renamed.Last.Label = &e, named(x.Last.Label)
	if x.Undone != nil {
		renamed.Undone = &operations([]history.Operation{*x.Undone})[0]
	}
	renamed.Answers = slices.Clone(x.Answers)
	for i := range renamed.Answers {
		renamed.Answers[i] = named(renamed.Answers[i])
	}
	renamed.Labels = maps.Clone(x.Labels)
	for id, l := range renamed.Labels {
		renamed.Labels[id] = named(l)
	}
	return &renamed
}

func (c *Checker) reasoned(ctx context.Context, e *history.Execution, r Result, whole bool, room time.Duration) (*Explanation, error) {
	if r.Verdict != Violation {
		return nil, fmt.Errorf("check: only violations have an explanation, and the verdict is %q", r.Verdict)
	}
	if i := c.never(e); i >= 0 {
		if o := &e.Ops[i]; o.Return < r.Prefix {
			return &Explanation{Last: *o, Execution: ground.Part(e, func(k int) bool { return k == i }), Prefix: r.Prefix, Minimal: true, Never: c.beside(o)}, nil
		}
		e = e.Prefix(r.Prefix)
	}
	if len(c.mayFail) > 0 {
		e = c.rest(e.Prefix(r.Prefix))
		if lean := c.lean(); lean != c {
			return lean.reasoned(ctx, e, r, whole, room)
		}
	}
	if c.alone() {
		return c.model.explain(ctx, e, r, room)
	}
	return c.byTheoryOrModel(ctx, e, r, whole, room)
}

// byTheoryOrModel explains by the theory, and by what else there is where the theory cannot, or is wrong.
func (c *Checker) byTheoryOrModel(ctx context.Context, e *history.Execution, r Result, whole bool, room time.Duration) (*Explanation, error) {
	x := c.explainLong(ctx, e, r.Prefix, whole)
	var err error
	if x == nil {
		x, err = c.byTheory(ctx, e, r, room)
	}
	m := c.backup()
	switch {
	case err != nil && m != nil:
		return m.explain(ctx, e, r, room)
	case m != nil && c.theory != nil && c.tooEarly(ctx, e.Prefix(r.Prefix-1)): // it does not describe the reference
		return m.explain(ctx, e, r, room)
	case err != nil || room == 0 || len(x.Answers) > 0 || x.Waits || len(e.Ops) > maxKept:
		return x, err
	}
	return c.answered(ctx, e, r, x, room), nil
}

// answered adds to an explanation by the theory what the last operation should have
// answered: by the reference, if there is one, else by the theory.
func (c *Checker) answered(ctx context.Context, e *history.Execution, r Result, x *Explanation, room time.Duration) *Explanation {
	ctx, cancel := context.WithTimeout(ctx, room)
	defer cancel()
	if m := c.backup(); m != nil {
		if own, err := m.explain(ctx, e, r, room); err == nil && (len(own.Answers) > 0 || own.Waits) {
			own.Reasons, own.Core, own.Steps, own.Underived, own.Labels = x.Reasons, x.Core, x.Steps, x.Underived, x.Labels
			return own
		}
	}
	if c.theory != nil {
		c.answers(ctx, e.Prefix(r.Prefix), x)
	}
	return x
}

// tooEarly reports whether the theory calls a violation what the reference admits.
func (c *Checker) tooEarly(ctx context.Context, e *history.Execution) bool {
	e, err := c.resolve(e)
	if err != nil {
		return false
	}
	yes, ok, err := c.admits(ctx, e)
	return err == nil && ok && !yes
}

// answers adds what the last operation should have answered by the theory.
func (c *Checker) answers(ctx context.Context, e *history.Execution, x *Explanation) {
	e, err := c.resolve(e)
	if err != nil || len(e.Ops) == 0 || e.Ops[explain.Last(e)].Return != e.Events-1 || len(e.Ops) > fewOps && muchPending(e) {
		return // of the latter it takes long
	}
	c.expected(ctx, &explain.Theory{Decide: c.admits, Signature: c.signature, Named: c.theory.Sequences().Named,
		Ordered: len(c.ground.Compared()) > 0, Closed: c.oneValue()}, e, x)
}

// oneValue reports whether the theory is made of patterns about operations with one value each at most: without all
// operations that have some values, what it admits is still admitted.
func (c *Checker) oneValue() bool {
	return len(c.theory.Spec.Axioms) == 0 && !slices.ContainsFunc(c.signature.Methods(), func(m history.MethodSig) bool {
		return m.Variadic || slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return m.Args+o.Rets > 1 })
	})
}

// admits reports whether the theory admits an execution; ok is false if it does not speak of it.
func (c *Checker) admits(ctx context.Context, e *history.Execution) (yes, ok bool, err error) {
	if len(e.Ops) > fewOps {
		if p := c.firstProcedure(ctx); p != nil {
			if yes, known := p.Linearizable(ctx, e); known {
				return yes, true, nil
			}
		}
	}
	a, err := byTheory{c}.Decide(ctx, e)
	if errors.As(err, new(*clauses.LanguageError)) {
		return false, false, nil
	}
	return a.Sat, a.Sat || a.Excluded == "", err
}

// byTheory finds the reason for a violation by a description of the theory: the first
// one that shows it.
func (c *Checker) byTheory(ctx context.Context, e *history.Execution, r Result, room time.Duration) (x *Explanation, err error) {
	if c.theory != nil {
		if x, err = c.explain(ctx, e, r); err == nil {
			return x, nil
		}
	}
	for _, d := range c.described {
		x, bad := d.explain(ctx, e, r, room)
		if bad == nil {
			return x, nil
		}
		err = cmp.Or(err, bad)
	}
	return nil, err
}

// explain finds the reason for a violation by the theory.
func (c *Checker) explain(ctx context.Context, e *history.Execution, r Result) (*Explanation, error) {
	e, err := c.resolve(e)
	if err != nil {
		return nil, err
	}
	found, err := c.explainer().Violation(ctx, e.Prefix(r.Prefix))
	if err != nil {
		return nil, inputError(err, e)
	}
	x := &Explanation{Execution: found.Execution, Core: found.Execution, Prefix: r.Prefix, Minimal: found.Detail == "", Detail: found.Detail,
		Steps: found.Steps, Underived: found.Underived, Labels: found.Labels}
	for _, name := range found.Patterns {
		x.Reasons = append(x.Reasons, reason(c.theory, name))
	}
	return x, nil
}

func reason(t *theory.Theory, name string) Reason {
	for i := range t.Spec.Patterns {
		if p := &t.Spec.Patterns[i]; p.Name == name {
			return Reason{Name: name, Reading: p.Reading}
		}
	}
	for _, a := range t.Spec.Axioms {
		if a.Name == name {
			return Reason{name, a.Reading, true}
		}
	}
	return Reason{Name: name}
}
