package reasons

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// How far examples are looked for: states, and calls in a row of one method.
const (
	mostStates = 1500
	mostInARow = 300
)

// An edge is a call in a state of an automaton, and the calls that led there.
type edge struct {
	from, to automata.State
	path     *path // with the call
}

// label is the call with its answer.
func (e *edge) label() *history.Label { return &e.path.last }

// A path is calls, of which the first ones are shared: paths to n states of a counter
// have n²/2 calls.
type path struct {
	before *path // nil: last is the first
	last   history.Label
}

// labels are the calls in order.
func (p *path) labels() (all []history.Label) {
	for ; p != nil; p = p.before {
		all = append(all, p.last)
	}
	slices.Reverse(all)
	return all
}

// A searcher runs an automaton with few values, shortest runs first.
type searcher struct {
	a     *automata.Automaton
	calls []history.Label
	edges []edge
	keys  map[place]bool // arguments that are keys
}

func newSearcher(a *automata.Automaton, methods []history.MethodSig) *searcher {
	s := &searcher{a: a, keys: keyPlaces(a)}
	for i := range methods {
		s.calls = append(s.calls, s.callsOf(&methods[i])...)
	}
	type node struct {
		s    automata.State
		path *path
	}
	queue, seen := []node{{a.Start(), nil}}, map[string]bool{stateKey(a.Start()): true}
	for n := 0; n < len(queue) && n < mostStates; n++ {
		at := queue[n]
		for i := range s.calls {
			e, ok := s.step(at.s, &s.calls[i], at.path)
			if !ok {
				continue
			}
			s.edges = append(s.edges, e)
			if k := stateKey(e.to); !seen[k] {
				seen[k] = true
				queue = append(queue, node{e.to, e.path})
			}
		}
	}
	return s
}

func stateKey(s automata.State) string {
	return fmt.Sprintf("%d %q %v %v", s.Location, s.Registers, s.Counters, s.Keyed)
}

func (s *searcher) step(at automata.State, call *history.Label, before *path) (edge, bool) {
	l, ok := s.a.Answer(at, call)
	if !ok || l.Outcome == history.Pending {
		return edge{}, false
	}
	to, ok := s.a.Step(at, &l)
	return edge{at, to, &path{before, l}}, ok
}

// callsOf are the calls of a method with few values: names, what the automaton compares
// with, and numbers around what it counts to.
func (s *searcher) callsOf(m *history.MethodSig) []history.Label {
	all := []history.Label{{Kind: history.Kind{Method: m.Name}}}
	for i := range m.Args {
		var next []history.Label
		for _, l := range all {
			for _, v := range s.candidates(m, i) {
				own := l
				own.Args = append(slices.Clone(l.Args), v)
				next = append(next, own)
			}
		}
		all = next[:min(len(next), 64)]
	}
	return all
}

func (s *searcher) candidates(m *history.MethodSig, arg int) []history.Value {
	var bounds []int64
	var named []history.Value
	number := false
	for i := range s.a.Locations {
		for _, t := range s.a.Locations[i].Transitions {
			for _, c := range t.Guard {
				counts := c.Op == automata.Less || c.Op == automata.AtLeast
				for _, side := range []automata.Term{c.Left, c.Right} {
					if side.Kind == automata.Constant && t.Method == m.Name && !counts {
						named = append(named, side.Value)
					}
					if sum, ok := asSum(side); ok && counts {
						bounds = append(bounds, max(sum.Constant, -sum.Constant))
					}
				}
			}
			if t.Method == m.Name {
				number = number || slices.ContainsFunc(t.Guard, func(c automata.Condition) bool {
					counts := c.Left.Kind == automata.Total || c.Right.Kind == automata.Total
					return (counts || c.Op == automata.Less || c.Op == automata.AtLeast) && (uses(c.Left, arg) || uses(c.Right, arg))
				}) || slices.ContainsFunc(t.Rets, func(x automata.Term) bool { return x.Kind == automata.Total && uses(x, arg) })
			}
		}
	}
	for _, c := range s.a.Counters {
		number = number || slices.ContainsFunc(c.Adds, func(x automata.Add) bool { return x.Kind.Method == m.Name && x.Arg == arg })
	}
	all := pool(m, false, arg, 2, s.keys[place{m.Name, false, arg}])
	if arg > 0 && len(all) > 1 && slices.Equal(all, pool(m, false, 0, 2, s.keys[place{m.Name, false, 0}])) {
		all[0], all[1] = all[1], all[0]
	}
	if number {
		all = []history.Value{"1", "2", "0"}
		for _, b := range bounds {
			for _, n := range []int64{b - 1, b, b + 1} {
				if n >= 0 {
					all = append(all, history.Value(strconv.FormatInt(n, 10)))
				}
			}
		}
	}
	for _, v := range append(named, all...) {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return compact(all)
}

func compact(vs []history.Value) (all []history.Value) {
	for _, v := range vs {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// uses reports whether a term is made of an argument.
func uses(t automata.Term, arg int) bool {
	if t.Kind == automata.Argument {
		return t.Index == arg
	}
	return t.Kind == automata.Total && slices.ContainsFunc(t.Sum.Terms, func(x automata.Summand) bool { return x.Counter < 0 && x.Arg == arg })
}

// shortest is the first edge for which this holds; nil if there is none, also where one
// method is called again and again before.
func (s *searcher) shortest(holds func(e *edge) bool) *edge {
	for i := range s.edges {
		if holds(&s.edges[i]) {
			return &s.edges[i]
		}
	}
	for i := range s.calls {
		at, before := s.a.Start(), (*path)(nil)
		for range mostInARow {
			e, ok := s.step(at, &s.calls[i], before)
			if !ok || len(e.to.Counters) == 0 || stateKey(e.to) == stateKey(at) {
				break
			}
			at, before = e.to, e.path
			for j := range s.calls {
				if next, ok := s.step(at, &s.calls[j], before); ok && holds(&next) {
					return &next
				}
			}
		}
	}
	return nil
}
