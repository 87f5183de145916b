package expect

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/refmodel"
)

// Theory asks what decides executions by a theory: about each answer that there may be, with
// the values of the operations and one that is none of them, which stands for all others.
type Theory struct {
	// Decide reports whether an execution is linearizable; ok is false if the theory says
	// nothing of it.
	Decide func(ctx context.Context, e *history.Execution) (linearizable, ok bool, err error)

	Signature history.Signature
	Named     []history.Value // that the theory names
	Ordered   bool            // it compares values
	Closed    bool            // without what has a value, what it admits is still admitted
}

// Possible asks about each answer.
func (t *Theory) Possible(ctx context.Context, e *history.Execution) (a Answers, err error) {
	last := Last(e)
	own := *e
	own.Ops = slices.Clone(e.Ops)
	o := &own.Ops[last]
	call := history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args}
	values := refmodel.ValuesOf(e)
	for _, v := range t.Named {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	other := history.Value("?")
	if !t.Ordered {
		values = append(values, other)
	}
	claims := refmodel.Claims(t.Signature, &call, values)
	if len(claims) > mostClaims {
		return a, errMany
	}
	for _, l := range claims {
		o.Label = l
		if t.Closed && len(own.Ops) > 3*few {
			if yes, ok, err := t.Decide(ctx, about(&own, last)); err != nil || ok && !yes {
				if err != nil {
					return a, err
				}
				continue
			}
		}
		yes, ok, err := t.Decide(ctx, &own)
		switch {
		case err != nil:
			return a, err
		case ok && yes && slices.Contains(l.Rets, other):
			a.Open = true
		case ok && yes:
			a.Labels = append(a.Labels, l)
		}
		if err := ctx.Err(); err != nil {
			return a, err
		}
	}
	a.Open = a.Open || t.Ordered && slices.ContainsFunc(claims, func(l history.Label) bool { return len(l.Rets) > 0 })
	if a.Fits = len(a.Labels) > 0; !a.Fits {
		var ok bool
		a.Fits, ok, err = t.Decide(ctx, e.Prefix(e.Events-1))
		a.Fits = a.Fits && ok
	}
	a.Labels = sorted(a.Labels)
	return a, err
}

// few is how many operations are decided as fast as fewer.
const few = 10

// about is the operation that returns last, with those that have a value of its answer.
func about(e *history.Execution, last int) *history.Execution {
	rets := e.Ops[last].Rets
	return ground.Part(e, func(i int) bool {
		o := &e.Ops[i]
		return i == last || slices.ContainsFunc(rets, func(v history.Value) bool { return slices.Contains(o.Args, v) || slices.Contains(o.Rets, v) })
	})
}
