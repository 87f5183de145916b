package explore

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/explore/internal/callreturn"
	"github.com/adtinfer/adtinfer/explore/internal/search"
)

// ByCallReturn explores a queue or a stack within the bounds of the options and decides by calls
// and returns. The states of the observer are counted, too.
func ByCallReturn(ctx context.Context, o Options, order callreturn.Order) (r *Result, observer int, err error) {
	l, err := load(ctx, &o)
	if err != nil {
		return nil, 0, err
	}
	p, err := l.problem(ctx, o.Bounds)
	if err != nil {
		return nil, 0, err
	}
	own, err := callreturn.New(order, p.list, p.answers, o.Bounds.Threads)
	if err != nil {
		return nil, 0, err
	}
	found, err := search.New(search.Problem{
		Threads: o.Bounds.Threads,
		Start:   p.shared.Start,
		Machine: func() search.Machine { return p.shared.Machine() },
		Again:   p.shared.Again,
		Sets:    callsAndReturns{own},
		Answer:  p.answer,
	}, search.Options{}).Run(ctx)
	if err != nil {
		return nil, 0, err
	}
	r = &Result{Verdict: Holds, States: int64(found.Stats.States)}
	if found.Finding != nil {
		r.Verdict = verdictOf(found.Finding)
	}
	return r, own.Count(), nil
}

// callsAndReturns are sets for programs without announcements.
type callsAndReturns struct{ *callreturn.Observer }

func (callsAndReturns) Announce(int32, int, int32) (int32, error) {
	return 0, errors.New("announced without a policy")
}
