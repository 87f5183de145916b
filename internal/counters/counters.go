// Package counters finds out which answers of a reference implementation follow from
// how often its methods were called, or with which integers.
//
//	found, err := counters.Find(ctx, impl)
//	fmt.Print(found.Automaton) // one location, no registers, counters
package counters

import (
	"context"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/reference"
)

// Found is what Find found.
type Found struct {
	// Automaton says how each method answers. Where an answer is a value that no
	// formula gives it has automata.Any. Nil: some method's outcomes follow no formula.
	Automaton *automata.Automaton

	Whole bool   // no answer is automata.Any
	Why   string // one sentence: what follows no formula
}

// Find looks for formulas for all answers.
func Find(ctx context.Context, impl reference.Implementation) (*Found, error) {
	return &Found{Why: "no counters were looked for"}, nil
}
