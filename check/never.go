package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
)

// This file is about answers that no call has: beside false or an error stand other results
// than always. They are a violation where they return, whatever came before.

// upTo decides an execution up to the first answer that no call has, by what always stands
// beside false and errors. If that is no violation, the answer makes it one. A reference
// has the word if it answers something else there than was found of it so far.
func (c *Checker) upTo(ctx context.Context, e *history.Execution, decide func(context.Context, *history.Execution) (Result, error)) (Result, error) {
	i := c.never(e)
	if i < 0 {
		return decide(ctx, e)
	}
	o := &e.Ops[i]
	before := e.Prefix(o.Return)
	for _, u := range e.Unknown {
		if u[1] <= before.Events {
			before.Unknown = append(before.Unknown, u)
		}
	}
	r, err := decide(ctx, before)
	if r.Events = e.Events; err == nil && r.Verdict != Violation {
		r, err = c.answeredNever(ctx, e, i, r, r.Verdict == Linearizable && r.Unknown == 0 && len(before.Unknown) == 0)
	}
	if err != nil {
		return Result{}, err
	}
	c.whole(&r, e.Events)
	return r, nil
}

// answeredNever is what operation i makes of r, in which what comes before its answer is no violation; exact says that
// all of that was decided.
func (c *Checker) answeredNever(ctx context.Context, e *history.Execution, i int, r Result, exact bool) (Result, error) {
	o := &e.Ops[i]
	switch {
	case !c.knows(&o.Label):
		r.Verdict, r.Prefix, r.Detail = Inconclusive, 0, c.beside(o)
		return r, nil
	case outcomeOf(c.signature, &o.Label) == nil && !c.beyondModel(&o.Label):
		r.Verdict, r.Prefix, r.Detail = Violation, o.Return+1, c.beside(o)
		return r, nil
	}
	r, err := c.referring(ctx, e, i, r)
	if r.Verdict == Violation {
		if r.Prefix, r.Detail = o.Return+1, c.beside(o); !exact {
			r.Detail = joined(r.Detail, shorter)
		}
	}
	return r, err
}

// referring is a violation by an answer that no call has, unless the reference has one in some
// order that no trial showed.
func (c *Checker) referring(ctx context.Context, e *history.Execution, i int, r Result) (Result, error) {
	if r.Unknown, r.Procedure = 0, ""; c.model != nil && c.model.reference != nil {
		own := e.Prefix(e.Ops[i].Return + 1)
		own.Ops[i].Rets = nil
		if outcomeOf(c.model.signature, &e.Ops[i].Label) == nil {
			own.Ops[i].Outcome = history.Panic // of any method: what it answers is asked, whatever it is
		}
		own, err := c.model.resolve(own)
		if err != nil {
			return r, err
		}
		var fault *reference.Fault
		answers, err := c.model.possible(ctx, own)
		if ctx.Err() != nil || errors.As(err, &fault) {
			return c.model.unfinished(ctx, err, own)
		}
		if l := &e.Ops[i].Label; wording.IsError(string(l.Outcome)) && slices.ContainsFunc(answers.Labels, c.model.isUnnamed) {
			return Result{Verdict: Inconclusive, Events: e.Events, Detail: fmt.Sprintf("%s answered %s, and the reference may return an error there that has no name", l.Method, l.Outcome)}, nil
		}
		if who, _ := c.model.by(ctx); !c.alone() {
			r.By = "the theory, and " + who
		}
	}
	r.Verdict = Violation
	return r, nil
}

// isUnnamed reports whether an answer is an error that no call had when the others got their names.
func (m *modelEngine) isUnnamed(l history.Label) bool {
	return l.Outcome == history.Error && slices.Contains(m.unlikely, history.Kind{Method: l.Method, Outcome: l.Outcome})
}

// never is the first operation to return with an answer that no call has; -1 if there is none.
func (c *Checker) never(e *history.Execution) int {
	first := -1
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Completed() && (first < 0 || o.Return < e.Ops[first].Return) && c.isNever(&o.Label) {
			first = i
		}
	}
	return first
}

