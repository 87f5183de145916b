package models

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
)

// machine is a compiled automaton.
type machine struct {
	*automata.Automaton
	methods   []string
	at        [][][]transition // by location and method
	constants []history.Value
	readers   []history.Kind         // operations that change nothing, wherever they come
	free      []string               // methods that may answer any value
	values    *configurations.Values // where values must be integers
	sight     *sight                 // nil: all values of a label matter
	known     []history.Value
	unclear   bool // a value that a pending call may have answered is compared by its size
}

// transition is a compiled one.
type transition struct {
	*automata.Transition
	idle   bool // it changes nothing
	frees  bool // it answers a free value
	guess  bool // and a register holds it afterwards
	counts bool
	kind   history.Kind
}

func compile(a *automata.Automaton) *machine {
	m := &machine{Automaton: a}
	for i := range a.Methods {
		m.methods = append(m.methods, a.Methods[i].Name)
	}
	changing := map[history.Kind]bool{}
	for i := range a.Locations {
		l := &a.Locations[i]
		byMethod := make([][]transition, len(m.methods))
		for j := range l.Transitions {
			t := transition{Transition: &l.Transitions[j]}
			t.kind = history.Kind{Method: t.Method, Outcome: t.Outcome}
			m.look(i, &t)
			if n := slices.Index(m.methods, t.Method); n >= 0 {
				byMethod[n] = append(byMethod[n], t)
			}
			if t.Blocks {
				continue
			}
			if !t.idle {
				changing[t.kind] = true
			}
			if t.frees && !slices.Contains(m.free, t.Method) {
				m.free = append(m.free, t.Method)
			}
			if !slices.Contains(m.readers, t.kind) {
				m.readers = append(m.readers, t.kind)
			}
		}
		m.at = append(m.at, byMethod)
	}
	m.readers = slices.DeleteFunc(m.readers, func(k history.Kind) bool { return changing[k] })
	m.values, m.sight = configurations.NewValues(a), newSight(a)
	m.unclear = m.guesses() && m.sizes()
	return m
}

// guesses reports whether a register may hold a free value.
func (m *machine) guesses() bool {
	return m.some(func(t *transition) bool { return t.guess })
}

// sizes reports whether some register is compared by its size.
func (m *machine) sizes() bool {
	return m.some(func(t *transition) bool {
		return slices.ContainsFunc(t.Guard, func(c automata.Condition) bool {
			return (c.Op == automata.Less || c.Op == automata.AtLeast) && (c.Left.Kind == automata.Register || c.Right.Kind == automata.Register)
		})
	})
}

func (m *machine) some(is func(*transition) bool) bool {
	for _, methods := range m.at {
		for _, all := range methods {
			for i := range all {
				if is(&all[i]) {
					return true
				}
			}
		}
	}
	return false
}

// look notes what a transition of a location does.
func (m *machine) look(location int, t *transition) {
	t.idle = t.To == location
	for i, term := range t.Load {
		t.idle = t.idle && term.Kind == automata.Register && term.Index == i
		t.guess = t.guess || term.Kind == automata.Answer && isFree(t.Rets[term.Index])
	}
	t.frees = slices.ContainsFunc(t.Rets, isFree)
	for _, c := range m.Counters {
		t.counts = t.counts || slices.Contains(c.Reset, t.kind) || slices.ContainsFunc(c.Adds, func(a automata.Add) bool { return a.Kind == t.kind && a.Times != 0 })
		for _, add := range c.Adds {
			if add.Where > 0 && !slices.Contains(m.constants, add.Is) {
				m.constants = append(m.constants, add.Is)
			}
		}
	}
	t.idle = t.idle && !t.counts
	for _, x := range configurations.TermsOf(t.Transition) {
		if x.Kind == automata.Constant && !slices.Contains(m.constants, x.Value) {
			m.constants = append(m.constants, x.Value)
		}
	}
}

func isFree(t automata.Term) bool { return t.Kind == automata.Fresh || t.Kind == automata.Any }

// Init is the state before the first call.
func (m *machine) Init() wgl.State {
	s := &state{registers: m.Initial, counters: make([]int64, len(m.Counters))}
	for i, c := range m.Counters {
		s.counters[i] = c.Start
		if c.Keyed {
			s.keyed = make([]tally, len(m.Counters))
		}
	}
	return s
}

// ReadOnly reports whether an operation changes nothing, in whatever state.
func (m *machine) ReadOnly(l *history.Label) bool { return slices.Contains(m.readers, l.Kind) }

