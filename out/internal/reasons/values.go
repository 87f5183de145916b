package reasons

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/theory"
)

// letters and keys are names for values whose types are not known, or are strings. Numbers
// have numbers, and keys that are numbers other ones than values.
var letters, keys = named("abcdefgh"), named("klmnopqr")

func named(letters string) (all []history.Value) {
	for _, r := range letters {
		all = append(all, history.Value(r))
	}
	return all
}

// keyName is the name that the key of a product has in examples.
func keyName(s *theory.Spec) history.Value {
	for _, k := range s.Product.Keys {
		for i := range s.Methods {
			if m := &s.Methods[i]; m.Name == k.Method && k.Role == theory.ByKey && k.Arg < len(m.Params) && integer(&m.Params[k.Arg]) {
				return "100"
			}
		}
	}
	return "k"
}

func integer(b *values.Basic) bool {
	return (b.Kind == values.KindInt || b.Kind == values.KindUint) && !b.Duration
}

// pool is names for the values of argument i of a method, or of result i: n of them.
func pool(m *history.MethodSig, result bool, i, n int, key bool) (names []history.Value) {
	types := m.Params
	if result {
		types = m.Results
	}
	if i < len(types) && (integer(&types[i]) || types[i].Duration) {
		first := 0
		if key {
			first = 100
		}
		for k := range n {
			names = append(names, history.Value(strconv.Itoa(first+k+1)))
		}
		return names
	}
	if i < len(types) {
		if names = few(&types[i]); len(names) >= n {
			return names[:n]
		}
	}
	if key {
		return slices.Clone(keys[:min(n, len(keys))])
	}
	return slices.Clone(letters[:min(n, len(letters))])
}

// few are all values of a type that has few of them.
func few(b *values.Basic) (all []history.Value) {
	if b.Kind == values.KindBool {
		return []history.Value{"false", "true"}
	}
	for _, n := range b.Names {
		if !n.Twice {
			all = append(all, history.Value(n.Text))
		}
	}
	return all
}

// naming gives the values of a drawing names: v1 is a.
type naming struct {
	methods []history.MethodSig
	kinds   map[place]int // places whose values can be the same have the same number
	keyed   map[int]bool  // numbers of those that hold keys
}

// place is an argument or a result of a method.
type place struct {
	method string
	result bool
	i      int
}

// learn finds out which places share values in labels.
func (n *naming) learn(labels [][]history.Label) {
	n.kinds, n.keyed = map[place]int{}, map[int]bool{}
	for _, ls := range labels {
		seen := map[history.Value]place{}
		visit(ls, func(p place, v *history.Value) {
			if _, known := n.kinds[p]; !known {
				n.kinds[p] = len(n.kinds)
			}
			first, shared := seen[*v]
			if !shared {
				seen[*v] = p
				return
			}
			from, to := n.kinds[p], n.kinds[first]
			for q, k := range n.kinds {
				if k == from {
					n.kinds[q] = to
				}
			}
		})
	}
	for p, k := range n.kinds {
		if other, ok := n.kinds[place{p.method, p.result, 1}]; ok && !p.result && p.i == 0 && other != k {
			n.keyed[k] = true
		}
		if other, ok := n.kinds[place{p.method, true, 0}]; ok && !p.result && p.i == 0 && other != k {
			n.keyed[k] = true // get(key) => value
		}
	}
}

func visit(labels []history.Label, see func(p place, v *history.Value)) {
	for i := range labels {
		l := &labels[i]
		for j := range l.Args {
			see(place{l.Method, false, j}, &l.Args[j])
		}
		for j := range l.Rets {
			see(place{l.Method, true, j}, &l.Rets[j])
		}
	}
}

// rename gives the values of a drawing names in the order in which they come.
func (n *naming) rename(labels []history.Label) []history.Label {
	own := slices.Clone(labels)
	for i := range own {
		own[i].Args, own[i].Rets = slices.Clone(own[i].Args), slices.Clone(own[i].Rets)
	}
	names, used := map[history.Value]history.Value{}, map[bool]int{}
	visit(own, func(p place, v *history.Value) {
		name, known := names[*v]
		if !known {
			key := n.keyed[n.kinds[p]]
			used[key]++
			i := slices.IndexFunc(n.methods, func(m history.MethodSig) bool { return m.Name == p.method })
			name = *v
			if i >= 0 {
				if all := pool(&n.methods[i], p.result, p.i, used[key], key); len(all) >= used[key] && !slices.Contains(all, *v) {
					name = all[used[key]-1]
				}
			}
			names[*v] = name
		}
		*v = name
	})
	return own
}

// keyPlaces are the arguments of an automaton that are keys: it looks for them among what it
// holds, or counts by them, and there are others that it only holds.
func keyPlaces(a *automata.Automaton) map[place]bool {
	d := &domains{same: map[place]int{}, asked: map[place]bool{}}
	for i := range a.Locations {
		for j := range a.Locations[i].Transitions {
			d.transition(i, &a.Locations[i].Transitions[j])
		}
	}
	d.counters(a)
	keyed := map[int]bool{}
	for p := range d.asked {
		keyed[d.number(p)] = true
	}
	keys, others := map[place]bool{}, false
	for _, m := range a.Methods {
		for i := range m.Args {
			p := place{m.Name, false, i}
			if keys[p] = keyed[d.number(p)]; !keys[p] {
				others = true
			}
		}
	}
	if !others {
		return nil
	}
	return keys
}

// domains are places whose values can be the same: they have the same number. Registers are
// places of a method without a name.
type domains struct {
	same  map[place]int
	asked map[place]bool // what is looked for
}

func (d *domains) number(p place) int {
	if _, known := d.same[p]; !known {
		d.same[p] = len(d.same)
	}
	return d.same[p]
}

func (d *domains) unite(p, q place) {
	from, to := d.number(p), d.number(q)
	if from == to {
		return
	}
	for x, k := range d.same {
		if k == from {
			d.same[x] = to
		}
	}
}

func register(location, i int) place { return place{"", false, 1000*location + i} }

func (d *domains) transition(location int, t *automata.Transition) {
	at := func(x automata.Term) (place, bool) {
		if x.Kind == automata.Register {
			return register(location, x.Index), true
		}
		return place{t.Method, false, x.Index}, x.Kind == automata.Argument
	}
	for k, x := range t.Load {
		if p, ok := at(x); ok && !t.Blocks {
			d.unite(p, register(t.To, k))
		}
	}
	for _, c := range t.Guard {
		p, okP := at(c.Left)
		q, okQ := at(c.Right)
		if okP && okQ {
			d.unite(p, q)
			d.asked[p], d.asked[q] = true, true
		}
	}
}

// counters puts together what a keyed counter is asked with, and what adds to it.
func (d *domains) counters(a *automata.Automaton) {
	for i, c := range a.Counters {
		if !c.Keyed || len(c.Adds) == 0 {
			continue
		}
		first := place{c.Adds[0].Kind.Method, false, c.Adds[0].Key}
		d.asked[first] = true
		for _, x := range c.Adds {
			d.unite(place{x.Kind.Method, false, x.Key}, first)
		}
		for _, l := range a.Locations {
			for _, t := range l.Transitions {
				for _, r := range t.Rets {
					for _, x := range r.Sum.Terms {
						if x.Counter == i {
							d.unite(place{t.Method, false, x.Key}, first)
						}
					}
				}
			}
		}
	}
}
