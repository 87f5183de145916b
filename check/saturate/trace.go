package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/check/clauses"
	"github.com/adtinfer/adtinfer/history"
)

// Reason is one thing that a monitor found out, and why. Operations are named by
// the events of their calls, from 0.
type Reason struct {
	Is ReasonKind

	A, B int          // Before: A comes before B. Returns: A returns with target B, or -1. Else what contradicts
	Kind history.Kind // of Returns: how A returns

	Patterns []string // that force it; none if the order alone does, or probing
	Because  []int    // what it rests on besides the intervals: earlier reasons, by index
}

// ReasonKind says what a Reason says.
type ReasonKind string

const (
	// Before: operation A comes before operation B.
	Before ReasonKind = "before"
	// Returns: running operation A must return as Kind, with match target B.
	Returns ReasonKind = "returns"
	// Contradiction: what the reasons before it lead to.
	Contradiction ReasonKind = "contradiction"
)

// tracing collects reasons.
type tracing struct {
	steps    []Reason
	of       map[[2]int]int // steps by what they say: A and B, or A and -1 for a return
	premises []int          // of what comes next
}

// rest notes that what comes next rests on "a before b", if that is no interval's
// doing.
func (m *Monitor) rest(a, b int32) {
	m.restOn(m.ops[a].call, m.ops[b].call)
}

func (m *Monitor) restOn(a, b int) {
	if i, ok := m.tracing.of[[2]int{a, b}]; ok && !slices.Contains(m.tracing.premises, i) {
		m.tracing.premises = append(m.tracing.premises, i)
	}
}

// restOnInstance notes the known links of an instance and that running
// operations are in it.
func (m *Monitor) restOnInstance(in *instance, cl *clauses.Clause) {
	if !m.o.Trace || m.probing.on {
		return
	}
	t := &m.tracing
	t.premises = t.premises[:0]
	ops := in.ops[:len(cl.Positions)]
	if in.once {
		for i, p := range cl.Positions {
			ops[i] = m.matches[in.groups[p.Group]].slots[m.r.Kinds[p.Kind].Slot]
		}
	}
	for i, p := range cl.Positions {
		for _, l := range p.Links {
			if l.After {
				m.rest(ops[l.From], ops[i])
			} else {
				m.rest(ops[i], ops[l.From])
			}
		}
		m.restOn(m.ops[ops[i]].call, -1)
	}
}

// step adds a reason that rests on the premises noted.
func (m *Monitor) step(r Reason) {
	t := &m.tracing
	if t.of == nil {
		t.of = map[[2]int]int{}
	}
	r.Because = slices.Clone(t.premises)
	slices.Sort(r.Because)
	t.premises = t.premises[:0]
	key := [2]int{r.A, r.B}
	if r.Is == Returns {
		key[1] = -1
	}
	if r.Is != Contradiction {
		t.of[key] = len(t.steps)
	}
	t.steps = append(t.steps, r)
}

// traceOrder records that a comes before b.
func (m *Monitor) traceOrder(a, b int32, why because) {
	if !m.o.Trace || m.probing.on {
		return
	}
	m.restOnOrder(a, b, why)
	m.step(Reason{Is: Before, A: m.ops[a].call, B: m.ops[b].call, Patterns: m.r.PatternsOf(why.rule)})
}

func (m *Monitor) restOnOrder(a, b int32, why because) {
	if why.rule < 0 {
		m.tracing.premises = m.tracing.premises[:0]
	}
	if why.rule == transitive {
		m.rest(a, why.via)
		m.rest(why.via, b)
	}
}

// traceReturn records that running operation x must return into match y.
func (m *Monitor) traceReturn(x, y int32) {
	if !m.o.Trace || m.probing.on {
		return
	}
	o, t := &m.ops[x], &m.matches[y]
	if o.why < 0 {
		m.tracing.premises = m.tracing.premises[:0]
	}
	r := Reason{Is: Returns, A: o.call, B: -1, Kind: m.r.Kinds[o.kind].Kind, Patterns: m.r.PatternsOf(o.why)}
	if t.shape >= 0 {
		r.B = m.ops[t.slots[0]].call
	}
	m.step(r)
}

// explain lists what a verdict rests on, and the verdict.
func (m *Monitor) explain(v verdict) []Reason {
	if !m.o.Trace {
		return nil
	}
	r := Reason{Is: Contradiction, A: -1, B: -1, Patterns: m.blame(v)}
	t := &m.tracing
	switch {
	case v.clause > 0:
	case v.pattern > 0 || v.axiom > 0:
		t.premises = t.premises[:0]
		r.A = m.ops[v.a].call
	case v.mismatch:
		t.premises = t.premises[:0]
		r.A = m.ops[v.a].call
		m.restOn(r.A, -1)
	default:
		m.restOnOrder(v.a, v.b, v.why)
		m.rest(v.b, v.a)
		r.A, r.B = m.ops[v.a].call, m.ops[v.b].call
	}
	m.step(r)
	return slice(t.steps)
}

// slice is the steps that the last one rests on.
func slice(steps []Reason) []Reason {
	needed := make([]bool, len(steps))
	needed[len(steps)-1] = true
	for i := len(steps) - 1; i >= 0; i-- {
		if needed[i] {
			for _, j := range steps[i].Because {
				needed[j] = true
			}
		}
	}
	number := make([]int, len(steps))
	var kept []Reason
	for i, s := range steps {
		if !needed[i] {
			continue
		}
		number[i] = len(kept)
		for k, j := range s.Because {
			s.Because[k] = number[j]
		}
		kept = append(kept, s)
	}
	return kept
}
