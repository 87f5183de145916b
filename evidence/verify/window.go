package verify

import (
	"cmp"
	"context"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/theory"
)

// part is the operations of a key of a product, of a key in its part, and so on, and
// what they are; or of the automaton beside its patterns. A violation there is one of the
// whole.
func part(s *theory.Spec, e *history.Execution, ev *evidence.Evidence) (*theory.Spec, *history.Execution, error) {
	for _, k := range ev.Keys {
		if s.Product == nil {
			return nil, nil, wrong(0, "the evidence is about key %s, and the theory has no product there", k)
		}
		if err := speaks(s, e); err != nil {
			return nil, nil, err
		}
		s, e = &s.Product.Part, configurations.Part(s.Product, e, k)
	}
	switch {
	case !ev.Control:
	case s.Control == nil || ev.Window == nil:
		return nil, nil, wrong(0, "the evidence is a window of a control automaton, and there is none")
	default:
		s = &theory.Spec{Methods: s.Methods, Automaton: s.Control.Automaton}
	}
	return s, e, nil
}

// meant is what a theory is as an automaton, or a product of them, if windows and linearizations are about
// that: what it has beside formulas, or else what its axioms mean, where the execution is in the language.
func meant(ctx context.Context, t *theory.Theory, e *history.Execution) (*theory.Spec, error) {
	own := cmp.Or(axioms.Meaning(ctx, t), &t.Spec)
	if own == &t.Spec || len(t.Spec.Language) == 0 {
		return own, ctx.Err()
	}
	l, err := instance.New(ctx, t, e)
	if err == nil {
		err = l.Outside(t)
	}
	if err != nil {
		return nil, wrong(0, "%v", err)
	}
	return own, ctx.Err()
}

func speaks(s *theory.Spec, e *history.Execution) error {
	labels := configurations.LabelsOf(s)
	for i := range e.Ops {
		if err := labels.Refuses(&e.Ops[i].Label); err != nil {
			return wrong(0, "[%s]: %v", e.Ops[i].ID, err)
		}
	}
	if i, err := configurations.NewRange(s).TakeAll(e); err != nil {
		return wrong(0, "[%s]: %v", e.Ops[i].ID, err)
	}
	return nil
}

// window accepts that the automaton allows no order.
func window(ctx context.Context, s *theory.Spec, e *history.Execution, w *evidence.Window) error {
	if err := speaks(s, e); err != nil {
		return err
	}
	if w.First > e.Events {
		return wrong(w.Line, "there are only %d events", e.Events)
	}
	refuted, err := configurations.Refute(ctx, s, e, w.First)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return wrong(w.Line, "%v", err)
	case !refuted:
		return wrong(w.Line, "the automaton allows an order of the operations that run after %d events", w.First)
	}
	return nil
}
