package automata

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// State is where an automaton is, and what its registers and counters hold. Steps
// do not change it.
type State struct {
	Location  int
	Registers []history.Value
	Counters  []int64 // by counter; of a keyed one it means nothing
	Keyed     []tally // by counter; nil if none is keyed
}

// Start is the state before the first call.
func (a *Automaton) Start() State {
	s := State{Registers: a.Initial, Counters: make([]int64, len(a.Counters))}
	for i, c := range a.Counters {
		s.Counters[i] = c.Start
		if c.Keyed {
			s.Keyed = make([]tally, len(a.Counters))
		}
	}
	return s
}

// Step reports whether the automaton, called as a label says, answers as it says,
// and the state after that. A label with the outcome history.Pending has not
// answered: any answer will do, and where the answer is not determined, next has an
// empty text for its values.
func (a *Automaton) Step(s State, l *history.Label) (next State, ok bool) {
	t := a.transition(&s, l)
	if t == nil || t.Blocks || l.Outcome != history.Pending && !a.answered(&s, t, l, nil) {
		return s, false
	}
	rets := l.Rets
	if l.Outcome == history.Pending {
		rets = nil
	}
	next = a.after(&s, t, l.Args, rets).State
	a.count(&next, history.Kind{Method: t.Method, Outcome: t.Outcome}, l.Args)
	return next, true
}

// Answer is the label of a call with what the automaton answers; its outcome is
// history.Pending if the values are not determined. It is false if the call waits.
func (a *Automaton) Answer(s State, call *history.Label) (history.Label, bool) {
	t := a.transition(&s, call)
	if t == nil || t.Blocks {
		return history.Label{}, false
	}
	return a.answer(&s, t, call), true
}

// answer is a call with what a transition answers.
func (a *Automaton) answer(s *State, t *Transition, call *history.Label) history.Label {
	l := history.Label{Kind: history.Kind{Method: call.Method, Outcome: t.Outcome}, Args: call.Args}
	for i := range t.Rets {
		if t.Rets[i].free() {
			return history.Label{Kind: history.Kind{Method: call.Method, Outcome: history.Pending}, Args: call.Args}
		}
		l.Rets = append(l.Rets, a.value(s, &t.Rets[i], call.Args, nil))
	}
	return l
}

// free reports whether the automaton does not determine a value of an answer.
func (t *Term) free() bool { return t.Kind == Fresh || t.Kind == Any }

// transition is the one whose guard holds; nil if the automaton has none, which a
// valid one has for all arguments that are integers where it adds them up.
func (a *Automaton) transition(s *State, l *history.Label) *Transition {
	all := a.Locations[s.Location].Transitions
	for i := range all {
		if t := &all[i]; t.Method == l.Method && a.admits(s, t, l.Args) {
			return t
		}
	}
	return nil
}

// admits reports whether the guard of a transition holds.
func (a *Automaton) admits(s *State, t *Transition, args []history.Value) bool {
	for i := range t.Guard {
		if !a.holds(s, &t.Guard[i], args) {
			return false
		}
	}
	return true
}

func (a *Automaton) holds(s *State, c *Condition, args []history.Value) bool {
	if c.Op == Equal || c.Op == Differs {
		return a.same(s, &c.Left, &c.Right, args) == (c.Op == Equal)
	}
	x, okX := a.number(s, &c.Left, args)
	y, okY := a.number(s, &c.Right, args)
	return okX && okY && (x < y) == (c.Op == Less)
}

// same reports whether two terms are the same text.
func (a *Automaton) same(s *State, x, y *Term, args []history.Value) bool {
	if x.Kind == Total {
		x, y = y, x
	}
	return a.is(s, y, a.value(s, x, args, nil), args)
}

// is reports whether a term is a text.
func (a *Automaton) is(s *State, t *Term, v history.Value, args []history.Value) bool {
	if t.Kind != Total {
		return a.value(s, t, args, nil) == v
	}
	n, ok := a.total(s, &t.Sum, args)
	if !ok {
		return v == ""
	}
	var digits [20]byte
	return string(strconv.AppendInt(digits[:0], n, 10)) == string(v)
}

