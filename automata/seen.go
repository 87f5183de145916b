package automata

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// sight is which values of a label an automaton looks at.
type sight struct {
	args map[string][]bool       // by method
	rets map[history.Kind][]bool // by kind
}

// newSight is nil if it looks at all of them.
func newSight(a *Automaton) *sight {
	s := &sight{map[string][]bool{}, map[history.Kind][]bool{}}
	for _, m := range a.Methods {
		s.args[m.Name] = make([]bool, m.Args)
		for _, o := range m.Outcomes {
			s.rets[history.Kind{Method: m.Name, Outcome: o.Outcome}] = make([]bool, o.Rets)
		}
	}
	for i := range a.Locations {
		for j := range a.Locations[i].Transitions {
			s.transition(a, &a.Locations[i].Transitions[j])
		}
	}
	for _, c := range a.Counters {
		for _, add := range c.Adds {
			s.argument(add.Kind.Method, add.Arg)
			s.argument(add.Kind.Method, add.Where-1)
			if c.Keyed {
				s.argument(add.Kind.Method, add.Key)
			}
		}
	}
	blind := func(read []bool) bool { return slices.Contains(read, false) }
	for _, read := range s.args {
		if blind(read) {
			return s
		}
	}
	for _, read := range s.rets {
		if blind(read) {
			return s
		}
	}
	return nil
}

func (s *sight) argument(method string, i int) {
	if read := s.args[method]; 0 <= i && i < len(read) {
		read[i] = true
	}
}

func (s *sight) transition(a *Automaton, t *Transition) {
	kind := history.Kind{Method: t.Method, Outcome: t.Outcome}
	if len(s.rets[kind]) < len(t.Rets) {
		s.rets[kind] = make([]bool, len(t.Rets))
	}
	answered := s.rets[kind]
	for _, x := range t.Terms() {
		switch x.Kind {
		case Argument:
			s.argument(t.Method, x.Index)
		case Answer:
			answered[x.Index] = true
		case Fresh:
			for i := range s.args[t.Method] {
				s.argument(t.Method, i)
			}
		case Total:
			for _, n := range x.Sum.Terms {
				if n.Counter < 0 {
					s.argument(t.Method, n.Arg)
				} else if a.Counters[n.Counter].Keyed {
					s.argument(t.Method, n.Key)
				}
			}
		}
	}
	for i, x := range t.Rets {
		if x.Kind != Any {
			answered[i] = true
		}
	}
}

// label is a label without the values that nobody looks at.
func (s *sight) label(l history.Label) history.Label {
	l.Args = only(l.Args, s.args[l.Method])
	l.Rets = only(l.Rets, s.rets[l.Kind])
	return l
}

// only are values, without those that are not read.
func only(values []history.Value, read []bool) []history.Value {
	if len(values) != len(read) || !slices.Contains(read, false) {
		return values
	}
	some := make([]history.Value, len(values))
	for i := range values {
		if read[i] {
			some[i] = values[i]
		}
	}
	return some
}

// Seen implements wgl.Seeing of the engines.
func (m *machine) Seen() func(history.Label) history.Label {
	if m.sight == nil {
		return nil
	}
	return m.sight.label
}