// Free reports whether calls of a method may answer any value.
func (m *machine) Free(method string) bool { return slices.Contains(m.free, method) }

// For knows the values of an execution, if calls may answer some that are free.
func (m *machine) For(e *history.Execution) Model {
	if len(m.free) == 0 {
		return m
	}
	return m.knowing(e)
}

func (m *machine) knowing(e *history.Execution) *machine {
	own := *m
	own.known = ground.ValuesOf(e.Ops)
	return &own
}

// Step is the state after an operation. Of one that has not answered it is one of
// those that Branches lists.
func (m *machine) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	from := s.(*state)
	t := m.transition(from, l)
	switch {
	case t == nil || t.Blocks:
		return nil, false
	case l.Outcome == history.Pending && t.guess:
		all := m.Branches(s, l)
		if len(all) == 0 {
			return nil, false
		}
		return all[0], true
	case l.Outcome != history.Pending && !m.answered(from, t, l):
		return nil, false
	case t.idle:
		return s, true
	}
	return m.after(from, t, l.Args, l.Rets), true
}

// Branches are the states after a call that has not answered.
func (m *machine) Branches(s wgl.State, l *history.Label) (all []wgl.State) {
	from := s.(*state)
	t := m.transition(from, l)
	switch {
	case t == nil || t.Blocks:
	case !t.guess:
		all = append(all, m.after(from, t, l.Args, l.Rets))
	default:
		for _, l := range m.answers(from, t, l) {
			all = append(all, m.after(from, t, l.Args, l.Rets))
		}
	}
	return all
}

// Answers lists what a call may answer.
func (m *machine) Answers(s wgl.State, call *history.Label) []history.Label {
	from := s.(*state)
	t := m.transition(from, call)
	if t == nil || t.Blocks {
		return nil
	}
	return m.answers(from, t, call)
}

// answers lists those of a transition.
func (m *machine) answers(s *state, t *transition, call *history.Label) []history.Label {
	all := [][]history.Value{nil}
	for _, term := range t.Rets {
		some := m.candidates(s, term, call.Args)
		var longer [][]history.Value
		for _, rets := range all {
			for _, v := range some {
				longer = append(longer, append(slices.Clip(rets), v))
			}
		}
		all = longer
	}
	labels := make([]history.Label, len(all))
	for i, rets := range all {
		labels[i] = history.Label{Kind: t.kind, Args: call.Args, Rets: rets}
	}
	return labels
}

// candidates are the values that a place of an answer may have. Of free ones they are
// those that are known, and one that is not.
func (m *machine) candidates(s *state, term automata.Term, args []history.Value) (some []history.Value) {
	if !isFree(term) {
		return []history.Value{m.value(s, &term, args, nil)}
	}
	other := func(v history.Value) bool {
		return !slices.Contains(s.registers, v) && !slices.Contains(args, v) && !slices.Contains(m.constants, v)
	}
	for _, v := range m.known {
		if term.Kind == automata.Any || other(v) {
			some = append(some, v)
		}
	}
	if term.Kind == automata.Any {
		for _, v := range slices.Concat(s.registers, m.constants) {
			if !slices.Contains(some, v) {
				some = append(some, v)
			}
		}
	}
	for n := 0; ; n++ {
		if v := history.Value("?" + strconv.Itoa(n)); other(v) && !slices.Contains(m.known, v) {
			return append(some, v)
		}
	}
}

// transition is the one that a call takes; nil if the automaton has none.
func (m *machine) transition(s *state, l *history.Label) *transition {
	n := 0
	for n < len(m.methods) && m.methods[n] != l.Method {
		n++
	}
	if n == len(m.methods) || len(l.Args) != m.Methods[n].Args {
		return nil
	}
	all := m.at[s.location][n]
next:
	for i := range all {
		guard := all[i].Guard
		for j := range guard {
			if !m.holds(s, &guard[j], l.Args) {
				continue next
			}
		}
		return &all[i]
	}
	return nil
}

func (m *machine) holds(s *state, c *automata.Condition, args []history.Value) bool {
	if c.Op == automata.Equal || c.Op == automata.Differs {
		return m.same(s, &c.Left, &c.Right, args) == (c.Op == automata.Equal)
	}
	x, okX := m.number(s, &c.Left, args)
	y, okY := m.number(s, &c.Right, args)
	return okX && okY && (x < y) == (c.Op == automata.Less)
}

// same reports whether two terms are the same text.
func (m *machine) same(s *state, a, b *automata.Term, args []history.Value) bool {
	if a.Kind == automata.Total {
		a, b = b, a
	}
	return m.is(s, b, m.value(s, a, args, nil), args)
}

