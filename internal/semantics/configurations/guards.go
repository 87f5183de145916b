package configurations

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Guards are the conditions of a control automaton that are about arguments alone, and
// say which operations patterns do not see: values that a queue refuses, say.
type Guards struct {
	automaton *automata.Automaton
	hidden    []history.Kind
}

// GuardsOf are those of a control; nil if the state, too, says which operations are hidden,
// or calls may wait.
func GuardsOf(c *theory.Control) *Guards {
	a := c.Automaton
	own := func(x automata.Term) bool {
		return x.Kind == automata.Argument || x.Kind == automata.Constant ||
			x.Kind == automata.Total && !slices.ContainsFunc(x.Sum.Terms, func(s automata.Summand) bool { return s.Counter >= 0 })
	}
	if len(a.Locations) > 1 || slices.ContainsFunc(a.Locations[0].Transitions, func(t automata.Transition) bool {
		hides := slices.ContainsFunc(c.Hidden, func(k history.Kind) bool { return k.Method == t.Method })
		return t.Blocks || hides && (len(t.Guard) == 0 || slices.ContainsFunc(t.Guard, func(c automata.Condition) bool { return !own(c.Left) || !own(c.Right) }))
	}) {
		return nil
	}
	return &Guards{a, c.Hidden}
}

// Refuses is the hidden kind of which an operation with these arguments must be; false if
// it must not be hidden.
func (g *Guards) Refuses(l *history.Label) (k history.Kind, ok bool) {
	said, _ := g.automaton.Answer(g.automaton.Start(), l)
	return said.Kind, slices.Contains(g.hidden, said.Kind)
}

// Allows reports whether a completed operation is hidden as its arguments say.
func (g *Guards) Allows(l *history.Label) bool {
	k, refused := g.Refuses(l)
	return refused && k == l.Kind || !refused && !slices.Contains(g.hidden, l.Kind)
}
