package automata

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// machine is an automaton with what is known of it before it runs.
type machine struct {
	*Automaton
	methods []string
	at      [][][]ready // by location and method
	named   []history.Value
	readers []history.Kind // operations that change nothing, wherever they come
	open    []string       // methods that may answer any value
	values  *valueTypes    // where values must be integers
	sight   *sight         // nil: all values of a label matter
	known   []history.Value
	guesses bool // a register may hold a free value
	sizes   bool // some register is compared by its size
}

// ready is a transition of a machine.
type ready struct {
	*Transition
	idle   bool // it changes nothing
	frees  bool // it answers a free value
	guess  bool // and a register holds it afterwards
	counts bool
	kind   history.Kind
}

// Machine is the automaton ready to run, where many steps are to be made.
func (a *Automaton) Machine() semantics.Machine {
	m := &machine{Automaton: a, named: a.named(), values: valueTypesOf(a), sight: newSight(a)}
	for i := range a.Methods {
		m.methods = append(m.methods, a.Methods[i].Name)
	}
	changing := map[history.Kind]bool{}
	for i := range a.Locations {
		l := &a.Locations[i]
		byMethod := make([][]ready, len(m.methods))
		for j := range l.Transitions {
			t := a.ready(i, &l.Transitions[j])
			if n := slices.Index(m.methods, t.Method); n >= 0 {
				byMethod[n] = append(byMethod[n], t)
			}
			m.guesses = m.guesses || t.guess
			m.sizes = m.sizes || slices.ContainsFunc(t.Guard, func(c Condition) bool {
				return (c.Op == Less || c.Op == AtLeast) && (c.Left.Kind == Register || c.Right.Kind == Register)
			})
			if t.Blocks {
				continue
			}
			if !t.idle {
				changing[t.kind] = true
			}
			if t.frees && !slices.Contains(m.open, t.Method) {
				m.open = append(m.open, t.Method)
			}
			if !slices.Contains(m.readers, t.kind) {
				m.readers = append(m.readers, t.kind)
			}
		}
		m.at = append(m.at, byMethod)
	}
	m.readers = slices.DeleteFunc(m.readers, func(k history.Kind) bool { return changing[k] })
	if keys, ok := m.keyArguments(); ok {
		return local{m, keys}
	}
	return m
}

// ready notes what a transition of a location does.
func (a *Automaton) ready(location int, own *Transition) ready {
	t := ready{Transition: own, idle: own.To == location, kind: history.Kind{Method: own.Method, Outcome: own.Outcome}}
	for i, term := range t.Load {
		t.idle = t.idle && term.Kind == Register && term.Index == i
		t.guess = t.guess || term.Kind == Answer && t.Rets[term.Index].free()
	}
	t.frees = slices.ContainsFunc(t.Rets, func(x Term) bool { return x.free() })
	for _, c := range a.Counters {
		t.counts = t.counts || slices.Contains(c.Reset, t.kind) ||
			slices.ContainsFunc(c.Adds, func(a Add) bool { return a.Kind == t.kind && (a.Times != 0 || c.Greatest) })
	}
	t.idle = t.idle && !t.counts
	return t
}

// Init is the state before the first call.
func (m *machine) Init() semantics.State { return &state{State: m.Start()} }

// ReadOnly reports whether an operation changes nothing, in whatever state.
func (m *machine) ReadOnly(l *history.Label) bool { return slices.Contains(m.readers, l.Kind) }

// Free reports whether calls of a method may answer any value.
func (m *machine) Free(method string) bool { return slices.Contains(m.open, method) }

// For knows the values of an execution, if calls may answer some that are free.
func (m *machine) For(e *history.Execution) semantics.Machine {
	if len(m.open) == 0 {
		return m
	}
	return m.knowing(e)
}

func (m *machine) knowing(e *history.Execution) *machine {
	own := *m
	own.known = semantics.ValuesOf(e.Ops)
	return &own
}

// Step is the state after an operation. Of one that has not answered it is one of
// those that Branches lists.
func (m *machine) Step(s semantics.State, l *history.Label) (semantics.State, bool) {
	from := s.(*state)
	t := m.taken(from, l)
	switch {
	case t == nil || t.Blocks:
		return nil, false
	case l.Outcome == history.Pending && t.guess:
		all := m.Branches(s, l)
		if len(all) == 0 {
			return nil, false
		}
		return all[0], true
	case l.Outcome != history.Pending && !m.answered(&from.State, t.Transition, l, m.named):
		return nil, false
	}
	return m.to(from, t, l), true
}

// Branches are the states after a call that has not answered.
func (m *machine) Branches(s semantics.State, l *history.Label) (all []semantics.State) {
	from := s.(*state)
	t := m.taken(from, l)
	switch {
	case t == nil || t.Blocks:
	case !t.guess:
		all = append(all, m.to(from, t, l))
	default:
		for _, l := range m.all(from, t, l) {
			all = append(all, m.to(from, t, &l))
		}
	}
	return all
}

// to is the state after a transition.
func (m *machine) to(s *state, t *ready, l *history.Label) semantics.State {
	if t.idle {
		return s
	}
	next := m.after(&s.State, t.Transition, l.Args, l.Rets)
	if t.counts {
		m.count(&next.State, t.kind, l.Args)
	}
	return next
}

