package check_test

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// isLinearization says the slow way whether an order is one: each pair of
// operations is compared, and the model is run.
func isLinearization(m historytest.Model, e *history.Execution, order []evidence.Taken) bool {
	at := map[string]int{}
	for i, t := range order {
		if _, twice := at[t.Op]; twice {
			return false
		}
		at[t.Op] = i
	}
	known := 0
	for i := range e.Ops {
		a, taken := at[e.Ops[i].ID]
		if e.Ops[i].Completed() && !taken {
			return false
		}
		if taken {
			known++
		}
		for j := range e.Ops {
			b, both := at[e.Ops[j].ID]
			if taken && both && e.Before(i, j) && a > b {
				return false
			}
		}
	}
	var labels []history.Label
	for _, t := range order {
		i := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.ID == t.Op })
		if i < 0 {
			return false
		}
		l := e.Ops[i].Label
		if e.Ops[i].Completed() {
			if t.Outcome != "" || len(t.Rets) > 0 {
				return false
			}
		} else {
			l.Outcome, l.Rets = t.Outcome, t.Rets
		}
		labels = append(labels, l)
	}
	return known == len(order) && m.AdmitsAll(labels)
}

// meaning decides derivations the slow way: it goes through all orders of the
// operations, and all answers of those that are pending.
type meaning struct {
	t        *theory.Theory
	e        *history.Execution // the prefix
	ids      map[string]int
	targets  []formula.Formula
	readOnly formula.Formula
	orders   [][]int // by operation, its place in the order
	answers  []*answers
	worlds   []*possible
}

// answers is one way for the pending operations to answer, or not to take effect.
type answers struct {
	*meaning
	labels []history.Label
	there  []bool
	match  []int
	may    [][]bool // by two operations: the second may be the match target of the first
	reads  []bool
}

// possible is one order and one way to answer.
type possible struct {
	*answers
	at []int
}

