package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
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
func (m *Monitor) reason(c *columns, e *history.Execution, n int32, w witness) *Reason {
	r := &Reason{}
	for _, text := range ruleTexts[w.rule] {
		r.Patterns = append(r.Patterns, m.names[text]...)
	}
	names := make([]history.Value, len(w.values))
	place := map[int32]int{}
	for k, v := range w.values {
		place[v] = k
	}
	for i := range c.within(n) {
		role, v, _ := c.in(i, n)
		k, named := place[v]
		if !named && i != w.op && (role != maybeRemove || v >= 0) {
			continue
		}
		if named && names[k] == "" {
			names[k] = m.reader.value(&e.Ops[i], c.ret[i] > n)
		}
		r.Ops = append(r.Ops, i)
	}
	r.Execution = project(e, r.Ops, int(n))
	found := "an operation that found nothing"
	if w.op >= 0 {
		o := &e.Ops[w.op]
		found = fmt.Sprintf("[%s] %s", o.ID, o.Label)
	}
	r.Sentence = sentence(w.rule, names, found)
	if w.rule == hull {
		r.Sentence += ": " + sidesOf(names, w.sides)
	}
	if pending := func(o history.Operation) bool { return !o.Completed() }; slices.ContainsFunc(r.Execution.Ops, pending) && !m.excludes(r.Execution) {
		r.elsewhere(e, int(n))
	}
	return r
}

// excludes tells whether an execution is surely a violation by itself.
func (m *Monitor) excludes(e *history.Execution) bool {
	c, err := m.reader.read(e)
	if err != nil {
		return false
	}
	a, _ := m.shape.new().decide(c, c.events)
	return a == violating
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

// value is the value that an operation speaks of.
func (r *reader) value(o *history.Operation, pending bool) history.Value {
	m := r.methods[o.Method]
	if pending || !o.Completed() {
		return o.Args[0]
	}
	if out := m.outcome(o); out.fromIn {
		return o.Args[0]
	}
	return o.Rets[0]
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

func sentence(r rule, values []history.Value, found string) string {
	v := func(i int) string { return string(values[i]) }
	switch r {
	case neverAdded:
		return v(0) + " was found or taken out and never put in"
	case beforeAdd:
		return v(0) + " was found or taken out before it was put in"
	case twice:
		return v(0) + " was taken out twice"
	case outOfOrder:
		return v(0) + " was put in before " + v(1) + ", which was taken out first"
	case covered:
		return found + " while " + oneOf(values) + " was in at every moment"
	case hull:
		return "none of " + several(values) + " can have been put in first and taken out last, as one of them must"
	case lifetime:
		return "there are no moments to put in and take out " + v(0) + " that fit what was seen of it"
	}
	if r == lower {
		return v(0) + " was found or taken out while " + oneOf(values[1:]) + ", which comes first, was in at every moment"
	}
	if r == front {
		return several(values) + " were found at the front at times that fit no order in which they can have come"
	}
	if r == clash {
		return v(0) + " and " + v(1) + " cannot have come and gone in any order that is allowed"
	}
	if len(values) == 1 {
		return found + " while " + v(0) + " was in"
	}
	return several(values) + " were in at the same time"
}

// sidesOf says of the first few values why they were not below all others: others
// were surely in before they were put in, or after they were taken out.
func sidesOf(values []history.Value, sides []side) string {
	var parts []string
	for i, v := range values[:min(len(values), 5)] {
		switch x := sides[i]; {
		case x.addedLate && x.removedEarly:
			parts = append(parts, string(v)+" came too late and left too early")
		case x.addedLate:
			parts = append(parts, string(v)+" came too late")
		case x.removedEarly:
			parts = append(parts, string(v)+" left too early")
		default:
			parts = append(parts, string(v)+" was seen while others were above it")
		}
	}
	return strings.Join(parts, ", ")
}

func oneOf(values []history.Value) string {
	if len(values) == 1 {
		return string(values[0])
	}
	return "one of " + several(values)
}

// several lists values, the first few of them if there are many.
func several(values []history.Value) string {
	var parts []string
	for _, v := range values[:min(len(values), 5)] {
		parts = append(parts, string(v))
	}
	if more := len(values) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// ruleTexts lists the patterns of the shapes that a rule is about.
var ruleTexts = [...][]string{
	neverAdded: {"RX", "PX"},
	beforeAdd:  {"R1 A1", "P1 A1", "P1 A1 R1"},
	twice:      {"A1 R1 R1"},
	outOfOrder: {"A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"},
	covered:    {"A1 E2", "A1 E2 R1"},
	lower:      {},
	front:      {"A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"},
	hull:       {"A1 A2 R1", "A1 A2 R1 R2", "A1 A2 P1", "A1 A2 P1 R2", "A1 A2 P1 R2 R1"},
	lifetime:   {"R1 A1", "A1 R1 P1", "P1 A1 R1", "A1 N1", "A1 N1 R1"},
	clash:      {"A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1"},
	zones:      {"A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1", "A1 A2 P1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2", "A1 E2", "A1 E2 R1"},
}