// Answer is the label of a call with its answer, if that is determined.
func (m *machine) Answer(s semantics.State, call *history.Label) (history.Label, bool) {
	from := s.(*state)
	t := m.taken(from, call)
	if t == nil || t.Blocks {
		return history.Label{}, false
	}
	return m.answer(&from.State, t.Transition, call), true
}

// Answers lists what a call may answer.
func (m *machine) Answers(s semantics.State, call *history.Label) []history.Label {
	from := s.(*state)
	t := m.taken(from, call)
	if t == nil || t.Blocks {
		return nil
	}
	return m.all(from, t, call)
}

// all lists those of a transition.
func (m *machine) all(s *state, t *ready, call *history.Label) []history.Label {
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
func (m *machine) candidates(s *state, term Term, args []history.Value) (some []history.Value) {
	if !term.free() {
		return []history.Value{m.value(&s.State, &term, args, nil)}
	}
	other := func(v history.Value) bool {
		return !slices.Contains(s.Registers, v) && !slices.Contains(args, v) && !slices.Contains(m.named, v)
	}
	for _, v := range m.known {
		if term.Kind == Any || other(v) {
			some = append(some, v)
		}
	}
	if term.Kind == Any {
		for _, v := range slices.Concat(s.Registers, m.named) {
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

// taken is the transition that a call takes; nil if the automaton has none.
func (m *machine) taken(s *state, l *history.Label) *ready {
	n := 0
	for n < len(m.methods) && m.methods[n] != l.Method {
		n++
	}
	if n == len(m.methods) || len(l.Args) != m.Methods[n].Args {
		return nil
	}
	all := m.at[s.Location][n]
	for i := range all {
		if m.admits(&s.State, all[i].Transition, l.Args) {
			return &all[i]
		}
	}
	return nil
}

// Guesses reports whether a register may hold a free value, Unclear whether its size may matter.
func (m *machine) Guesses() bool { return m.guesses }
func (m *machine) Unclear() bool { return m.guesses && m.sizes }

// AnyValues reports whether no value is refused.
func (m *machine) AnyValues() bool { return m.values.any() }

// Refuses says which value of a label is none that the automaton can take.
func (m *machine) Refuses(l *history.Label) error { return m.values.refuses(l) }

// Text is "held, key = 3": the location, and what registers and counters hold.
func (m *machine) Text(s semantics.State) string {
	at := s.(*state)
	l := &m.Locations[at.Location]
	var words []string
	if len(m.Locations) > 1 {
		words = append(words, l.Name)
	}
	for i, v := range at.Registers {
		words = append(words, fmt.Sprintf("%s = %s", l.Registers[i], v))
	}
	for i, c := range m.Counters {
		if !c.Keyed {
			words = append(words, fmt.Sprintf("%s = %d", c.Name, at.Counters[i]))
			continue
		}
		for k, n := range at.Keyed[i].All() {
			words = append(words, fmt.Sprintf("%s of %s = %d", c.Name, k, n))
		}
	}
	return cmp.Or(strings.Join(words, ", "), l.Name)
}

// Anywhere yields all states that the automaton may be in if its registers hold some values,
// values that it names, or others, which are all alike. It is false if it counts, or does more
// with values than compare texts that are there.
func (m *machine) Anywhere(values []history.Value) (iter.Seq[semantics.State], bool) {
	if len(m.Counters) > 0 {
		return nil, false
	}
	for _, l := range m.Locations {
		for _, t := range l.Transitions {
			if slices.ContainsFunc(t.Guard, func(c Condition) bool { return c.Op == Less || c.Op == AtLeast }) ||
				slices.ContainsFunc(t.Terms(), func(x Term) bool { return x.Kind == Total }) {
				return nil, false
			}
		}
	}
	values = slices.Concat(values, m.named)
	slices.Sort(values)
	values = slices.Compact(values)
	other := "other"
	for _, v := range values {
		for strings.HasPrefix(string(v), other) {
			other += "'"
		}
	}
	return func(yield func(semantics.State) bool) {
		for at := range m.Locations {
			for registers := range fillings(values, history.Value(other), len(m.Locations[at].Registers), nil, 0) {
				if !yield(&state{State: State{Location: at, Registers: registers, Counters: []int64{}}}) {
					return
				}
			}
		}
	}, true
}

// fillings yields what n registers may hold: values, and others, used so many so far,
// which are alike.
func fillings(values []history.Value, other history.Value, n int, so []history.Value, used int) func(yield func([]history.Value) bool) {
	return func(yield func([]history.Value) bool) {
		if n == 0 {
			yield(slices.Clone(so))
			return
		}
		try := func(v history.Value, used int) bool {
			for filling := range fillings(values, other, n-1, append(slices.Clip(so), v), used) {
				if !yield(filling) {
					return false
				}
			}
			return true
		}
		for _, v := range values {
			if !try(v, used) {
				return
			}
		}
		for k := range used + 1 {
			if !try(history.Value(fmt.Sprintf("%s %d", other, k)), max(used, k+1)) {
				return
			}
		}
	}
}
