package adttest

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

// generator makes up scenarios. Values go where the theory's language lets
// them: two calls that break a rule whatever they return do not meet. If there is
// a reference to judge what is outside the language, half of the scenarios do not
// care, and have few values, so that threads meet at one key.
type generator struct {
	subject *subject
	c       *Config
	rng     *rand.Rand
	apart   map[[2]place]bool

	beyond bool // scenarios may leave the language

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

// newGenerator finds out, with the engine, which parameters cannot have the
// same value.
func newGenerator(ctx context.Context, s *subject, c *Config, rng *rand.Rand) *generator {
	g := &generator{subject: s, c: c, rng: rng, apart: map[[2]place]bool{}, beyond: c.Reference != nil}
	var places []place
	for i, m := range s.methods {
		for a := range m.params {
			places = append(places, place{i, a})
		}
	}
	for i, p := range places {
		for _, q := range places[:i+1] {
			if g.clash(ctx, p, q) {
				g.apart[[2]place{p, q}], g.apart[[2]place{q, p}] = true, true
			}
		}
	}
	return g
}

// clash tells whether two calls break a rule of the language if these two
// parameters have the same value and all others differ.
func (g *generator) clash(ctx context.Context, p, q place) bool {
	e := &history.Execution{Events: 2}
	k := 1
	for i, at := range []place{p, q} {
		m := &g.subject.methods[at.method]
		o := history.Operation{ID: strconv.Itoa(i + 1), Label: history.Label{Kind: history.Kind{Method: m.name}}, Call: i, Return: history.NoReturn}
		for a := range m.params {
			k++
			v := k
			if a == at.param {
				v = 1
			}
			o.Args = append(o.Args, history.Value(strconv.Itoa(v)))
		}
		e.Ops = append(e.Ops, o)
	}
	_, err := check.Symbolic{}.Check(ctx, g.subject.theory, e)
	var outside *check.OutsideLanguage
	return errors.As(err, &outside)
}

// next makes up a scenario.
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

func (g *generator) calls(n int) []Call {
	var out []Call
	for range n {
		if c, ok := g.call(g.rng.IntN(len(g.subject.methods))); ok {
			out = append(out, c)
		}
	}
	return out
}

// call makes up a call of a method; false if its type has no value left.
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
		if u.k == k && g.few == 0 && g.apart[[2]place{p, u.place}] {
			return false
		}
	}
	return true
}
