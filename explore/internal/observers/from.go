package observers

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/theory"
)

// From is the observers of a theory: exact, under what they assume. The error says what the
// theory has that observers cannot tell, or is the context's.
func From(ctx context.Context, t *theory.Theory) (*Set, error) {
	none := func(format string, args ...any) error {
		return fmt.Errorf("theory %s has no observer: %s; explore within bounds, where the theory itself is the observer", t.Name, fmt.Sprintf(format, args...))
	}
	switch h := t.Spec.Headline(); {
	case t.Spec.Width > 1:
		return nil, none("it is about operations that overlap")
	case h == theory.ByModel:
		return nil, none("it is a model, of which nothing is known but what it answers")
	case h == theory.ByCounters, t.Spec.Control != nil, len(t.Spec.MayFail) > 0 && t.Spec.Automaton != nil && len(t.Spec.Automaton.Counters) > 0:
		return nil, none("it counts, and observers have finitely many states")
	}
	o := newOracle(ctx, t)
	if o.sequences.Ordered {
		return nil, none("it compares values by their size, or computes them, and observers tell whether values are equal")
	}
	set, err := o.find()
	var differs *Difference
	switch {
	case err == nil:
		return set, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &differs):
		return nil, none("what one or two values show of it is not enough: %v", err)
	}
	return nil, none("%v", err)
}

// find tries the ways that there are. Patterns are about the executions of their language alone: they
// come last if the theory has more.
func (o *oracle) find() (set *Set, err error) {
	ways := []func() (*Set, error){o.byPatterns, o.byProjection}
	if o.theory.Spec.Automaton != nil || o.theory.Spec.Product != nil {
		ways = []func() (*Set, error){o.byProduct, o.byProjection, o.byPatterns}
	}
	for _, way := range ways {
		own, wrong := way()
		if wrong == nil || o.ctx.Err() != nil {
			return own, wrong
		}
		if wrong != errNone {
			err = cmp.Or(err, wrong)
		}
	}
	return nil, err
}

// errNone says that a theory is not described so.
var errNone = errors.New("there is none")

func (o *oracle) byPatterns() (*Set, error) {
	if len(o.theory.Spec.Patterns) == 0 {
		return nil, errNone
	}
	return o.gated(o.ofPatterns())
}

func (o *oracle) byProduct() (*Set, error) {
	if o.theory.Spec.Product == nil {
		return nil, errNone
	}
	return o.gated(o.ofProduct())
}

func (o *oracle) gated(all []*Observer, err error) (*Set, error) {
	if err != nil {
		return nil, err
	}
	return o.gate(all)
}

// byProjection tries none to two registers, and whether they see operations with none of their values.
func (o *oracle) byProjection() (set *Set, err error) {
	for registers := range 3 {
		for _, others := range []bool{false, true} {
			if set, err = o.deeper(registers, others); err == nil || o.ctx.Err() != nil {
				return set, err
			}
		}
	}
	return nil, err
}

// mostWords is about how many sequences a projection asks the theory about.
const mostWords = 30_000

// deeper is a projection that tells words apart by continuations that are as long as need be: with longer
// ones there are no more states, or too many continuations.
func (o *oracle) deeper(registers int, others bool) (*Set, error) {
	letters := o.letters(registers, others)
	if len(letters) > mostLetters {
		return nil, errLarge
	}
	wrong, states := errLarge, 0
	most := len(o.known) + mostWords
	defer func() { o.most = 0 }()
	for depth := 1; ; depth++ {
		o.most = most
		x, err := o.project(registers, letters, depth)
		if err != nil && (depth == 1 || err != errLarge) {
			return nil, err
		}
		if err != nil || len(x.States) == states {
			return nil, wrong
		}
		var set *Set
		if set, wrong = o.gate([]*Observer{x}); wrong == nil {
			return set, nil
		}
		states = len(x.States)
	}
}
