package family

import (
	"math/rand/v2"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// mostWords bounds the words of an automaton: all its transitions, or so many of them.
const mostWords = 1_500

// Words lead to each location of an automaton, take each of its transitions there, and
// then go on until what was held should have come out: random words hardly ever do that
// in a large one.
func Words(methods []reference.Method, a *automata.Automaton, seed uint64) (words [][]teacher.Call) {
	w := &walker{Rand: rand.New(rand.NewPCG(seed, 0xfa)), methods: methods, a: a}
	type taken struct{ location, transition int }
	var all []taken
	for l := range a.Locations {
		for t := range a.Locations[l].Transitions {
			all = append(all, taken{l, t})
		}
	}
	w.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if near := ends(a); len(all) > mostWords {
		slices.SortStableFunc(all, func(x, y taken) int { return near[x.location] - near[y.location] })
		all = all[:mostWords]
	}
	paths := paths(a)
	for _, x := range all {
		w.start()
		right := true
		for _, t := range paths[x.location] {
			right = right && w.take(t)
		}
		if right && w.take(&a.Locations[x.location].Transitions[x.transition]) {
			w.goOn()
		}
		words = append(words, w.word)
	}
	return words
}

// ends are 0 for locations that few or nearly all are before, 1 for others.
func ends(a *automata.Automaton) []int {
	near := make([]int, len(a.Locations))
	for i := range near {
		if i >= 4 && i < len(near)-4 {
			near[i] = 1
		}
	}
	return near
}

// paths lead to locations.
func paths(a *automata.Automaton) [][]*automata.Transition {
	paths := make([][]*automata.Transition, len(a.Locations))
	seen := map[int]bool{0: true}
	for next := []int{0}; len(next) > 0; next = next[1:] {
		for i := range a.Locations[next[0]].Transitions {
			t := &a.Locations[next[0]].Transitions[i]
			if !t.Blocks && !seen[t.To] {
				seen[t.To] = true
				paths[t.To] = append(slices.Clone(paths[next[0]]), t)
				next = append(next, t.To)
			}
		}
	}
	return paths
}

// walker makes a word along an automaton.
type walker struct {
	*rand.Rand
	methods []reference.Method
	a       *automata.Automaton
	state   automata.State
	word    []teacher.Call
	fresh   int
}

func (w *walker) start() { w.state, w.word, w.fresh = w.a.Start(), nil, 0 }

// value is one that was not used, as far as the type has so many.
func (w *walker) value(method, param int) history.Value {
	w.fresh++
	k := w.fresh
	if d := w.methods[method].ArgDomain[param]; d > 0 {
		k = 1 + w.IntN(d)
	}
	return history.Value(w.methods[method].Params[param].Numbered(k))
}

// take makes a call for which a transition of the location is right; false: it makes none.
func (w *walker) take(t *automata.Transition) bool {
	m := slices.IndexFunc(w.methods, func(m reference.Method) bool { return m.Name == t.Method })
	c := teacher.Call{Method: m}
	for p := range w.methods[m].Args {
		c.Args = append(c.Args, w.value(m, p))
	}
	for _, g := range t.Guard {
		if g.Op == automata.Equal && g.Left.Kind == automata.Argument {
			switch g.Right.Kind {
			case automata.Register:
				c.Args[g.Left.Index] = w.state.Registers[g.Right.Index]
			case automata.Constant:
				c.Args[g.Left.Index] = g.Right.Value
			}
		}
	}
	return w.call(c)
}

// call makes a call; false: the automaton waits, or does not say what is answered.
func (w *walker) call(c teacher.Call) bool {
	w.word = append(w.word, c)
	l := history.Label{Kind: history.Kind{Method: w.methods[c.Method].Name}, Args: c.Args}
	l, ok := w.a.Answer(w.state, &l)
	if !ok || l.Outcome == history.Pending {
		return false
	}
	w.state, ok = w.a.Step(w.state, &l)
	return ok
}

// goOn repeats methods in turn, with values that are held or new.
func (w *walker) goOn() {
	order := w.Perm(len(w.methods))
	held := slices.Clone(w.state.Registers)
	w.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
	for _, m := range order {
		for i := range len(held) + 3 {
			c := teacher.Call{Method: m}
			for p := range w.methods[m].Args {
				v := w.value(m, p)
				if i < len(held) && w.IntN(8) > 0 {
					if _, ok := w.methods[m].Params[p].Text(string(held[i])); ok {
						v = held[i]
					}
				}
				c.Args = append(c.Args, v)
			}
			if !w.call(c) {
				return
			}
		}
	}
}
