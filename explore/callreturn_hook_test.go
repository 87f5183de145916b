package explore

import (
	"context"

	"github.com/adtinfer/adtinfer/explore/internal/callreturn"
	"github.com/adtinfer/adtinfer/explore/internal/search"
)

// silent is an observer to which nothing is announced.
type silent struct{ *callreturn.Observer }

func (silent) Announce(set int32, _ int, _ int32) (int32, error) { return set, nil }

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
		Sets:    silent{own},
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
