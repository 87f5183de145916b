// Package counters finds out which answers of a reference implementation follow from
// how often its methods were called, or with which integers.
//
//	found, err := counters.Find(ctx, impl)
//	fmt.Print(found.Automaton) // "len = #push - #pop=value" and so on
//	beside, err := found.Control(ctx) // if some values follow from no counts
//	// infer patterns of beside.Rest, and put beside.Control into their theory
//
// An answer that is an integer is a sum of counts of (method, outcome), of integer
// arguments, of arguments of the call itself and a constant, found by exact least
// squares. An outcome is decided by a small tree of such sums compared with
// constants. Counts may be of one value of an argument alone, or start again after a
// kind of operation. Where that is not enough, answers and conditions may be an argument
// of the last operation of some kinds.
package counters

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Found is what Find found.
type Found struct {
	// Automaton says how each method answers: it has one location, and registers only if
	// it is Whole.
	// Where an answer is a value that no formula gives it has automata.Any. Nil: some
	// method's outcomes follow no formula.
	Automaton *automata.Automaton

	Whole bool   // no answer is automata.Any
	Why   string // one sentence: what follows no formula

	Extent theory.Extent // how far the automaton was compared with the reference
	finder *finder
}

// rounds is how often formulas are looked for again after the reference contradicted
// them.
const rounds = 12

// Find looks for formulas for all answers. What it returns held on thousands of
// sequences that it was not found from.
func Find(ctx context.Context, impl reference.Implementation) (*Found, error) {
	if _, ok := impl.(reference.Acceptor); ok {
		return &Found{Why: "a nondeterministic reference cannot be asked for counters"}, nil
	}
	f := &finder{impl: impl, teacher: teacher.New(impl), methods: impl.Methods()}
	found, err := f.find(ctx, false)
	if err == nil && !found.Whole {
		f.runs, f.extent = nil, theory.Extent{}
		if more, e := f.find(ctx, true); e != nil || more.Whole && len(more.Automaton.Counters) > 0 {
			found, err = more, e
		}
	}
	var fault *reference.Fault
	if errors.As(err, &fault) && f.extreme {
		return &Found{Why: fmt.Sprintf("counters were looked for, but large integers are too much for the reference: %s", fault.Reason)}, nil
	}
	return found, err
}

// finder is one search.
type finder struct {
	impl    reference.Implementation
	teacher *teacher.Teacher
	methods []reference.Method
	runs    []run // that formulas are found from
	extreme bool  // large integers are being tried
	extent  theory.Extent
}

func (f *finder) find(ctx context.Context, register bool) (*Found, error) {
	asked, err := f.sample(ctx, 1, 120)
	if err == nil {
		f.runs, err = f.ask(ctx, asked)
	}
	if err != nil {
		return nil, err
	}
	for round := range uint64(rounds) {
		fit := newFit(f.methods, f.runs, register)
		if err := fit.all(ctx); err != nil {
			return nil, err
		}
		if fit.why != "" {
			return &Found{Why: fit.why}, nil
		}
		a, whole := fit.automaton()
		if err := a.Validate(); err != nil {
			return &Found{Why: fmt.Sprintf("the counters that were found make no automaton: %s", err)}, nil
		}
		wrong, nearer, err := f.compare(ctx, a, fit, 2+round)
		if err != nil {
			return nil, err
		}
		open := fit.open()
		if len(wrong)+len(nearer) > 0 || open != "" && round < rounds/2 {
			f.runs = slices.Concat(f.runs, wrong, nearer)
			continue
		}
		if open != "" {
			return &Found{Why: fmt.Sprintf("when %s answers what depends on a threshold that no execution comes near", open)}, nil
		}
		if why, err := f.extremes(ctx, fit); err != nil || why != "" {
			return &Found{Why: why}, err
		}
		a, _ = fit.automaton()
		f.runs, f.teacher = nil, teacher.New(f.impl) // forget
		if f.extent.Why = "its counters may grow"; !whole {
			f.extent.Why = "it leaves values to patterns"
		}
		return &Found{Automaton: a, Whole: whole, Why: fit.missing(), Extent: f.extent, finder: f}, nil
	}
	return &Found{Why: "each formula that was found for the answers was soon contradicted"}, nil
}
