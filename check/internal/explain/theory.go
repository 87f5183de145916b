package explain

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics"
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
	own := *e
	own.Ops = slices.Clone(e.Ops)
	o := &own.Ops[Last(e)]
	claims, err := t.claims(ctx, &own, Last(e))
	if err != nil {
		return a, err
	}
	for _, l := range claims {
		o.Label = l
		yes, ok, err := t.Decide(ctx, &own)
		switch {
		case err != nil:
			return a, err
		case !ok:
			return a, errSilent
		case yes && slices.Contains(l.Rets, otherValue):
			a.Open = true
		case yes:
			a.Labels = append(a.Labels, l)
		}
		if len(a.Labels) > mostAnswers {
			err = errMany
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
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

// otherValue stands for all values that the execution does not have.
const otherValue history.Value = "?"

// claims are the answers to try of the last operation of an execution.
func (t *Theory) claims(ctx context.Context, e *history.Execution, last int) ([]history.Label, error) {
	call := history.Label{Kind: history.Kind{Method: e.Ops[last].Method}, Args: e.Ops[last].Args}
	values := semantics.ValuesOf(e.Ops)
	for _, v := range t.Named {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if !t.Ordered {
		values = append(values, otherValue)
	}
	claims, all := wgl.Claims(t.Signature, &call, values)
	var err error
	if t.Closed && len(e.Ops) > 3*few {
		claims, err = t.likely(ctx, e, last, claims)
	}
	if err == nil && (!all || len(claims) > mostClaims) {
		err = errMany
	}
	return claims, err
}

var errSilent = errors.New("the theory does not say whether it may answer so")

// few is how many operations are decided as fast as fewer.
const few = 10

// likely leaves out answers that cannot be with the operations alone that have values of theirs, or with those
// of another answer, too: the one whose values come first, last, or between.
func (t *Theory) likely(ctx context.Context, e *history.Execution, last int, claims []history.Label) ([]history.Label, error) {
	with := map[history.Value][]int{}
	var running []int // which may have any value
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			running = append(running, i)
		}
		for _, v := range slices.Concat(e.Ops[i].Args, e.Ops[i].Rets) {
			if i != last && (len(with[v]) == 0 || with[v][len(with[v])-1] != i) {
				with[v] = append(with[v], i)
			}
		}
	}
	ops := func(l *history.Label) (all []int) {
		for _, v := range l.Rets {
			all = append(all, with[v]...)
		}
		return all
	}
	for round := range 4 {
		var beside []int
		if n := len(claims); round > 0 && n > 0 {
			beside = ops(&claims[[]int{0, 0, n - 1, n / 2}[round]])
		}
		var left []history.Label
		for _, l := range claims {
			yes, ok, err := t.Decide(ctx, answering(e, append(slices.Concat(running, beside, ops(&l)), last), &l))
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			if yes || !ok {
				left = append(left, l)
			}
		}
		claims = left
		slices.SortStableFunc(claims, func(a, b history.Label) int { return append(ops(&a), len(e.Ops))[0] - append(ops(&b), len(e.Ops))[0] })
	}
	return claims, nil
}

// answering is some operations of an execution, of which the last in the list has another label.
func answering(e *history.Execution, ops []int, l *history.Label) *history.Execution {
	last := ops[len(ops)-1]
	slices.Sort(ops)
	part := &history.Execution{}
	for _, i := range slices.Compact(ops) {
		part.Ops = append(part.Ops, e.Ops[i])
		if i == last {
			part.Ops[len(part.Ops)-1].Label = *l
		}
	}
	return ground.Part(part, func(int) bool { return true })
}