// isNever reports whether a label has values with false or an error that never come with it,
// nor where what may fail does, or an outcome that none of the method's calls was seen to have.
func (c *Checker) isNever(l *history.Label) bool {
	if n, ok := c.usual[l.Kind]; ok && n == len(l.Rets) { // nearly all
		return false
	}
	out := outcomeOf(c.signature, l)
	if out == nil {
		return (c.model == nil || c.beyondModel(l)) && c.lacks(l) // else the reference decides
	}
	if len(l.Rets) == 0 || out.Rets > 0 || l.Outcome != history.Nil && !wording.IsError(string(l.Outcome)) {
		return false
	}
	if c.alone() || c.model == nil {
		return true
	}
	own := outcomeOf(c.model.signature, l) // another reference than the theory's
	return own == nil || own.Rets != len(l.Rets)
}

// beyondModel reports whether the reference's method never has this outcome, or not with these
// values.
func (c *Checker) beyondModel(l *history.Label) bool {
	if c.model == nil || c.model.reference == nil {
		return false
	}
	own := outcomeOf(c.model.signature, l)
	return own == nil || own.Rets != len(l.Rets)
}

// lacks reports whether a method may have an outcome by its results, but has it not.
func (c *Checker) lacks(l *history.Label) bool {
	m, ok := c.signature.Method(l.Method)
	if !ok || c.options.Returned {
		return ok
	}
	var known []history.Outcome
	for _, o := range m.Outcomes {
		known = append(known, o.Outcome)
	}
	return wording.Fits(known, l.Outcome)
}

// usualOf are the kinds of operations, by all names of their methods, with how many values they answer.
func usualOf(s history.Signature) map[history.Kind]int {
	all := map[history.Kind]int{}
	for _, m := range s.Methods() {
		for _, name := range append(slices.Clip(m.Aliases), m.Name) {
			for _, o := range m.Outcomes {
				all[history.Kind{Method: name, Outcome: o.Outcome}] = o.Rets
			}
		}
	}
	return all
}

// knows reports whether a label that no call has is a violation: it was not only never seen, for the theory
// says all about the type. One that was written by hand does.
func (c *Checker) knows(l *history.Label) bool {
	return c.whollyTold || outcomeOf(c.signature, l) != nil || c.beyondModel(l)
}

// outcomeOf is what a signature says of a label's outcome; nil if that is nothing.
func outcomeOf(s history.Signature, l *history.Label) *history.OutcomeSig {
	m, ok := s.Method(l.Method)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == l.Outcome })
	if i < 0 {
		return nil
	}
	return &m.Outcomes[i]
}

// beside says what always comes with the outcome of a call instead of its values.
func (c *Checker) beside(o *history.Operation) string {
	out := outcomeOf(c.signature, &o.Label)
	if out == nil && c.model != nil {
		out = outcomeOf(c.model.signature, &o.Label)
	}
	if out == nil && c.knows(&o.Label) {
		return fmt.Sprintf("%s never answers %s", o.Method, o.Outcome)
	} else if out == nil {
		return fmt.Sprintf("%s answered %s, as it was never seen to: whether it can, a reference says, which --ref names", o.Method, o.Outcome)
	}
	with, values := string(o.Outcome), []string{"zero"}
	if o.Outcome == history.Nil {
		with = string(history.False)
	}
	for i, v := range out.Beside {
		if i == 0 {
			values = nil
		}
		if v == "" {
			v = `""`
		}
		values = append(values, v)
	}
	return fmt.Sprintf("beside %s, %s always answers %s", with, o.Method, strings.Join(values, ", "))
}

// resolved is the execution as resolve has it, with answers that no call has.
func (c *Checker) resolved(e *history.Execution) (*history.Execution, error) {
	if c.never(e) < 0 {
		return c.resolve(e)
	}
	own := *e
	own.Ops = slices.Clone(e.Ops)
	for i := range own.Ops {
		if o := &own.Ops[i]; o.Completed() && c.isNever(&o.Label) { // no word of what it answered
			o.Outcome, o.Rets, o.Return = history.Pending, nil, history.NoReturn
		}
	}
	r, err := c.resolve(&own)
	if err != nil {
		return nil, err
	}
	if r == &own {
		return e, nil
	}
	for i := range r.Ops {
		o, was := &r.Ops[i], &e.Ops[i]
		o.Outcome, o.Rets, o.Return = was.Outcome, was.Rets, was.Return
	}
	return r, nil
}
