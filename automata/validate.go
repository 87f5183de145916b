package automata

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

const (
	maxLocations = 10_000
	maxCases     = 300_000   // of guards, looked at
	maxPairs     = 5_000_000 // of what registers hold, looked at
)

// Validate reports what is wrong with an automaton: names that there are twice, things
// that are not there, locations that cannot be reached, and calls for which no
// transition is right, or two.
func (a *Automaton) Validate() error {
	v := &validator{a: a}
	for _, check := range []func(){v.counters, v.locations, v.reachable, v.total} {
		if check(); v.wrong != nil {
			return v.wrong
		}
	}
	return nil
}

// A problem is what is wrong with a transition of a location; negative: with none, or
// with the whole.
type problem struct {
	location, transition int
	msg                  string
}

func (w *problem) Error() string { return "automata: " + w.msg }

type validator struct {
	a       *Automaton
	methods map[string]*history.MethodSig
	wrong   *problem

	cases, pairs int // looked at
}

func (v *validator) fail(location, transition int, format string, args ...any) {
	if v.wrong == nil {
		v.wrong = &problem{location, transition, fmt.Sprintf(format, args...)}
	}
}

// where names a location in messages.
func (a *Automaton) where(location int) string {
	if len(a.Locations) == 1 {
		return "the location"
	}
	return "location " + a.Locations[location].Name
}

// counters checks methods and counters.
func (v *validator) counters() {
	v.methods = map[string]*history.MethodSig{}
	for i := range v.a.Methods {
		m := &v.a.Methods[i]
		if v.methods[m.Name] != nil {
			v.fail(-1, -1, "there are two methods %q", m.Name)
		}
		v.methods[m.Name] = m
	}
	for i, c := range v.a.Counters {
		if !wording.IsName(c.Name) || reserved(c.Name) {
			v.fail(-1, -1, "%q cannot be the name of a counter", c.Name)
		}
		if slices.ContainsFunc(v.a.Counters[:i], func(d Counter) bool { return d.Name == c.Name }) {
			v.fail(-1, -1, "there are two counters %q", c.Name)
		}
		for _, add := range c.Adds {
			m := v.kind(c.Name, add.Kind)
			if m != nil && (add.Arg >= m.Args || add.Where < 0 || add.Where > m.Args || c.Keyed && (add.Key < 0 || add.Key >= m.Args)) {
				v.fail(-1, -1, "counter %s adds up an argument that %s does not have", c.Name, m.Name)
			}
			if add.Where > 0 && (add.Where-1 == add.Arg || c.Keyed && add.Where-1 == add.Key) {
				v.fail(-1, -1, "counter %s compares an argument of %s with a value, and uses it otherwise", c.Name, add.Kind.Method)
			}
		}
		for _, k := range c.Reset {
			v.kind(c.Name, k)
		}
		if c.Keyed && len(c.Reset) > 0 {
			v.fail(-1, -1, "counter %s has a number for each value, and cannot start again", c.Name)
		}
	}
}

// kind finds the method of a kind that a counter counts.
func (v *validator) kind(counter string, k history.Kind) *history.MethodSig {
	m := v.methods[k.Method]
	switch {
	case m == nil:
		v.fail(-1, -1, "counter %s counts calls of %q, and there is no such method", counter, k.Method)
	case outcomeOf(m, k.Outcome) == nil:
		v.fail(-1, -1, "counter %s counts calls of %s with outcome %q, which it does not have", counter, k.Method, k.Outcome)
	}
	return m
}

func outcomeOf(m *history.MethodSig, o history.Outcome) *history.OutcomeSig {
	i := slices.IndexFunc(m.Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == o })
	if i < 0 {
		return nil
	}
	return &m.Outcomes[i]
}

// locations checks names, and each transition on its own.
func (v *validator) locations() {
	all := v.a.Locations
	switch {
	case len(all) == 0:
		v.fail(-1, -1, "an automaton has a location at least")
		return
	case len(all) > maxLocations:
		v.fail(-1, -1, "an automaton has at most %d locations, and this one has %d", maxLocations, len(all))
		return
	case len(v.a.Initial) != len(all[0].Registers):
		v.fail(0, -1, "the first location has %s, and %s at first", count(len(all[0].Registers), "register"), count(len(v.a.Initial), "value"))
	}
	taken := map[string]bool{}
	for i, l := range all {
		if len(all) > 1 {
			if locationRE().FindString(l.Name) != l.Name || l.Name == "" {
				v.fail(i, -1, "%q cannot be the name of a location; names have letters, digits, _ and -", l.Name)
			}
			if taken[l.Name] {
				v.fail(i, -1, "there are two locations %s", l.Name)
			}
			taken[l.Name] = true
		}
		registers := map[string]bool{}
		for _, r := range l.Registers {
			switch {
			case !wording.IsName(r) || reserved(r):
				v.fail(i, -1, "%q cannot be the name of a register", r)
			case registers[r]:
				v.fail(i, -1, "%s has two registers %s", v.a.where(i), r)
			case slices.ContainsFunc(v.a.Counters, func(c Counter) bool { return c.Name == r }):
				v.fail(i, -1, "%s has a register %s, and there is a counter of that name", v.a.where(i), r)
			}
			registers[r] = true
		}
		for j := range l.Transitions {
			v.transition(i, j)
		}
	}
}

