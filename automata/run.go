package automata

import (
	"maps"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// State is where an automaton is, and what its registers and counters hold. Steps
// do not change it.
type State struct {
	Location  int
	Registers []history.Value
	Counters  []int64                   // by counter; of a keyed one it means nothing
	Keyed     []map[history.Value]int64 // by counter; a value that is missing has the counter's Start
}

// Start is the state before the first call.
func (a *Automaton) Start() State {
	s := State{Registers: a.Initial, Counters: make([]int64, len(a.Counters)), Keyed: make([]map[history.Value]int64, len(a.Counters))}
	for i, c := range a.Counters {
		s.Counters[i] = c.Start
	}
	return s
}

// Step reports whether the automaton, called as a label says, answers as it says,
// and the state after that. A label with the outcome history.Pending has not
// answered: any answer will do, and where the answer is not determined, next has an
// empty text for its values.
func (a *Automaton) Step(s State, l *history.Label) (next State, ok bool) {
	t := a.transition(s, l.Method, l.Args)
	if t == nil || t.Blocks {
		return s, false
	}
	rets := l.Rets
	if l.Outcome == history.Pending {
		rets = make([]history.Value, len(t.Rets))
		for i, r := range t.Rets {
			rets[i] = a.value(s, r, l.Args, nil)
		}
	} else if l.Outcome != t.Outcome || len(l.Rets) != len(t.Rets) || !a.answers(s, t, l) {
		return s, false
	}
	next = State{Location: t.To, Counters: slices.Clone(s.Counters), Keyed: slices.Clone(s.Keyed)}
	if len(t.Load) > 0 {
		next.Registers = make([]history.Value, len(t.Load))
	}
	for i, term := range t.Load {
		next.Registers[i] = a.value(s, term, l.Args, rets)
	}
	a.count(&next, history.Kind{Method: t.Method, Outcome: t.Outcome}, l.Args)
	return next, true
}

// Answer is the label of a call with what the automaton answers; its outcome is
// history.Pending if the values are not determined. It is false if the call waits.
func (a *Automaton) Answer(s State, call *history.Label) (history.Label, bool) {
	t := a.transition(s, call.Method, call.Args)
	if t == nil || t.Blocks {
		return history.Label{}, false
	}
	l := history.Label{Kind: history.Kind{Method: call.Method, Outcome: t.Outcome}, Args: call.Args}
	for _, r := range t.Rets {
		if r.Kind == Fresh || r.Kind == Any {
			return history.Label{Kind: history.Kind{Method: call.Method, Outcome: history.Pending}, Args: call.Args}, true
		}
		l.Rets = append(l.Rets, a.value(s, r, call.Args, nil))
	}
	return l, true
}

// transition is the one whose guard holds; nil if the automaton has none, which a
// valid one has for all arguments that are integers where it adds them up.
func (a *Automaton) transition(s State, method string, args []history.Value) *Transition {
	all := a.Locations[s.Location].Transitions
	for i := range all {
		if t := &all[i]; t.Method == method && !slices.ContainsFunc(t.Guard, func(c Condition) bool { return !a.holds(s, c, args) }) {
			return t
		}
	}
	return nil
}

func (a *Automaton) holds(s State, c Condition, args []history.Value) bool {
	left, right := a.value(s, c.Left, args, nil), a.value(s, c.Right, args, nil)
	switch c.Op {
	case Equal:
		return left == right
	case Differs:
		return left != right
	}
	x, errX := strconv.ParseInt(string(left), 10, 64)
	y, errY := strconv.ParseInt(string(right), 10, 64)
	return errX == nil && errY == nil && (x < y) == (c.Op == Less)
}

// answers reports whether the values of a label are those of a transition.
func (a *Automaton) answers(s State, t *Transition, l *history.Label) bool {
	for i, r := range t.Rets {
		switch r.Kind {
		case Any:
		case Fresh:
			if slices.Contains(s.Registers, l.Rets[i]) || slices.Contains(l.Args, l.Rets[i]) || a.isConstant(l.Rets[i]) {
				return false
			}
		default:
			if a.value(s, r, l.Args, nil) != l.Rets[i] {
				return false
			}
		}
	}
	return true
}

// isConstant reports whether the automaton names a value.
func (a *Automaton) isConstant(v history.Value) bool {
	is := func(t Term) bool { return t.Kind == Constant && t.Value == v }
	for _, c := range a.Counters {
		if slices.ContainsFunc(c.Adds, func(x Add) bool { return x.Where > 0 && x.Is == v }) {
			return true
		}
	}
	for _, l := range a.Locations {
		for _, t := range l.Transitions {
			if slices.ContainsFunc(t.Rets, is) || slices.ContainsFunc(t.Load, is) ||
				slices.ContainsFunc(t.Guard, func(c Condition) bool { return is(c.Left) || is(c.Right) }) {
				return true
			}
		}
	}
	return false
}

// value is a term's, before a call with these arguments; rets is what it answers. A
// sum over what is no integer is no value: "".
func (a *Automaton) value(s State, t Term, args, rets []history.Value) history.Value {
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
		sum := t.Sum.Constant
		for _, x := range t.Sum.Terms {
			switch {
			case x.Counter < 0:
				n, err := strconv.ParseInt(string(args[x.Arg]), 10, 64)
				if err != nil {
					return ""
				}
				sum += x.Times * n
			case a.Counters[x.Counter].Keyed:
				sum += x.Times * a.keyed(s, x.Counter, args[x.Key])
			default:
				sum += x.Times * s.Counters[x.Counter]
			}
		}
		return history.Value(strconv.FormatInt(sum, 10))
	}
	return ""
}

// keyed is what a keyed counter holds for a key.
func (a *Automaton) keyed(s State, counter int, key history.Value) int64 {
	if n, ok := s.Keyed[counter][key]; ok {
		return n
	}
	return a.Counters[counter].Start
}

// count has the counters of s, which are its own but for the maps, count an
// operation.
func (a *Automaton) count(s *State, k history.Kind, args []history.Value) {
	for i := range a.Counters {
		c, owned := &a.Counters[i], false
		for _, add := range c.Adds {
			if add.Kind != k || add.Where > 0 && args[add.Where-1] != add.Is {
				continue
			}
			n := add.Times
			if add.Arg >= 0 {
				x, _ := strconv.ParseInt(string(args[add.Arg]), 10, 64)
				n *= x
			}
			if !c.Keyed {
				s.Counters[i] = c.After(s.Counters[i], n)
				continue
			}
			if !owned {
				if s.Keyed[i], owned = maps.Clone(s.Keyed[i]), true; s.Keyed[i] == nil {
					s.Keyed[i] = map[history.Value]int64{}
				}
			}
			s.Keyed[i][args[add.Key]] = c.After(a.keyed(*s, i, args[add.Key]), n)
		}
		if slices.Contains(c.Reset, k) {
			s.Counters[i] = c.Start
		}
	}
}
