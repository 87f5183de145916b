package verify

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// answer accepts that an operation has an answer that its method never has: values beside false or an error, where the
// theory has none, or an outcome that it lacks, if it says all about the data type. What comes before is in the
// theory's language.
func answer(ctx context.Context, t *theory.Theory, e *history.Execution, ev *evidence.Evidence) error {
	s := &ev.Steps[0]
	if len(ev.Steps) > 1 || len(ev.Keys) > 0 || ev.Control || ev.Window != nil || len(s.Ops) != 1 {
		return wrong(s.Line, "an answer is all that there is to say")
	}
	i := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.ID == s.Ops[0] })
	if i < 0 || !e.Ops[i].Completed() {
		return wrong(s.Line, "[%s] has not returned in the first %d events", s.Ops[0], ev.Prefix)
	}
	o := &e.Ops[i]
	m := slices.IndexFunc(t.Spec.Methods, func(m history.MethodSig) bool { return m.Name == o.Method })
	if m < 0 {
		return wrong(s.Line, "the theory has no method %s", o.Method)
	}
	all := t.Spec.Methods[m].Outcomes
	k := slices.IndexFunc(all, func(out history.OutcomeSig) bool { return out.Outcome == o.Outcome })
	switch {
	case k < 0 && instance.TellsAll(t):
	case k < 0:
		return wrong(s.Line, "the theory may not have seen all that %s answers", o.Method)
	case all[k].Rets > 0 || len(o.Rets) == 0 || o.Outcome != history.Nil && !wording.IsError(string(o.Outcome)):
		return wrong(s.Line, "%s may answer so", o.Method)
	}
	if len(t.Spec.Language) == 0 || len(t.Spec.Patterns)+len(t.Spec.Axioms) == 0 {
		return nil
	}
	own := *t
	own.Spec, e = visible(&t.Spec, e.Prefix(o.Return))
	l, err := instance.New(ctx, &own, e)
	if err == nil {
		err = l.Outside(&own)
	}
	if err != nil && ctx.Err() == nil {
		return wrong(s.Line, "%v", err)
	}
	return ctx.Err()
}
