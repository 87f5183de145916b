package wgl_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/check/wgl"
	"github.com/adtinfer/adtinfer/history"
)

// signature is the methods of a model: what a random execution may call, and
// what the calls may answer.
type signature struct {
	name    string
	methods []signatureMethod
	values  int // arguments are one of so many; 0: each is new
}

type signatureMethod struct {
	name     string
	args     int
	outcomes []history.Outcome
}

var (
	none   = []history.Outcome{history.None}
	lookup = []history.Outcome{history.Some, history.Nil}

	signatures = []signature{
		{"register", []signatureMethod{{"write", 1, none}, {"read", 0, lookup}}, 3},
		{"queue", []signatureMethod{{"add", 1, none}, {"remove", 0, lookup}}, 0},
		{"stack", []signatureMethod{{"add", 1, none}, {"remove", 0, lookup}}, 2},
		{"set", []signatureMethod{{"insert", 1, lookup}, {"remove", 1, lookup}, {"contains", 1, lookup}}, 2},
		{"lock", []signatureMethod{{"lock", 1, lookup}, {"unlock", 0, lookup}}, 3},
		{"worksteal", []signatureMethod{{"give", 1, none}, {"take", 0, lookup}, {"steal", 0, lookup}}, 2},
	}
)

func (s *signature) model() wgl.Model {
	m, ok := wgl.Builtin(s.name)
	if !ok {
		panic(s.name)
	}
	return m
}

// call is a random call.
func (s *signature) call(r *rand.Rand, number int) history.Label {
	m := s.methods[r.IntN(len(s.methods))]
	l := history.Label{Kind: history.Kind{Method: m.name}}
	if m.args > 0 {
		v := number
		if s.values > 0 {
			v = 1 + r.IntN(s.values)
		}
		l.Args = []history.Value{history.Value(strconv.Itoa(v))}
	}
	return l
}

// answersTo lists what a call may answer, right or wrong.
func (s *signature) answersTo(l history.Label, values int) (all []history.Label) {
	for _, m := range s.methods {
		if m.name != l.Method {
			continue
		}
		for _, o := range m.outcomes {
			l.Outcome, l.Rets = o, nil
			if o != history.Some {
				all = append(all, l)
				continue
			}
			for v := range values {
				l.Rets = []history.Value{history.Value(strconv.Itoa(v + 1))}
				all = append(all, l)
			}
		}
	}
	return all
}

// execution is a random execution: each operation takes effect at a moment
// between call and return; one answer in spoil is replaced by any.
func (s *signature) execution(r *rand.Rand, ops, processes, spoil int) *history.Execution {
	m := s.model()
	e := &history.Execution{}
	state, running, effect := m.Init(), make([]int, processes), map[int]bool{}
	values := max(s.values, ops)
	for range 5 * ops {
		p := r.IntN(processes)
		switch i := running[p] - 1; {
		case i < 0 && len(e.Ops) < ops:
			e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(len(e.Ops) + 1),
				Label: s.call(r, len(e.Ops)+1), Call: e.Events, Return: history.NoReturn})
			running[p] = len(e.Ops)
			e.Events++
		case i < 0:
		case !effect[i]:
			effect[i] = true
			all := s.answersTo(e.Ops[i].Label, values)
			for _, l := range all {
				if next, ok := m.Step(state, &l); ok {
					state, e.Ops[i].Label = next, l
					break
				}
			}
			if r.IntN(spoil) == 0 {
				e.Ops[i].Label = all[r.IntN(len(all))]
			}
		default:
			e.Ops[i].Return = e.Events
			running[p] = 0
			e.Events++
		}
	}
	for i := range e.Ops {
		if o := &e.Ops[i]; !o.Completed() {
			o.Outcome, o.Rets = history.Pending, nil
		}
	}
	return e
}

// linearizable tries all orders, with nothing remembered.
func linearizable(m wgl.Model, e *history.Execution) bool {
	var from func(s wgl.State, taken int) bool
	from = func(s wgl.State, taken int) bool {
		missing := false
		for i := range e.Ops {
			missing = missing || taken>>i&1 == 0 && e.Ops[i].Completed()
		}
		if !missing {
			return true
		}
		for i := range e.Ops {
			ready := taken>>i&1 == 0
			for j := range e.Ops {
				ready = ready && (taken>>j&1 == 1 || !e.Before(j, i))
			}
			if !ready {
				continue
			}
			if next, ok := m.Step(s, &e.Ops[i].Label); ok && from(next, taken|1<<i) {
				return true
			}
		}
		return false
	}
	return from(m.Init(), 0)
}

// shortest is the first prefix that is not linearizable, or 0.
func shortest(m wgl.Model, e *history.Execution) int {
	if linearizable(m, e) {
		return 0
	}
	for n := 1; ; n++ {
		if !linearizable(m, e.Prefix(n)) {
			return n
		}
	}
}

func text(e *history.Execution) string {
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
