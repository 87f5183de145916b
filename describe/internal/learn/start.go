package learn

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// mostStarts is how many values registers may have at first are tried.
const mostStarts = 50

// elsewhere starts an automaton in another location, if no call leads to the first
// one and that makes no difference: a pair of numbers that are zero at first holds
// two registers which happen to be equal. Learning tells that apart, for what it
// holds is all different.
func (t *table) elsewhere(ctx context.Context, o Options, a *automata.Automaton, found *Found) (*automata.Automaton, error) {
	for at := 1; at < len(a.Locations); at++ {
		if !canStart(a, at) {
			continue
		}
		for _, initial := range choices(t.initial, len(a.Locations[at].Registers)) {
			b := startAt(a, at, initial)
			if b.Validate() != nil { // an argument may be in two registers now
				continue
			}
			if d, err := t.compare(ctx, o, b, found); err != nil {
				return nil, err
			} else if d == nil {
				return b, nil
			}
		}
	}
	return a, nil
}

// canStart reports whether the first location can be left out if an automaton starts
// in another one, in which the same kinds of answers come.
func canStart(a *automata.Automaton, at int) bool {
	seen := map[int]bool{at: true}
	for next := []int{at}; len(next) > 0; next = next[1:] {
		for _, tr := range a.Locations[next[0]].Transitions {
			if !tr.Blocks && !seen[tr.To] {
				seen[tr.To] = true
				next = append(next, tr.To)
			}
		}
	}
	return !seen[0] && len(seen) == len(a.Locations)-1 &&
		!slices.ContainsFunc(a.Locations[0].Transitions, func(x automata.Transition) bool {
			return !slices.ContainsFunc(a.Locations[at].Transitions, func(y automata.Transition) bool {
				return x.Method == y.Method && x.Outcome == y.Outcome && x.Blocks == y.Blocks
			})
		})
}

// choices are lists of n values; nil if they are too many.
func choices(values []history.Value, n int) [][]history.Value {
	all := [][]history.Value{{}}
	for range n {
		var longer [][]history.Value
		for _, some := range all {
			for _, v := range values {
				longer = append(longer, append(slices.Clone(some), v))
			}
		}
		if all = longer; len(all) > mostStarts {
			return nil
		}
	}
	return all
}

// startAt is an automaton without its first location.
func startAt(a *automata.Automaton, at int, initial []history.Value) *automata.Automaton {
	b := &automata.Automaton{Methods: slices.Clone(a.Methods), Initial: initial}
	place := func(i int) int {
		switch {
		case i == at:
			return 0
		case i < at:
			return i
		}
		return i - 1
	}
	b.Locations = make([]automata.Location, len(a.Locations)-1)
	for i, l := range a.Locations[1:] {
		c := automata.Location{Registers: slices.Clone(l.Registers)}
		for _, tr := range l.Transitions {
			tr.Guard, tr.Rets, tr.Load = slices.Clone(tr.Guard), slices.Clone(tr.Rets), slices.Clone(tr.Load)
			if !tr.Blocks {
				tr.To = place(tr.To)
			}
			c.Transitions = append(c.Transitions, tr)
		}
		b.Locations[place(i+1)] = c
	}
	Arrange(b)
	return b
}
