package verify

import (
	"context"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

func linearization(ctx context.Context, e *history.Execution, order []evidence.Taken,
	admits func(ctx context.Context, labels []history.Label) (int, error)) error {
	ops, missing, latest := map[string]*history.Operation{}, 0, 0
	for i := range e.Ops {
		ops[e.Ops[i].ID] = &e.Ops[i]
		if e.Ops[i].Completed() {
			missing++
		}
	}
	labels := make([]history.Label, len(order))
	for i, t := range order {
		o := ops[t.Op]
		delete(ops, t.Op)
		switch {
		case o == nil:
			return wrong(t.Line, "[%s] is no operation of the log, or was taken already", t.Op)
		case o.Completed() != (t.Outcome == ""):
			return wrong(t.Line, "the answer of [%s] must be given if it has not returned, and only then", t.Op)
		case o.Completed() && o.Return < latest:
			return wrong(t.Line, "[%s] returned before an earlier one was called", t.Op)
		}
		latest, labels[i] = max(latest, o.Call), o.Label
		if o.Completed() {
			missing--
		} else {
			labels[i].Outcome, labels[i].Rets = t.Outcome, t.Rets
		}
	}
	if missing > 0 {
		return wrong(0, "%d operations that returned are missing", missing)
	}
	n, err := admits(ctx, labels)
	if err == nil && n < len(labels) {
		return wrong(order[n].Line, "the specification does not admit [%s] %s here", order[n].Op, labels[n])
	}
	return err
}

// replayed runs the automaton of a theory, or its product, or that of its axioms.
func replayed(ctx context.Context, t *theory.Theory, e *history.Execution) (func(ctx context.Context, labels []history.Label) (int, error), error) {
	if t == nil {
		return nil, errSpecification
	}
	s, err := meant(ctx, t, e)
	if err != nil {
		return nil, err
	}
	m, err := configurations.Of(s)
	if err != nil {
		return nil, errSpecification
	}
	known := configurations.LabelsOf(s)
	return func(ctx context.Context, labels []history.Label) (int, error) {
		for i := range labels {
			if known.Refuses(&labels[i]) != nil {
				labels = labels[:i]
				break
			}
		}
		sizes := configurations.NewRange(s)
		for i := range labels {
			if err := sizes.Take(&labels[i]); err != nil {
				return i, wrong(0, "%s: %v", labels[i], err)
			}
		}
		return configurations.Replay(ctx, m, labels)
	}, nil
}
