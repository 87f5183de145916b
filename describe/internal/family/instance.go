package family

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// instance is the automaton of a family that has a size.
type instance struct {
	*family
	grain
	size  int
	a     *automata.Automaton
	names map[*class]string
	place map[string]int // of locations, by class and index
	spots []spot
	wrong string
}

// at is the automaton of a size; why says what the family does not tell of it. Locations
// stand class by class, so that the text of the automaton can tell them by their index.
func (f *family) at(size int, g grain) (a *automata.Automaton, why string) {
	m := &instance{family: f, grain: g, size: size, place: map[string]int{}}
	m.a = &automata.Automaton{Methods: f.methods, Initial: slices.Clone(f.initial)}
	m.order()
	if len(m.spots) > mostInstance {
		return nil, fmt.Sprintf("it would have %d locations", len(m.spots))
	}
	for _, s := range m.spots {
		l := automata.Location{Name: m.names[s.class] + strconv.Itoa(s.index)}
		for r := range s.registers(size, s.index) {
			l.Registers = append(l.Registers, "r"+strconv.Itoa(r+1))
		}
		for _, sig := range f.methods {
			l.Transitions = append(l.Transitions, m.transitions(s, sig.Name)...)
		}
		m.a.Locations = append(m.a.Locations, l)
	}
	if m.wrong != "" {
		return nil, m.wrong
	}
	if err := m.a.Validate(); err != nil {
		return nil, fmt.Sprintf("what continues them is no automaton: %s", err)
	}
	return m.a, ""
}

// order lists the locations, and names their classes. The first class is the one in which
// the automaton starts.
func (m *instance) order() {
	names := slices.SortedFunc(maps.Keys(m.classes), func(x, y string) int {
		first := func(name string) int {
			if name == m.start {
				return 0
			}
			return 1
		}
		return cmp.Or(first(x)-first(y), len(x)-len(y), strings.Compare(x, y))
	})
	m.names = map[*class]string{}
	for n, name := range names {
		c := m.classes[name]
		base := "at"
		if c.stride > 0 {
			base = "holds"
		}
		if n > 0 {
			base += "-" + string(rune('a'+n%26)) + strings.Repeat("-", n/26)
		}
		m.names[c] = base
		for i := c.lo.at(m.size); i <= c.hi.at(m.size); i++ {
			m.place[fmt.Sprint(name, i)] = len(m.spots)
			m.spots = append(m.spots, spot{c, i})
		}
	}
}

// mostInstance bounds the locations of an instance.
const mostInstance = 2_000

func (m *instance) fail(format string, args ...any) {
	if m.wrong == "" {
		m.wrong = fmt.Sprintf(format, args...)
	}
}

// to is a location by class and index.
func (m *instance) to(class string, index int) int {
	l, ok := m.place[fmt.Sprint(class, index)]
	if !ok {
		m.fail("a transition would lead out of the automaton")
	}
	return l
}

// transitions are those of a method in a location.
func (m *instance) transitions(here spot, method string) (all []automata.Transition) {
	var own []shape
	for _, s := range m.cases[here.name+"\n"+method] {
		for _, p := range s.points(here.point(m.size, here.index)) {
			in := func(what string) *slot { return m.slot(at(here.class, method, s, what)) }
			r := p.region(m.grain)
			switch is := in("is").is(r); {
			case is == "":
				m.fail("%s does what was not seen at small sizes", method)
				return nil
			case is == "true":
				all = append(all, m.transition(in, method, p))
				own = append(own, m.equal(in, s, p))
			}
		}
	}
	for i := range all {
		all[i].Guard = guarded(own, i)
	}
	// The most general case is written last.
	slices.SortStableFunc(all, func(x, y automata.Transition) int {
		return cmp.Compare(different(x.Guard), different(y.Guard))
	})
	return all
}

func different(guard []automata.Condition) (n int) {
	for _, c := range guard {
		if c.Op == automata.Differs {
			n++
		}
	}
	return n
}

// equal is a shape with the registers that arguments must equal.
func (m *instance) equal(in func(string) *slot, s shape, p point) shape {
	s = slices.Clone(s)
	n := 0
	for i := range s {
		if s[i].Right.Kind == automata.Register {
			s[i].Right.Index = m.number(in("equal "+strconv.Itoa(n)), p) - 1
			n++
		}
	}
	return s
}

// guarded is the guard of a case: what it asks for, and not what a case asks for that
// asks for more. If that is several conditions, one of them alone is a case, too.
func guarded(all []shape, i int) []automata.Condition {
	guard := slices.Clone([]automata.Condition(all[i]))
	for _, s := range all {
		if len(s) != len(all[i])+1 {
			continue
		}
		more := slices.DeleteFunc(slices.Clone(s), func(c automata.Condition) bool {
			return slices.ContainsFunc(all[i], func(d automata.Condition) bool { return sameCondition(c, d) })
		})
		if len(more) == 1 {
			c := more[0]
			c.Op = automata.Differs
			guard = append(guard, c)
		}
	}
	return guard
}

func sameCondition(c, d automata.Condition) bool {
	return c.Left.Index == d.Left.Index && c.Right.Kind == d.Right.Kind && c.Right.Index == d.Right.Index && c.Right.Value == d.Right.Value
}

// transition is what a call does at a point.
func (m *instance) transition(in func(string) *slot, method string, p point) (t automata.Transition) {
	t.Method = method
	r := p.region(m.grain)
	parts := strings.SplitN(in("outcome").is(r), " ", 3)
	if len(parts) < 3 {
		m.fail("what %s answers follows no rule", method)
		return t
	}
	if t.Blocks = parts[0] == "true"; t.Blocks {
		return t
	}
	t.Outcome = history.Outcome(parts[2])
	n, _ := strconv.Atoi(parts[1])
	for i := range n {
		t.Rets = append(t.Rets, m.term(in("answer "+strconv.Itoa(i)), p))
	}
	class, index := in("class").is(r), m.number(in("index"), p)
	c := m.classes[class]
	if c == nil {
		m.fail("where %s leads follows no rule", method)
	}
	if m.wrong != "" {
		return t
	}
	t.To = m.to(class, index)
	p.loads, p.toStride = c.registers(m.size, index), c.stride
	for p.load = 1; p.load <= p.loads; p.load++ {
		t.Load = append(t.Load, m.term(in("load"), p))
	}
	return t
}

func (m *instance) number(s *slot, p point) int {
	n, ok := s.number(&p, p.region(m.grain))
	if !ok {
		m.fail("at small sizes a number follows no rule")
	}
	return n
}

// term is one at a point.
func (m *instance) term(s *slot, p point) automata.Term {
	switch w := s.is(p.region(m.grain)); w {
	case "":
		m.fail("something is held that was not seen at small sizes")
		return automata.Term{}
	case "register":
		return automata.Term{Kind: automata.Register, Index: m.number(s, p) - 1}
	case "integer":
		return automata.Term{Kind: automata.Constant, Value: history.Value(strconv.Itoa(m.number(s, p)))}
	default:
		parts := strings.SplitN(w, " ", 3)
		kind, _ := strconv.Atoi(parts[0])
		index, _ := strconv.Atoi(parts[1])
		return automata.Term{Kind: automata.TermKind(kind), Index: index, Value: history.Value(parts[2])}
	}
}
