package learn

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
)

// computes reports whether an automaton does more with values than to compare them for
// equality: it adds arguments up, or compares them by size. A closure has a few values
// for all others, which then says nothing of these.
func computes(a *automata.Automaton) bool {
	adds := slices.ContainsFunc(a.Counters, func(c automata.Counter) bool {
		return slices.ContainsFunc(c.Adds, func(add automata.Add) bool { return add.Arg >= 0 })
	})
	return adds || slices.ContainsFunc(a.Locations, func(l automata.Location) bool {
		return slices.ContainsFunc(l.Transitions, func(t automata.Transition) bool {
			return slices.ContainsFunc(t.Rets, withArgument) || slices.ContainsFunc(t.Guard, func(c automata.Condition) bool {
				sized := c.Op == automata.Less || c.Op == automata.AtLeast
				return withArgument(c.Left) || withArgument(c.Right) || sized && (isValue(c.Left) || isValue(c.Right))
			})
		})
	})
}

// withArgument reports whether a term is a sum of which an argument is a part.
func withArgument(t automata.Term) bool {
	return t.Kind == automata.Total && slices.ContainsFunc(t.Sum.Terms, func(s automata.Summand) bool { return s.Counter < 0 })
}

// isValue reports whether a term is a value of a log.
func isValue(t automata.Term) bool { return t.Kind == automata.Register || t.Kind == automata.Argument }