// transition checks that what a transition speaks of is there.
func (v *validator) transition(i, j int) {
	t := &v.a.Locations[i].Transitions[j]
	fail := func(format string, args ...any) {
		v.fail(i, j, "%s, %s: %s", v.a.where(i), t.Method, fmt.Sprintf(format, args...))
	}
	m := v.methods[t.Method]
	if m == nil {
		v.fail(i, j, "%s: unknown method %q", v.a.where(i), t.Method)
		return
	}
	for _, c := range t.Guard {
		v.term(i, m, 0, c.Left, "compared", fail)
		v.term(i, m, 0, c.Right, "compared", fail)
		switch {
		case c.Op < Equal || c.Op > AtLeast:
			fail("unknown comparison %d", c.Op)
		case c.Op >= Less:
			v.threshold(c.Left, fail)
			v.threshold(c.Right, fail)
		}
	}
	if t.Blocks {
		return
	}
	switch o := outcomeOf(m, t.Outcome); {
	case o == nil:
		fail("it has no outcome %q", t.Outcome)
	case o.Rets != len(t.Rets):
		fail("outcome %s has %s, not %d", t.Outcome, count(o.Rets, "value"), len(t.Rets))
	}
	for _, r := range t.Rets {
		v.term(i, m, 0, r, "answered", fail)
	}
	if t.To < 0 || t.To >= len(v.a.Locations) {
		fail("there is no location %d", t.To)
		return
	}
	if n := len(v.a.Locations[t.To].Registers); n != len(t.Load) {
		fail("%s has %s, not %d", v.a.where(t.To), count(n, "register"), len(t.Load))
	}
	for _, l := range t.Load {
		v.term(i, m, len(t.Rets), l, "held", fail)
	}
}

// term checks a term, which is compared, answered or held.
func (v *validator) term(location int, m *history.MethodSig, rets int, t Term, use string, fail func(string, ...any)) {
	switch {
	case t.Kind == Register && (t.Index < 0 || t.Index >= len(v.a.Locations[location].Registers)):
		fail("there is no register %d", t.Index)
	case t.Kind == Argument && (t.Index < 0 || t.Index >= m.Args):
		fail("there is no argument %d", t.Index)
	case t.Kind == Answer && use != "held":
		fail("an answer cannot be %s", use)
	case t.Kind == Answer && (t.Index < 0 || t.Index >= rets):
		fail("there is no answer %d", t.Index+1)
	case t.Kind == Fresh && use != "answered":
		fail("new cannot be %s; answer is what the call answered", use)
	case t.Kind == Any && use != "answered":
		fail("any cannot be %s; answer is what the call answered", use)
	case t.Kind < Register || t.Kind > Any:
		fail("unknown term %d", t.Kind)
	case t.Kind == Total:
		v.sum(m, &t.Sum, fail)
	}
}

func (v *validator) sum(m *history.MethodSig, s *Sum, fail func(string, ...any)) {
	for _, x := range s.Terms {
		switch {
		case x.Counter >= len(v.a.Counters):
			fail("there is no counter %d", x.Counter)
		case x.Counter < 0 && (x.Arg < 0 || x.Arg >= m.Args):
			fail("there is no argument %d", x.Arg)
		case x.Counter >= 0 && v.a.Counters[x.Counter].Keyed && (x.Key < 0 || x.Key >= m.Args):
			fail("%s is of a value, and there is no argument %d", v.a.Counters[x.Counter].Name, x.Key)
		}
	}
}

// threshold checks that what is compared as an integer is one.
func (v *validator) threshold(t Term, fail func(string, ...any)) {
	if t.Kind != Constant {
		return
	}
	_, err := strconv.ParseInt(string(t.Value), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		fail("%s does not fit in 64 bits", t.Value)
	case err != nil:
		fail("%s is compared with an integer, and is none", constantText(t.Value))
	}
}

// reachable checks that transitions lead to each location.
func (v *validator) reachable() {
	seen, next := make([]bool, len(v.a.Locations)), []int{0}
	seen[0] = true
	for len(next) > 0 {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		for _, t := range v.a.Locations[i].Transitions {
			if !t.Blocks && !seen[t.To] {
				seen[t.To] = true
				next = append(next, t.To)
			}
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		v.fail(i, 0, "%s is not reached from the first one", v.a.where(i))
	}
}

// total checks that exactly one transition is right for each call: first whatever
// registers hold, and if that fails, given which of them never hold the same value.
func (v *validator) total() {
	var apart []set
	for i := range v.a.Locations {
		for j := range v.a.Methods {
			m := &v.a.Methods[j]
			if v.newCases(i, m, nil).check() == nil {
				continue
			}
			if apart == nil {
				apart = v.apart()
			}
			if wrong := v.newCases(i, m, apart[i]).check(); v.wrong == nil {
				v.wrong = wrong
			}
		}
		if v.wrong != nil {
			return
		}
	}
}
