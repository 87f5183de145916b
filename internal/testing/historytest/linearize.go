package historytest

import (
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Linearizable reports whether there is a linearization that the model admits:
// each completed operation takes effect once, between call and return, and
// answers as it did; each pending one takes effect after its call, with any
// answer, or not at all. It tries all orders, and remembers only from where
// there was no way on. Executions have at most 64 operations.
func (m Model) Linearizable(e *history.Execution) bool {
	if len(e.Ops) > 64 {
		panic("historytest: more than 64 operations")
	}
	return m.search(e).from(point{})
}

// search prepares one of an execution.
func (m Model) search(e *history.Execution) *search {
	s := &search{model: m, e: e, before: make([]uint64, len(e.Ops)), failed: map[point]bool{}}
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			s.completed |= 1 << i
		}
		for j := range e.Ops {
			if e.Before(j, i) {
				s.before[i] |= 1 << j
			}
		}
	}
	return s
}

type search struct {
	model     Model
	e         *history.Execution
	completed uint64
	before    []uint64 // by operation, those that returned before its call
	failed    map[point]bool
}

// point is how far a linearization has come.
type point struct {
	done  uint64
	state string
}

func (s *search) from(p point) bool {
	if s.completed&^p.done == 0 {
		return true
	}
	if s.failed[p] {
		return false
	}
	for i := range s.e.Ops {
		if p.done>>i&1 == 1 || s.before[i]&^p.done != 0 {
			continue
		}
		o := &s.e.Ops[i]
		for _, w := range s.model(p.state, &o.Label) {
			if (!o.Completed() || w.Gives(&o.Label)) && s.from(point{p.done | 1<<i, w.Next}) {
				return true
			}
		}
	}
	s.failed[p] = true
	return false
}

// ShortestViolation is the number of events of the first prefix that is not
// linearizable, or 0.
func (m Model) ShortestViolation(e *history.Execution) int {
	if m.Linearizable(e) {
		return 0
	}
	for n := 1; ; n++ {
		if !m.Linearizable(e.Prefix(n)) {
			return n
		}
	}
}

// Answers lists, in order, what the operation that returns last may answer in the
// linearizations of an execution, whatever it answered there: none if it must wait. It fits if all others
// have a linearization.
func (m Model) Answers(e *history.Execution) (texts []string, fits bool) {
	s, last := m.search(e), 0
	for i := range e.Ops {
		if e.Ops[i].Return > e.Ops[last].Return {
			last = i
		}
	}
	type answering struct {
		point
		answer string
	}
	seen, found := map[answering]bool{}, map[string]bool{}
	var from func(p answering)
	from = func(p answering) {
		if s.completed&^p.done == 0 {
			found[p.answer] = true
		}
		for i := range e.Ops {
			o := &e.Ops[i]
			if p.done>>i&1 == 1 || s.before[i]&^p.done != 0 {
				continue
			}
			for _, w := range m(p.state, &o.Label) {
				next := answering{point{p.done | 1<<i, w.Next}, p.answer}
				if i == last {
					next.answer = (&history.Label{Kind: history.Kind{Method: o.Method, Outcome: w.Outcome}, Args: o.Args, Rets: w.Rets}).String()
				} else if o.Completed() && !w.Gives(&o.Label) {
					continue
				}
				if !seen[next] {
					seen[next] = true
					from(next)
				}
			}
		}
	}
	from(answering{})
	return slices.Sorted(maps.Keys(found)), m.Linearizable(e.Prefix(e.Ops[last].Return))
}
