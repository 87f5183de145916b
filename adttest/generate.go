package adttest

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// generator generates scenarios. Without a reference it keeps to the theory's
// language: it does not combine two calls that break a rule whatever they return, and
// seldom two that may break one. With a reference, which judges histories outside the
// language, half of the scenarios ignore it and have few values, so that threads meet
// at one key.
type generator struct {
	subject   *subject
	c         *Config
	rng       *rand.Rand
	exclusive map[[2]place]bool // the same value breaks a rule
	risky     map[[2]place]bool // it does if the calls answer so

	beyond bool // scenarios may leave the language
	strict bool // they must not, whatever calls answer

	used  []use // values of the scenario under construction
	fresh int
	few   int // so many values are used again and again; 0: the language says which
}

// place is a parameter of a method, by their indices.
type place struct{ method, param int }

// use is a value that a parameter had.
type use struct {
	place
	k int
}

// newGenerator finds out which parameters cannot have the same value, or cannot if
// their methods give certain answers.
func newGenerator(ctx context.Context, s *subject, c *Config, rng *rand.Rand) *generator {
	g := &generator{subject: s, c: c, rng: rng, exclusive: map[[2]place]bool{}, risky: map[[2]place]bool{}, beyond: c.Reference != nil}
	language := s.theory.Sequences()
	var places []place
	for i, m := range s.methods {
		for a := range m.params {
			places = append(places, place{i, a})
		}
	}
	for i, p := range places {
		for _, q := range places[:i+1] {
			always, sometimes := true, false
			for _, o := range s.methods[p.method].outcomes {
				for _, u := range s.methods[q.method].outcomes {
					_, in, err := language.Admits(ctx, []history.Label{s.label(p, o, 10), s.label(q, u, 20)})
					always = always && !in
					sometimes = sometimes || !in && err == nil
				}
			}
			if always && sometimes {
				g.exclusive[[2]place{p, q}], g.exclusive[[2]place{q, p}] = true, true
			}
			if sometimes {
				g.risky[[2]place{p, q}], g.risky[[2]place{q, p}] = true, true
			}
		}
	}
	return g
}

// label is a call with an answer; the parameter has the value 1, and all other values
// differ from it, and from one another.
func (s *subject) label(p place, answer history.Outcome, from int) history.Label {
	m := &s.methods[p.method]
	l := history.Label{Kind: history.Kind{Method: m.name, Outcome: answer}}
	for a := range len(m.params) + s.rets(m.name, answer) {
		v := history.Value(strconv.Itoa(from + a))
		switch {
		case a == p.param:
			l.Args = append(l.Args, "1")
		case a < len(m.params):
			l.Args = append(l.Args, v)
		default:
			l.Rets = append(l.Rets, v)
		}
	}
	return l
}

// risks reports whether answers may break a rule that calls do not.
func (g *generator) risks() bool { return len(g.risky) > len(g.exclusive) }

// next generates a scenario.
func (g *generator) next() Scenario {
	g.used, g.fresh, g.few = g.used[:0], 0, 0
	if g.beyond && g.rng.IntN(2) == 0 {
		g.few = 1 + g.rng.IntN(3)
		g.fresh = g.few
	}
	var s Scenario
	s.Before = g.calls(g.rng.IntN(g.c.Calls))
	threads := 2
	if g.c.Threads > 2 {
		threads += g.rng.IntN(g.c.Threads - 1)
	} else {
		threads = g.c.Threads
	}
	for range threads {
		s.Threads = append(s.Threads, g.calls(1+g.rng.IntN(g.c.Calls)))
	}
	s.After = g.calls(g.rng.IntN(g.c.Calls + 1))
	return s
}

// within is the scenario with other values where those it has may leave the
// language: of what the theory sees it says more than the reference can.
func (g *generator) within(s Scenario) Scenario {
	g.used, g.few, g.strict = g.used[:0], 0, true
	numbers := map[any]int{}
	g.fresh = 100 // above those that scenarios have
	calls := func(old []Call) (out []Call) {
		for _, c := range old {
			m := g.subject.method(c.Method)
			i := slices.IndexFunc(g.subject.methods, func(o method) bool { return o.index == m.index })
			c.Args = slices.Clone(c.Args)
			for a := range c.Args {
				p := place{i, a}
				k, ok := numbers[c.Args[a]]
				if !ok {
					k = len(numbers) + 1
					numbers[c.Args[a]] = k
				}
				if v, ok := argument(m.params[a], g.fresh); ok && !g.allowed(p, k) {
					g.fresh++
					c.Args[a], k = v, g.fresh
				}
				g.used = append(g.used, use{p, k})
			}
			out = append(out, c)
		}
		return out
	}
	t := Scenario{Before: calls(s.Before)}
	for _, thread := range s.Threads {
		t.Threads = append(t.Threads, calls(thread))
	}
	t.After = calls(s.After)
	return t
}

func (g *generator) calls(n int) []Call {
	var out []Call
	for range n {
		if c, ok := g.call(g.rng.IntN(len(g.subject.methods))); ok {
			out = append(out, c)
		}
	}
	return out
}

// call generates a call of a method; false if its type has no value left.
func (g *generator) call(method int) (Call, bool) {
	m := &g.subject.methods[method]
	c := Call{Method: m.goName}
	before := len(g.used)
	for a, t := range m.params {
		k := g.value(place{method, a}, t)
		v, ok := argument(t, k)
		if !ok {
			g.used = g.used[:before]
			return c, false
		}
		g.used = append(g.used, use{place{method, a}, k})
		c.Args = append(c.Args, v)
	}
	return c, true
}

// value is the number of a value: mostly one that other calls have if that may
// be, else a new one.
func (g *generator) value(p place, t reflect.Type) int {
	if g.few > 0 && g.rng.IntN(8) > 0 {
		return 1 + g.rng.IntN(g.few)
	}
	var may []int
	for _, u := range g.used {
		if g.allowed(p, u.k) {
			may = append(may, u.k)
		}
	}
	if t.Kind() == reflect.Bool { // true and false are all there is
		may = slices.DeleteFunc([]int{1, 2}, func(k int) bool { return !g.allowed(p, k) })
	}
	if len(may) > 0 && (t.Kind() == reflect.Bool || g.rng.IntN(3) > 0) {
		return may[g.rng.IntN(len(may))]
	}
	g.fresh++
	return g.fresh
}

func (g *generator) allowed(p place, k int) bool {
	for _, u := range g.used {
		both := [2]place{p, u.place}
		if u.k == k && g.few == 0 && (g.exclusive[both] || g.strict && g.risky[both]) {
			return false
		}
	}
	return true
}

// argument is the k-th value of a parameter's type, from 1; false if the type
// has fewer. The log says what the program sees: 1, 2, or v1, v2, or {1038 v1}.
func argument(t reflect.Type, k int) (any, bool) {
	switch t.Kind() {
	case reflect.Bool:
		return k == 1, k <= 2
	case reflect.String:
		return "v" + strconv.Itoa(k), true
	case reflect.Int8:
		return k, k <= math.MaxInt8
	case reflect.Uint8:
		return k, k <= math.MaxUint8
	}
	var types values.Types
	if b := types.BasicOf(t); b.Kind != values.KindInt && b.Kind != values.KindUint && b.Kind != values.KindAny {
		domain := types.DomainOf(t)
		return types.Argument(t, k).Value.Interface(), domain == 0 || k <= domain
	}
	return k, true
}
