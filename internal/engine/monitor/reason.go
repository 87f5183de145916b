package monitor

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// Reason is why an execution is a violation.
type Reason struct {
	// Sentence says it.
	Sentence string

	// Ops numbers the operations of the execution that are enough for a
	// violation, in order.
	Ops []int

	// Execution has these operations only, as they are in the shortest
	// violating prefix: some that returned later are pending.
	Execution *history.Execution

	// Patterns names those of the theory that the reason is about. Perhaps not
	// all of them are needed to exclude the execution, or others are, too, for
	// what pending operations may do.
	Patterns []string
}

// reason makes a reason of a witness for the prefix of n events.
func (m *Procedure) reason(c *columns.Columns, e *history.Execution, n int32, w batch.Witness) *Reason {
	r := &Reason{}
	for _, text := range batch.RuleTexts[w.Rule] {
		r.Patterns = append(r.Patterns, m.of.Names[text]...)
	}
	names := make([]history.Value, len(w.Values))
	place := map[int32]int{}
	for k, v := range w.Values {
		place[v] = k
	}
	for i := range c.Within(n) {
		role, v, _ := c.In(i, n)
		k, named := place[v]
		if !named && i != w.Op && (role != columns.MaybeRemove || v >= 0) {
			continue
		}
		if named && names[k] == "" {
			names[k] = m.of.Reader.ValueOf(&e.Ops[i], c.Ret[i] > n)
		}
		r.Ops = append(r.Ops, i)
	}
	r.Execution = project(e, r.Ops, int(n))
	found := "an operation that found nothing"
	if w.Op >= 0 {
		o := &e.Ops[w.Op]
		found = fmt.Sprintf("[%s] %s", o.ID, o.Label)
	}
	r.Sentence = batch.Sentence(w.Rule, names, found)
	if w.Rule == batch.Hull {
		r.Sentence += ": " + batch.SidesOf(names, w.Sides)
	}
	if pending := func(o history.Operation) bool { return !o.Completed() }; slices.ContainsFunc(r.Execution.Ops, pending) {
		if a, err := m.of.Quick(r.Execution); err != nil || a != batch.Violating { // not surely a violation by itself
			r.elsewhere(e, int(n))
		}
	}
	return r
}

// elsewhere says of a reason that pending operations can undo what is wrong, but
// are needed for something else in the prefix of n events: no fewer operations are
// known to be enough.
func (r *Reason) elsewhere(e *history.Execution, n int) {
	r.Sentence += "; a pending operation may have changed that, but then something else is wrong"
	r.Ops = r.Ops[:0]
	for i := range e.Ops {
		if e.Ops[i].Call < n {
			r.Ops = append(r.Ops, i)
		}
	}
	r.Execution = project(e, r.Ops, n)
}

// project keeps some operations of the prefix of n events.
func project(e *history.Execution, ops []int, n int) *history.Execution {
	p := &history.Execution{Object: e.Object}
	var events []int
	for _, i := range ops {
		o := e.Ops[i]
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
