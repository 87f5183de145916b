package learn

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// automaton is a hypothesis with its edges merged, its parts in canonical order,
// and canonical names.
func (t *table) automaton(h *hypothesis) *automata.Automaton {
	a := &automata.Automaton{Methods: signatures(t.methods), Initial: slices.Clone(h.locations[0].node.memory)}
	for _, l := range h.locations {
		a.Locations = append(a.Locations, automata.Location{Registers: make([]string, len(l.node.memory)), Transitions: t.transitions(l)})
	}
	constants(a)
	Arrange(a)
	answered(a, t.methods)
	return a
}

// signatures are the methods as theories have them.
func signatures(methods []reference.Method) (all []history.MethodSig) {
	for i := range methods {
		m := &methods[i]
		sig := history.MethodSig{Name: m.Name, Args: len(m.Args)}
		for _, o := range m.Outcomes {
			sig.Outcomes = append(sig.Outcomes, o.OutcomeSig)
		}
		all = append(all, sig)
	}
	return all
}

// answered adds to the methods that some panic, which signatures do not tell, and leaves
// out errors that none returns although it could.
func answered(a *automata.Automaton, methods []reference.Method) {
	for i := range a.Methods {
		m := &a.Methods[i]
		answers := func(o history.Outcome) bool {
			return slices.ContainsFunc(a.Locations, func(l automata.Location) bool {
				return slices.ContainsFunc(l.Transitions, func(t automata.Transition) bool { return t.Method == m.Name && t.Outcome == o })
			})
		}
		m.Outcomes = slices.DeleteFunc(m.Outcomes, func(o history.OutcomeSig) bool {
			return !answers(o.Outcome) && slices.ContainsFunc(methods[i].Outcomes, func(r reference.OutcomeArity) bool { return r.Unseen && r.Outcome == o.Outcome })
		})
		if answers(history.Panic) {
			m.Outcomes = append(m.Outcomes, history.OutcomeSig{Outcome: history.Panic})
		}
	}
}

// constants replaces registers that always hold what they hold at the start.
func constants(a *automata.Automaton) {
	// What each register can hold: nothing yet, one value, or several.
	type content struct {
		is    history.Value
		state int // 0, 1 or 2
	}
	holds := make([][]content, len(a.Locations))
	for i := range holds {
		holds[i] = make([]content, len(a.Locations[i].Registers))
	}
	meet := func(c *content, with content) bool {
		old := *c
		switch {
		case with.state == 0 || c.state == 2:
		case c.state == 0:
			*c = with
		case with.state == 2 || with.is != c.is:
			c.state = 2
		}
		return *c != old
	}
	for r, v := range a.Initial {
		holds[0][r] = content{v, 1}
	}
	for changed := true; changed; {
		changed = false
		for i, l := range a.Locations {
			for _, tr := range l.Transitions {
				for r, x := range tr.Load {
					with := content{state: 2}
					switch x.Kind {
					case automata.Register:
						with = holds[i][x.Index]
					case automata.Constant:
						with = content{x.Value, 1}
					}
					changed = meet(&holds[tr.To][r], with) || changed
				}
			}
		}
	}
	keep := make([][]int, len(holds)) // new index of a register; -1: gone
	for i := range holds {
		n := 0
		for _, c := range holds[i] {
			if c.state == 1 {
				keep[i] = append(keep[i], -1)
			} else {
				keep[i] = append(keep[i], n)
				n++
			}
		}
	}
	rewrite(a, keep, func(location, register int) automata.Term {
		return automata.Term{Kind: automata.Constant, Value: holds[location][register].is}
	})
}

// rewrite gives registers new places, and puts constants into those of -1.
func rewrite(a *automata.Automaton, place [][]int, constant func(location, register int) automata.Term) {
	move := func(at int, values []automata.Term) (out []automata.Term) {
		out = make([]automata.Term, len(values))
		n := 0
		for r, v := range values {
			if p := place[at][r]; p >= 0 {
				out[p] = v
				n++
			}
		}
		return out[:n]
	}
	for i := range a.Locations {
		l := &a.Locations[i]
		fix := func(x *automata.Term) {
			if x.Kind != automata.Register {
				return
			}
			if p := place[i][x.Index]; p >= 0 {
				x.Index = p
			} else {
				*x = constant(i, x.Index)
			}
		}
		for k := range l.Transitions {
			tr := &l.Transitions[k]
			for c := range tr.Guard {
				fix(&tr.Guard[c].Left)
				fix(&tr.Guard[c].Right)
			}
			for r := range tr.Rets {
				fix(&tr.Rets[r])
			}
			for r := range tr.Load {
				fix(&tr.Load[r])
			}
			if !tr.Blocks {
				tr.Load = move(tr.To, tr.Load)
			}
		}
		n := 0
		for _, p := range place[i] {
			if p >= 0 {
				n++
			}
		}
		l.Registers = make([]string, n)
	}
	initial := make([]history.Value, len(a.Initial))
	n := 0
	for r, v := range a.Initial {
		if p := place[0][r]; p >= 0 {
			initial[p] = v
			n++
		}
	}
	a.Initial = initial[:n]
}

// Arrange gives an automaton canonical order and names.
func Arrange(a *automata.Automaton) {
	arrange(a)
	name(a)
}

// arrange puts locations in the order in which they are first reached, by calls and
// in the order of transitions, and the registers of each in the order in which the
// terms are listed that fill them then: registers before arguments.
func arrange(a *automata.Automaton) {
	order, at := []int{0}, map[int]int{0: 0}
	place := make([][]int, len(a.Locations))
	for range a.Initial {
		place[0] = append(place[0], len(place[0]))
	}
	for i := 0; i < len(order); i++ {
		for _, tr := range a.Locations[order[i]].Transitions {
			if _, ok := at[tr.To]; ok || tr.Blocks {
				continue
			}
			at[tr.To] = len(order)
			order = append(order, tr.To)
			by := indicesOf(tr.Load)
			slices.SortStableFunc(by, func(x, y int) int { return earlier(tr.Load[x], tr.Load[y], place[order[i]]) })
			place[tr.To] = make([]int, len(by))
			for p, r := range by {
				place[tr.To][r] = p
			}
		}
	}
	rewrite(a, place, nil)
	sorted := make([]automata.Location, len(order))
	for i, o := range order {
		sorted[i] = a.Locations[o]
		for k := range sorted[i].Transitions {
			if tr := &sorted[i].Transitions[k]; !tr.Blocks {
				tr.To = at[tr.To]
			}
		}
	}
	a.Locations = sorted
}

func indicesOf(ts []automata.Term) []int { return indices(len(ts)) }

// earlier compares terms that are loaded: registers by their places, then arguments.
func earlier(x, y automata.Term, place []int) int {
	rank := func(t automata.Term) int {
		switch t.Kind {
		case automata.Register:
			return place[t.Index]
		case automata.Argument:
			return 1000 + t.Index
		}
		return 2000 + t.Index
	}
	return rank(x) - rank(y)
}