// number is a term as an integer.
func (a *Automaton) number(s *State, t *Term, args []history.Value) (int64, bool) {
	if t.Kind == Total {
		return a.total(s, &t.Sum, args)
	}
	n, err := strconv.ParseInt(string(a.value(s, t, args, nil)), 10, 64)
	return n, err == nil
}

// total is a sum; false if an argument is no integer.
func (a *Automaton) total(s *State, sum *Sum, args []history.Value) (int64, bool) {
	n := sum.Constant
	for i := range sum.Terms {
		switch x := &sum.Terms[i]; {
		case x.Counter < 0:
			v, err := strconv.ParseInt(string(args[x.Arg]), 10, 64)
			if err != nil {
				return 0, false
			}
			n += x.Times * v
		case a.Counters[x.Counter].Keyed:
			n += x.Times * s.Keyed[x.Counter].get(args[x.Key], a.Counters[x.Counter].Start)
		default:
			n += x.Times * s.Counters[x.Counter]
		}
	}
	return n, true
}

// value is a term's, before a call with these arguments; rets is what it answers. A
// sum over what is no integer is no value, nor is what is free: "".
func (a *Automaton) value(s *State, t *Term, args, rets []history.Value) history.Value {
	switch t.Kind {
	case Register:
		return s.Registers[t.Index]
	case Argument:
		return args[t.Index]
	case Constant:
		return t.Value
	case Answer:
		return rets[t.Index]
	case Total:
		if n, ok := a.total(s, &t.Sum, args); ok {
			return history.Value(strconv.FormatInt(n, 10))
		}
	}
	return ""
}

// answered reports whether a label answers as a transition does; named are the values that
// the automaton names, nil if nobody has listed them.
func (a *Automaton) answered(s *State, t *Transition, l *history.Label, named []history.Value) bool {
	if l.Outcome != t.Outcome || len(l.Rets) != len(t.Rets) {
		return false
	}
	for i := range t.Rets {
		v := l.Rets[i]
		switch r := &t.Rets[i]; r.Kind {
		case Any:
		case Fresh:
			if named == nil {
				named = a.named()
			}
			if slices.Contains(s.Registers, v) || slices.Contains(l.Args, v) || slices.Contains(named, v) {
				return false
			}
		default:
			if !a.is(s, r, v, l.Args) {
				return false
			}
		}
	}
	return true
}

// after is the state after a transition, but for counters. Answers that are missing are those that
// follow from the state.
func (a *Automaton) after(s *State, t *Transition, args, rets []history.Value) *state {
	next := &state{State: State{Location: t.To, Counters: s.Counters, Keyed: s.Keyed}}
	next.Registers = next.room[:0]
	for i := range t.Load {
		term := &t.Load[i]
		if term.Kind == Answer && len(rets) == 0 {
			term = &t.Rets[term.Index]
		}
		next.Registers = append(next.Registers, a.value(s, term, args, rets))
	}
	return next
}

// count has the counters of a new state, which are another's still, count an operation.
func (a *Automaton) count(s *State, k history.Kind, args []history.Value) {
	s.Counters, s.Keyed = slices.Clone(s.Counters), slices.Clone(s.Keyed)
	for i := range a.Counters {
		c := &a.Counters[i]
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
				s.Keyed[i] = s.Keyed[i].with(c, args[add.Key], n)
			} else {
				s.Counters[i] = c.after(s.Counters[i], n)
			}
		}
		if slices.Contains(c.Reset, k) {
			s.Counters[i] = c.Start
		}
	}
}

// named lists the values that the automaton names: constants, and those that are counted.
func (a *Automaton) named() []history.Value {
	all := []history.Value{}
	add := func(v history.Value) {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	for i := range a.Locations {
		for j := range a.Locations[i].Transitions {
			for _, x := range a.Locations[i].Transitions[j].Terms() {
				if x.Kind == Constant {
					add(x.Value)
				}
			}
		}
	}
	for _, c := range a.Counters {
		for _, x := range c.Adds {
			if x.Where > 0 {
				add(x.Is)
			}
		}
	}
	return all
}

// Terms lists those of a transition.
func (t *Transition) Terms() []Term {
	terms := slices.Concat(t.Rets, t.Load)
	for _, c := range t.Guard {
		terms = append(terms, c.Left, c.Right)
	}
	return terms
}
