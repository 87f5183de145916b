package automata

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// valueTypes is which arguments and answers of an automaton have to be integers: it adds
// them up, compares them by their size, or with integers that it names. A log in which
// they are something else has other values than the reference.
type valueTypes struct {
	why map[place]string
}

const counts = "counts with it"

// place is where a value is: in a register, in a call, in an answer. The zero place is
// where integers are, and one with a constant alone is where that is.
type place struct {
	kind     history.Kind // of arguments without outcome
	n        int          // argument or answer, from 1
	location int          // of a register, from 1
	constant history.Value
}

// valueTypesOf follows values from place to place.
func valueTypesOf(a *Automaton) *valueTypes {
	f := &flow{parent: map[place]place{}}
	for i, v := range a.Initial {
		f.join(place{location: 1, n: i + 1}, place{constant: v, n: -1})
	}
	for i := range a.Locations {
		for j := range a.Locations[i].Transitions {
			f.transition(i, &a.Locations[i].Transitions[j])
		}
	}
	for _, c := range a.Counters {
		for _, add := range c.Adds {
			if add.Arg >= 0 {
				f.join(argument(add.Kind.Method, add.Arg), place{})
			}
			if add.Where > 0 {
				f.join(argument(add.Kind.Method, add.Where-1), place{constant: add.Is, n: -1})
			}
		}
	}
	why := f.why()
	for i := range a.Methods {
		notIntegers(why, &a.Methods[i])
	}
	return &valueTypes{why}
}

// notIntegers leaves out the values of a method whose types say that they need be no integers,
// unless the automaton counts with them.
func notIntegers(why map[place]string, m *history.MethodSig) {
	free := func(p place, b *values.Basic) {
		if b.Kind != "" && b.Kind != values.KindAny && why[p] != counts {
			delete(why, p)
		}
	}
	for i := range m.Params {
		free(argument(m.Name, i), &m.Params[i])
	}
	for i := range m.Results {
		for _, o := range m.Outcomes {
			free(place{kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, n: i + 1}, &m.Results[i])
		}
	}
}

// flow is places in classes that share values.
type flow struct{ parent map[place]place }

func argument(method string, n int) place {
	return place{kind: history.Kind{Method: method}, n: n + 1}
}

func (f *flow) root(p place) place {
	for {
		up, ok := f.parent[p]
		if !ok {
			f.parent[p] = p
			return p
		}
		if up == p {
			return p
		}
		p = up
	}
}

func (f *flow) join(p, q place) { f.parent[f.root(p)] = f.root(q) }

func (f *flow) transition(location int, t *Transition) {
	kind := history.Kind{Method: t.Method, Outcome: t.Outcome}
	of := func(x Term) (place, bool) {
		switch x.Kind {
		case Register:
			return place{location: location + 1, n: x.Index + 1}, true
		case Argument:
			return argument(t.Method, x.Index), true
		case Constant:
			return place{constant: x.Value, n: -1}, true
		case Answer:
			return place{kind: kind, n: x.Index + 1}, true
		case Total:
			for _, s := range x.Sum.Terms {
				if s.Counter < 0 {
					f.join(argument(t.Method, s.Arg), place{})
				}
			}
			return place{}, true
		}
		return place{}, false
	}
	join := func(p place, x Term) {
		if q, ok := of(x); ok {
			f.join(p, q)
		}
	}
	for _, c := range t.Guard {
		p, ok := of(c.Left)
		if !ok {
			continue
		}
		if join(p, c.Right); c.Op == Less || c.Op == AtLeast {
			f.join(p, place{})
		}
	}
	if t.Blocks {
		return
	}
	for i, x := range t.Rets {
		join(place{kind: kind, n: i + 1}, x)
	}
	for i, x := range t.Load {
		join(place{location: t.To + 1, n: i + 1}, x)
	}
}

// why says of the places of calls and answers that have to hold integers what for. A
// place that is compared with a text, too, may hold anything.
func (f *flow) why() map[place]string {
	named, texts := map[place][]string{}, map[place]bool{}
	for p := range f.parent {
		if p.n < 0 {
			root := f.root(p)
			named[root] = append(named[root], string(p.constant))
			texts[root] = texts[root] || !semantics.IsInteger(p.constant)
		}
	}
	why := map[place]string{}
	for p := range f.parent {
		root := f.root(p)
		slices.Sort(named[root])
		switch {
		case p.n <= 0 || p.kind.Method == "":
		case root == f.root(place{}):
			why[p] = counts
		case len(named[root]) > 0 && !texts[root]:
			why[p] = "has the integer " + named[root][0] + " there"
		}
	}
	return why
}

// refuses says which value of a label is no integer and ought to be one.
func (v *valueTypes) refuses(l *history.Label) error {
	if len(v.why) == 0 {
		return nil
	}
	for i, a := range l.Args {
		if err := v.check(argument(l.Method, i), a, "its argument"); err != nil {
			return err
		}
	}
	for i, r := range l.Rets {
		if err := v.check(place{kind: l.Kind, n: i + 1}, r, "what it returns"); err != nil {
			return err
		}
	}
	return nil
}

func (v *valueTypes) check(p place, value history.Value, what string) error {
	why, ok := v.why[p]
	if !ok || semantics.IsInteger(value) {
		return nil
	}
	if _, err := strconv.ParseFloat(string(value), 64); err == nil && len(value) > 18 {
		return fmt.Errorf("%s is %s, which is beyond 64 bits, and the theory %s", what, value, why)
	}
	return fmt.Errorf("%s is %q, which is no integer, and the theory %s; if the log names values otherwise than the reference does, write its integers", what, value, why)
}

// any reports whether no value is refused.
func (v *valueTypes) any() bool { return len(v.why) == 0 }