// newMeaning lists all worlds; nil if there are too many.
func newMeaning(t *theory.Theory, e *history.Execution, most int) *meaning {
	m := &meaning{t: t, e: e, ids: map[string]int{}, readOnly: formula.Const(false)}
	var values []history.Value
	for i := range e.Ops {
		m.ids[e.Ops[i].ID] = i
		for _, v := range slices.Concat(e.Ops[i].Args, e.Ops[i].Rets) {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if !e.Ops[i].Completed() {
			values = append(values, history.Value("fresh "+strconv.Itoa(i)))
		}
	}
	for _, f := range t.Spec.Matching.Target {
		m.targets = append(m.targets, formula.Expand(f, t.Vocabulary()))
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		m.readOnly = formula.Expand(f, t.Vocabulary())
	}
	if !m.order(nil, most) {
		return nil
	}
	m.answer(&answers{meaning: m}, values)
	if len(m.orders)*len(m.answers) > most {
		return nil
	}
	for _, a := range m.answers {
		for _, at := range m.orders {
			m.worlds = append(m.worlds, &possible{a, at})
		}
	}
	return m
}

// order extends an order by each operation that may come next.
func (m *meaning) order(order []int, most int) bool {
	if len(m.orders) > most {
		return false
	}
	if len(order) == len(m.e.Ops) {
		at := make([]int, len(order))
		for place, op := range order {
			at[op] = place
		}
		m.orders = append(m.orders, at)
		return true
	}
	for i := range m.e.Ops {
		next := !slices.Contains(order, i)
		for j := range m.e.Ops {
			next = next && (slices.Contains(order, j) || !m.e.Before(j, i))
		}
		if next && !m.order(append(slices.Clone(order), i), most) {
			return false
		}
	}
	return true
}

// answer extends answers by the next operation's, or leaves that one out.
func (m *meaning) answer(a *answers, values []history.Value) {
	n := len(a.labels)
	if n == len(m.e.Ops) {
		if a.complete() {
			m.answers = append(m.answers, a)
		}
		return
	}
	with := func(l history.Label, there bool) {
		m.answer(&answers{meaning: m, labels: append(slices.Clone(a.labels), l), there: append(slices.Clone(a.there), there)}, values)
	}
	o := &m.e.Ops[n]
	if with(o.Label, o.Completed()); o.Completed() {
		return
	}
	for _, mt := range m.t.Spec.Methods {
		for _, out := range mt.Outcomes {
			l := o.Label
			l.Outcome = out.Outcome
			switch {
			case mt.Name != o.Method:
			case out.Rets == 0:
				with(l, true)
			default: // no type of the tests returns more than one value
				for _, v := range values {
					l.Rets = []history.Value{v}
					with(l, true)
				}
			}
		}
	}
}

// complete finds out what matches what. It reports whether the theory speaks of
// that: no operation has two targets, and no axiom about labels is broken by
// what a pending one answers.
func (a *answers) complete() bool {
	w := &possible{answers: a}
	for i := range a.labels {
		env := map[string]int{"x": i}
		a.reads = append(a.reads, formula.Eval(a.readOnly, w, env))
		a.may, a.match = append(a.may, make([]bool, len(a.labels))), append(a.match, history.Unmatched)
		for _, f := range a.targets {
			targets := 0
			for j := range a.labels {
				if env["y"] = j; a.there[i] && a.there[j] && formula.Eval(f, w, env) {
					if a.may[i][j] = true; a.match[i] == history.Unmatched || targets > 0 {
						a.match[i] = j
						targets++
					}
				}
			}
			if targets > 1 {
				return false
			}
		}
	}
	for _, x := range a.t.Spec.Axioms {
		q := x.Formula.(formula.Quantified)
		for i := range a.labels {
			if a.there[i] && !a.e.Ops[i].Completed() && !formula.Eval(q.Body, w, map[string]int{q.Vars[0]: i}) {
				return false
			}
		}
	}
	return true
}

func (w *possible) Len() int                   { return len(w.labels) }
func (w *possible) Label(i int) *history.Label { return &w.labels[i] }
func (w *possible) Before(i, j int) bool       { return w.there[i] && w.there[j] && w.at[i] < w.at[j] }
func (w *possible) Completed(i int) bool       { return w.there[i] }
func (w *possible) ReadOnly(i int) bool        { return w.reads[i] }
func (w *possible) Match(i int) int            { return w.match[i] }

// holds reports whether a fact is true in the world.
func (w *possible) holds(f evidence.Fact) bool {
	a, b := w.ids[f.A], w.ids[f.B]
	took := w.there[a] && w.labels[a].Outcome == f.Outcome && (a == b || w.may[a][b])
	switch f.Is {
	case evidence.Before:
		return a != b && w.at[a] < w.at[b]
	case evidence.Took:
		return took
	}
	return !took
}

// shows reports whether operations show a pattern in the world, or break an axiom.
func (w *possible) shows(name string, ops []string) bool {
	for i := range w.t.Spec.Patterns {
		p := &w.t.Spec.Patterns[i]
		if p.Name != name {
			continue
		}
		f := p.Formula
		if f == nil {
			f = formula.Embed(&p.History)
		}
		q := f.(formula.Quantified)
		env := map[string]int{}
		for k, id := range ops {
			op, ok := w.ids[id]
			if !ok || k >= len(q.Vars) {
				return false
			}
			env[q.Vars[k]] = op
		}
		return len(env) == len(q.Vars) && formula.Eval(formula.Expand(q.Body, w.t.Vocabulary()), w, env)
	}
	for _, a := range w.t.Spec.Axioms {
		q := a.Formula.(formula.Quantified)
		if op, ok := w.ids[ops[0]]; ok && a.Name == name && len(ops) == 1 {
			return w.there[op] && !formula.Eval(q.Body, w, map[string]int{q.Vars[0]: op})
		}
	}
	return false
}

// isProof reports whether each step of a derivation follows: in every world in
// which the facts before it hold and its own does not, the operations that it
// names show the pattern. For a step through operations there is no such world.
func (m *meaning) isProof(steps []evidence.Step) bool {
	worlds := [][]*possible{m.worlds} // in which the facts known hold; the innermost supposition last
	var open []evidence.Fact
	with := func(ws []*possible, f evidence.Fact) (those []*possible) {
		for _, w := range ws {
			if w.holds(f) {
				those = append(those, w)
			}
		}
		return those
	}
	for i := range steps {
		s, n := &steps[i], len(worlds)-1
		if s.Suppose {
			open, worlds = append(open, s.Fact), append(worlds, with(worlds[n], s.Fact))
			continue
		}
		counter := worlds[n]
		if s.Fact.Is != evidence.Contradiction {
			counter = with(counter, s.Fact.Opposite())
		}
		for _, w := range counter {
			if s.By == "" || !w.shows(s.By, s.Ops) {
				return false
			}
		}
		switch {
		case s.Fact.Is != evidence.Contradiction:
			worlds[n] = with(worlds[n], s.Fact)
		case n == 0:
			return i == len(steps)-1
		default:
			worlds[n-1] = with(worlds[n-1], open[n-1].Opposite())
			open, worlds = open[:n-1], worlds[:n]
		}
	}
	return false
}
