package wgl

import (
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	drivervalues "github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// maxAnswers bounds the answers that a pending call of an acceptor may have, and maxValues those with one value.
const (
	maxAnswers = 1000
	maxValues  = 20_000
)

// Searched is the model as package wgl takes it.
func (m *OfReference) Searched() Model {
	if m.accepts {
		return accepting{m}
	}
	return m
}

// accepting is the model of an acceptor.
type accepting struct{ *OfReference }

// Branches are the states after a pending call, one for each answer with values of
// the log that is accepted.
func (m accepting) Branches(s State, l *history.Label) (after []State) {
	for _, l := range m.Answers(s, l) {
		if next, ok := m.Step(s, &l); ok {
			after = append(after, next)
		}
	}
	return after
}

// Answers lists what a call may answer in a state: of an acceptor the answers with
// values of the log, accepted or not.
func (m *OfReference) Answers(s State, l *history.Label) (all []history.Label) {
	if !m.accepts {
		if _, a, ok := m.step(s, l, nil); ok && !a.Blocked {
			all = append(all, history.Label{Kind: history.Kind{Method: l.Method, Outcome: a.Outcome}, Args: l.Args, Rets: a.Rets})
		}
		return all
	}
	method := m.method(l)
	for _, o := range method.Outcomes {
		all = append(all, claims(l, o.Outcome, method.Results[:min(o.Rets, len(method.Results))], m.values)...)
	}
	return all
}

// Open reports whether a call may have other answers than those that Answers lists.
func (m *OfReference) Open(l *history.Label) bool {
	if !m.accepts {
		return false
	}
	method := m.method(l)
	return slices.ContainsFunc(method.Outcomes, func(o reference.OutcomeArity) bool {
		return slices.ContainsFunc(method.Results[:min(o.Rets, len(method.Results))], func(b drivervalues.Basic) bool { return b.Kind != drivervalues.KindBool })
	})
}

func (m *OfReference) method(l *history.Label) *reference.Method {
	methods := m.ref.impl.Methods()
	return &methods[slices.IndexFunc(methods, func(r reference.Method) bool { return r.Name == l.Method })]
}

// claims lists the labels of a call with an outcome whose values are among some;
// none if they are too many.
func claims(l *history.Label, o history.Outcome, types []drivervalues.Basic, known []history.Value) []history.Label {
	rets := [][]history.Value{nil}
	for _, b := range types {
		var longer [][]history.Value
		for _, r := range rets {
			some := known
			if b.Kind == drivervalues.KindBool {
				some = []history.Value{"true", "false"}
			}
			for _, v := range some {
				longer = append(longer, append(slices.Clip(r), v))
			}
		}
		if rets = longer; len(rets) > maxAnswers && len(types) > 1 || len(rets) > maxValues {
			return nil
		}
	}
	var all []history.Label
	for _, r := range rets {
		all = append(all, history.Label{Kind: history.Kind{Method: l.Method, Outcome: o}, Args: l.Args, Rets: r})
	}
	return all
}

// Answerer is a model that says what a pending call may answer.
type Answerer interface {
	Model
	Answers(s State, l *history.Label) []history.Label
}

// maxCompleted bounds the steps of Complete, beyond those of the operations.
const maxCompleted = 100_000

// Complete is the operations of a linearization, which are numbers into e.Ops, with
// the answers of pending ones, and the state after them.
func Complete(m Answerer, e *history.Execution, order []int32) ([]history.Operation, State, error) {
	c := &completion{model: m, left: len(order) + maxCompleted}
	for _, op := range order {
		c.ops = append(c.ops, e.Ops[op])
	}
	end, ok := c.from(m.Init(), 0)
	if f, failing := m.(Failing); !ok && failing && f.Err() != nil {
		return nil, nil, f.Err()
	}
	if !ok {
		return nil, nil, errors.New("what pending operations answered could not be told")
	}
	return c.ops, end, nil
}

type completion struct {
	model Answerer
	ops   []history.Operation
	left  int // steps
}

// from completes the operations from number i on.
func (c *completion) from(s State, i int) (State, bool) {
	for ; i < len(c.ops) && c.ops[i].Completed(); i++ {
		var ok bool
		if s, ok = c.model.Step(s, &c.ops[i].Label); !ok || c.left == 0 {
			return nil, false
		}
		c.left--
	}
	if i == len(c.ops) {
		return s, true
	}
	pending := c.ops[i].Label
	for _, l := range c.model.Answers(s, &pending) {
		c.ops[i].Label = l
		if next, ok := c.model.Step(s, &l); ok && c.left > 0 {
			c.left--
			if end, ok := c.from(next, i+1); ok {
				return end, true
			}
		}
	}
	c.ops[i].Label = pending
	return nil, false
}
