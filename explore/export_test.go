package explore

import (
	"context"

	"github.com/adtinfer/adtinfer/explore/internal/search"
)

// PlainStates counts the states of a package within bounds, whatever its operations answer: without a
// specification, and without a policy.
func PlainStates(ctx context.Context, o Options) (int, error) {
	o.Policy = false
	l, err := load(ctx, &o)
	if err != nil {
		return 0, err
	}
	p, err := l.problem(ctx, o.Bounds)
	if err != nil {
		return 0, err
	}
	found, err := search.New(search.Problem{
		Threads: p.bounds.Threads,
		Start:   p.shared.Start,
		Machine: func() search.Machine { return p.shared.Machine() },
		Again:   p.shared.Again,
		Sets:    anything{},
		Answer:  func(raw int32) (int32, error) { return raw, nil },
	}, search.Options{Workers: 1, NoLivelocks: true}).Run(ctx)
	if err != nil {
		return 0, err
	}
	return found.Stats.States, nil
}

// WithoutPolicy is the result of exploring a package with directives that became comments after it was
// compiled.
func WithoutPolicy(ctx context.Context, o Options) (*Result, error) {
	o.Policy = true
	l, err := load(ctx, &o)
	if err != nil {
		return nil, err
	}
	return l.withoutPolicy().grow(ctx, []Bounds{o.Bounds})
}

// anything is sets that accept everything.
type anything struct{}

func (anything) Start() int32                              { return 1 }
func (anything) Call(int32, int, int32) (int32, error)     { return 1, nil }
func (anything) Announce(int32, int, int32) (int32, error) { return 1, nil }
func (anything) Return(int32, int, int32) (int32, error)   { return 1, nil }
func (anything) Permute(int32, []uint8) int32              { return 1 }
func (anything) MayWait(int32, []int) (bool, error)        { return true, nil }