// is reports whether a term is a text.
func (m *machine) is(s *state, t *automata.Term, v history.Value, args []history.Value) bool {
	if t.Kind != automata.Total {
		return m.value(s, t, args, nil) == v
	}
	n, ok := m.total(s, &t.Sum, args)
	if !ok {
		return v == ""
	}
	var digits [20]byte
	return string(strconv.AppendInt(digits[:0], n, 10)) == string(v)
}

// number is a term as an integer.
func (m *machine) number(s *state, t *automata.Term, args []history.Value) (int64, bool) {
	if t.Kind == automata.Total {
		return m.total(s, &t.Sum, args)
	}
	n, err := strconv.ParseInt(string(m.value(s, t, args, nil)), 10, 64)
	return n, err == nil
}

// total is a sum; false if an argument is no integer.
func (m *machine) total(s *state, sum *automata.Sum, args []history.Value) (int64, bool) {
	n := sum.Constant
	for i := range sum.Terms {
		switch x := &sum.Terms[i]; {
		case x.Counter < 0:
			v, err := strconv.ParseInt(string(args[x.Arg]), 10, 64)
			if err != nil {
				return 0, false
			}
			n += x.Times * v
		case m.Counters[x.Counter].Keyed:
			n += x.Times * s.keyed[x.Counter].get(args[x.Key], m.Counters[x.Counter].Start)
		default:
			n += x.Times * s.counters[x.Counter]
		}
	}
	return n, true
}

// value is a term's; that of a free one is "".
func (m *machine) value(s *state, t *automata.Term, args, rets []history.Value) history.Value {
	switch t.Kind {
	case automata.Register:
		return s.registers[t.Index]
	case automata.Argument:
		return args[t.Index]
	case automata.Constant:
		return t.Value
	case automata.Answer:
		return rets[t.Index]
	case automata.Total:
		if n, ok := m.total(s, &t.Sum, args); ok {
			return history.Value(strconv.FormatInt(n, 10))
		}
	}
	return ""
}

// answered reports whether a label answers as a transition does.
func (m *machine) answered(s *state, t *transition, l *history.Label) bool {
	if l.Outcome != t.Outcome || len(l.Rets) != len(t.Rets) {
		return false
	}
	for i := range t.Rets {
		v := l.Rets[i]
		switch r := &t.Rets[i]; r.Kind {
		case automata.Any:
		case automata.Fresh:
			if slices.Contains(s.registers, v) || slices.Contains(l.Args, v) || slices.Contains(m.constants, v) {
				return false
			}
		default:
			if !m.is(s, r, v, l.Args) {
				return false
			}
		}
	}
	return true
}

// after is the state after a transition. Answers that are missing are those that
// follow from the state.
func (m *machine) after(s *state, t *transition, args, rets []history.Value) wgl.State {
	if t.idle {
		return s
	}
	next := &state{location: int32(t.To), counters: s.counters, keyed: s.keyed}
	next.registers = next.room[:0]
	for i := range t.Load {
		term := &t.Load[i]
		if term.Kind == automata.Answer && len(rets) == 0 {
			term = &t.Rets[term.Index]
		}
		next.registers = append(next.registers, m.value(s, term, args, rets))
	}
	if t.counts {
		next.counters, next.keyed = slices.Clone(s.counters), slices.Clone(s.keyed)
		m.count(next, t.kind, args)
	}
	return next
}

// count has the counters of a new state count an operation.
func (m *machine) count(s *state, k history.Kind, args []history.Value) {
	for i := range m.Counters {
		c := &m.Counters[i]
		for _, add := range c.Adds {
			if add.Kind != k || add.Where > 0 && args[add.Where-1] != add.Is {
				continue
			}
			n := add.Times
			if add.Arg >= 0 {
				x, _ := strconv.ParseInt(string(args[add.Arg]), 10, 64)
				n *= x
			}
			if c.Keyed {
				s.keyed[i] = s.keyed[i].with(c, args[add.Key], n)
			} else {
				s.counters[i] = c.After(s.counters[i], n)
			}
		}
		if slices.Contains(c.Reset, k) {
			s.counters[i] = c.Start
		}
	}
}

// AnyValues reports whether no value is refused.
func (m *machine) AnyValues() bool { return m.values.Any() }

// Refuses says which value of a label is none that the automaton can take.
func (m *machine) Refuses(l *history.Label) error { return m.values.Refuses(l) }
