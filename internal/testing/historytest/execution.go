package historytest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Call is a random call; fresh is the number of the next fresh value.
func (t *Type) Call(r *rand.Rand, fresh int) history.Label {
	m := &t.Methods[r.IntN(len(t.Methods))]
	l := history.Label{Kind: history.Kind{Method: m.Name}}
	switch {
	case m.Takes == Fresh:
		l.Args = []history.Value{number(fresh)}
	case m.Takes > 0:
		l.Args = []history.Value{number(1 + r.IntN(m.Takes))}
	}
	for range m.Also {
		l.Args = append(l.Args, number(1+r.IntN(m.Takes)))
	}
	if m.Brings {
		l.Args = append(l.Args, number(10+fresh))
	}
	return l
}

func number(n int) history.Value { return history.Value(strconv.Itoa(n)) }

// Execution makes a random execution. Each operation takes effect at a moment
// between call and return; then one answer in spoil is replaced by any that the
// method may give, or none if spoil is 0. Operations still running at the end
// are pending.
func (t *Type) Execution(r *rand.Rand, ops, processes, spoil int) *history.Execution {
	run := run{Rand: r, t: t, e: &history.Execution{}, ops: ops, running: make([]int, processes), effect: make([]bool, ops)}
	for range 6 * ops {
		run.step(r.IntN(processes))
	}
	for i := range run.e.Ops {
		switch o := &run.e.Ops[i]; {
		case !o.Completed():
			o.Outcome, o.Rets = history.Pending, nil
		case spoil > 0 && r.IntN(spoil) == 0:
			run.spoil(o)
		}
	}
	return run.e
}

// run is an execution that goes on.
type run struct {
	*rand.Rand
	t       *Type
	e       *history.Execution
	ops     int
	state   string
	running []int  // by process, 1 + its operation, or 0
	effect  []bool // by operation, whether it took effect
}

// step lets a process call, take effect, or return.
func (r *run) step(process int) {
	i := r.running[process] - 1
	switch {
	case i < 0 && len(r.e.Ops) == r.ops:
	case i < 0:
		id := len(r.e.Ops) + 1
		r.e.Ops = append(r.e.Ops, history.Operation{ID: strconv.Itoa(id), Label: r.draw(id), Call: r.e.Events, Return: history.NoReturn})
		r.e.Events++
		r.running[process] = id
	case r.t.Lost > 0 && r.IntN(2*r.t.Lost) == 0: // one of two times, before or after it took effect
		r.running[process] = 0
	case !r.effect[i]:
		r.effect[i] = r.takesEffect(&r.e.Ops[i])
	default:
		r.e.Ops[i].Return = r.e.Events
		r.e.Events++
		r.running[process] = 0
	}
}

func (r *run) draw(id int) history.Label {
	if r.t.Draw != nil {
		return r.t.Draw(r.Rand, r.e)
	}
	return r.t.Call(r.Rand, id)
}

// takesEffect answers a call. One that ought to wait is at times answered all
// the same.
func (r *run) takesEffect(o *history.Operation) bool {
	ways := r.t.Model(r.state, &o.Label)
	if len(ways) == 0 {
		if r.IntN(20) > 0 {
			return false
		}
		r.spoil(o)
		return true
	}
	w := ways[0]
	if len(ways) > 1 {
		w = ways[r.IntN(len(ways))]
	}
	o.Outcome, o.Rets, r.state = w.Outcome, w.Rets, w.Next
	return true
}

// spoil gives any answer of the method.
func (r *run) spoil(o *history.Operation) {
	if r.t.Spoil != nil {
		r.t.Spoil(r.Rand, r.e, o)
		return
	}
	for i := range r.t.Methods {
		m := &r.t.Methods[i]
		if m.Name != o.Method {
			continue
		}
		o.Outcome, o.Rets = m.Outcomes[r.IntN(len(m.Outcomes))], nil
		if o.Outcome == history.Some {
			v := number(1 + r.IntN(max(5, len(r.e.Ops))))
			switch {
			case r.t.Keyed:
				v = o.Args[0]
			case r.t.brings():
				v = number(11 + r.IntN(len(r.e.Ops)))
			}
			o.Rets = []history.Value{v}
		}
	}
}

func (t *Type) brings() bool {
	return slices.ContainsFunc(t.Methods, func(m Method) bool { return m.Brings })
}

// Text is an execution as lines for messages: no log, but all that it is.
func Text(e *history.Execution) string {
	lines := make([]string, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		lines[o.Call] = fmt.Sprintf("[%s] call %s %v", o.ID, o.Method, o.Args)
		if o.Completed() {
			lines[o.Return] = fmt.Sprintf("[%s] return %s %v", o.ID, o.Outcome, o.Rets)
		}
	}
	return strings.Join(lines, "\n")
}
