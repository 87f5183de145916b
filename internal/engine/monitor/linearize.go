package monitor

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/history"
)

// Linearization is an order in which the operations of an execution can have
// taken effect, one at a time.
type Linearization struct {
	// Order lists operations by their place in Execution.Ops: all that returned,
	// and of those that are pending the ones that took effect.
	Order []int32

	// Completions are the labels of the pending operations in Order, by their
	// place in Execution.Ops, with an outcome and returned values that make the
	// order one of the type. Nil if there are none.
	Completions map[int32]history.Label
}

// ErrViolation is the error of Linearize for an execution that has no
// linearization; Check says why.
var ErrViolation = errors.New("monitor: the execution has no linearization")

// Linearize finds a linearization, in about the time of Check; of a container,
// and of a stack at whose top something looked, in O(n²) at worst.
//
// The error is ErrViolation if there is none, an *OutsideClass if another engine
// must be asked, a *BadOperation, or the context's.
func (m *Monitor) Linearize(ctx context.Context, e *history.Execution) (*Linearization, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := m.reader.read(e)
	if err != nil {
		return nil, err
	}
	p := m.shape.new()
	switch a, _ := p.decide(c, c.events); a {
	case unclear:
		return nil, m.unclear()
	case violating:
		return nil, ErrViolation
	}
	a := newAgenda(c)
	if !p.order(a) {
		return nil, m.unclear()
	}
	l := &Linearization{Order: a.list()}
	for _, op := range l.Order {
		if c.ret[op] == never {
			l.complete(m, a, e, op)
		}
	}
	return l, nil
}

// complete says what a pending operation answered that took effect.
func (l *Linearization) complete(m *Monitor, a *agenda, e *history.Execution, op int32) {
	if l.Completions == nil {
		l.Completions = map[int32]history.Label{}
	}
	o := &e.Ops[op]
	did, v := add, history.Value("")
	if a.open[op] == maybeRemove {
		did, v = remove, e.Ops[a.took[op]].Args[0]
	}
	label := history.Label{Kind: o.Kind, Args: o.Args}
	for _, out := range m.reader.methods[o.Method].outcomes {
		if out.role != did {
			continue
		}
		label.Outcome = out.Outcome
		if out.rets == 1 {
			label.Rets = []history.Value{v}
		}
	}
	l.Completions[op] = label
}
