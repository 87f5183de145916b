package monitor

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// Reason is why an execution is a violation.
type Reason struct {
	// Sentence says it.
	Sentence string

	// Ops numbers the operations of the execution that are enough for a
	// violation, in order.
	Ops []int32

	// Execution has these operations only, as they are in the shortest
	// violating prefix: some that returned later are pending.
	Execution *history.Execution

	// Patterns names those of the theory that the reason is about. Perhaps not
	// all of them are needed to exclude the execution, or others are, too, for
	// what pending operations may do.
	Patterns []string
}

// reason makes a reason of a witness for the prefix of n events, of operations from a
// log; false if they cannot be read.
func (m *Procedure) reason(ctx context.Context, c *batch.Columns, from pick, n int32, w batch.Witness) (r *Reason, ok bool) {
	if len(w.Values) > manyValues {
		if r, ok := m.smaller(ctx, c, from, n, w.Values); ok {
			return r, true
		}
	}
	r, holds, ok := m.witnessed(ctx, c, from, n, w)
	if ok && !holds {
		return m.elsewhere(ctx, c, from, n, r, w.Values)
	}
	return r, ok
}

// smaller makes a reason of few operations, given the values that a witness blames.
func (m *Procedure) smaller(ctx context.Context, c *batch.Columns, from pick, n int32, blamed []int32) (r *Reason, ok bool) {
	numbers := m.enough(ctx, c, n, blamed)
	ops, ok := from(numbers)
	if !ok {
		return nil, false
	}
	e := project(ops, int(n))
	own, err := m.reader.Read(e)
	if err != nil {
		return nil, false
	}
	a, w := m.algorithm(ctx).Decide(own, own.Events)
	if a != batch.Violating {
		return nil, false
	}
	r, holds, ok := m.witnessed(ctx, own, some(e), own.Events, w)
	if !ok {
		return nil, false
	}
	if holds {
		for k, i := range r.Ops {
			r.Ops[k] = numbers[i]
		}
		return r, true
	}
	r.Ops, r.Execution = numbers, e
	r.Sentence += otherwise
	return r, true
}

// otherwise is what to add where pending operations can undo what is wrong, but are
// needed for something else.
const otherwise = "; a pending operation may have changed that, but then something else is wrong"

// elsewhere says of a reason that its operations are not enough. Where no others are
// known to be, it has all of the prefix.
func (m *Procedure) elsewhere(ctx context.Context, c *batch.Columns, from pick, n int32, r *Reason, blamed []int32) (*Reason, bool) {
	if less, ok := m.smaller(ctx, c, from, n, blamed); ok {
		return less, true
	}
	r.Sentence += otherwise
	r.Ops = r.Ops[:0]
	for i := range c.Within(n) {
		r.Ops = append(r.Ops, int32(i))
	}
	ops, ok := from(r.Ops)
	r.Execution = project(ops, int(n))
	return r, ok
}

// witnessed makes a reason of the operations of a witness; holds reports whether they
// are a violation by themselves, whatever pending operations may do.
func (m *Procedure) witnessed(ctx context.Context, c *batch.Columns, from pick, n int32, w batch.Witness) (r *Reason, holds, ok bool) {
	r = &Reason{}
	for _, text := range batch.RuleTexts[w.Rule] {
		for _, name := range m.names[text] {
			if !slices.Contains(r.Patterns, name) { // an axiom may stand for several
				r.Patterns = append(r.Patterns, name)
			}
		}
	}
	place := map[int32]int{}
	for k, v := range w.Values {
		place[v] = k
	}
	r.Ops = w.Ops(c, n)
	ops, ok := from(r.Ops)
	if !ok {
		return nil, false, false
	}
	names, found := make([]history.Value, len(w.Values)), "an operation that found nothing"
	for j, i := range r.Ops {
		_, v, _ := c.In(int(i), n)
		if k, named := place[v]; named && names[k] == "" {
			names[k] = m.reader.ValueOf(&ops[j], c.Ret[i] > n)
		}
		if int(i) == w.Op {
			found = fmt.Sprintf("[%s] %s", ops[j].ID, ops[j].Label)
		}
	}
	r.Execution = project(ops, int(n))
	r.Sentence = batch.Sentence(w.Rule, names, found)
	if w.Rule == batch.Hull {
		r.Sentence += ": " + batch.SidesOf(names, w.Sides)
	}
	if pending := func(o history.Operation) bool { return !o.Completed() }; slices.ContainsFunc(r.Execution.Ops, pending) {
		own, err := m.reader.Read(r.Execution)
		if err != nil {
			return r, false, true
		}
		a, _ := m.algorithm(ctx).Decide(own, own.Events)
		return r, a == batch.Violating, true
	}
	return r, true, true
}

// project is an execution of some operations of the prefix of n events.
func project(ops []history.Operation, n int) *history.Execution {
	p := &history.Execution{}
	var events []int
	for _, o := range ops {
		events = append(events, o.Call)
		if o.Completed() && o.Return >= n {
			o.Return, o.Outcome, o.Rets, o.ReturnPos = history.NoReturn, history.Pending, nil, history.Pos{}
		}
		if o.Completed() {
			events = append(events, o.Return)
		}
		p.Ops = append(p.Ops, o)
	}
	slices.Sort(events)
	for i := range p.Ops {
		o := &p.Ops[i]
		o.Call, _ = slices.BinarySearch(events, o.Call)
		if o.Completed() {
			o.Return, _ = slices.BinarySearch(events, o.Return)
		}
	}
	p.Events = len(events)
	return p
}
