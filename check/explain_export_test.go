package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Part leaves operations out of an execution as Explain might: the units, and
// then the single operations, for which keep is false.
func Part(ctx context.Context, t *theory.Theory, e *history.Execution, keep func() bool) (*history.Execution, error) {
	c, err := compile(t)
	if err != nil {
		return nil, err
	}
	p, err := (&shrinker{ctx: ctx, theory: c}).partition(e)
	if err != nil {
		return nil, err
	}
	kept := make([]bool, len(e.Ops))
	for _, u := range p.units {
		stays := keep()
		for _, i := range u {
			kept[i] = stays
		}
	}
	for i := range kept {
		if kept[i] && p.removable(i, kept, removalsOf(t)) {
			kept[i] = keep()
		}
	}
	return p.restrict(kept), nil
}

// Removals is what may be left out: matches, read-only operations, duplicates.
func Removals(t *theory.Theory) [3]bool {
	r := removalsOf(t)
	return [3]bool{r.matches, r.readOnly, r.duplicates}
}
