package explore

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/mutants"
	"github.com/adtinfer/adtinfer/explore/internal/search"
)

// Theorem explores a package with its policy, and follows each run by sets of configurations, too. The
// error says that the policy accepts a history that is not linearizable. It reports whether the
// policy holds.
func Theorem(ctx context.Context, o Options) (bool, error) {
	l, err := load(ctx, &o)
	if err != nil {
		return false, err
	}
	return l.theorem(ctx)
}

// TheoremMutants is Theorem of all wrong versions of a package: how many there are, of how many the policy
// holds.
func TheoremMutants(ctx context.Context, o Options) (all, hold int, err error) {
	l, err := load(ctx, &o)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range mutants.Of(l.own, mine) {
		own := *l
		own.program = m.Program(l.own)
		ok, err := own.theorem(ctx)
		if errors.Is(err, errTheorem) {
			return all, hold, err
		}
		if all++; ok && err == nil {
			hold++
		}
	}
	return all, hold, nil
}

func (l *loaded) theorem(ctx context.Context) (bool, error) {
	p, err := l.problem(ctx, l.Bounds)
	if err != nil {
		return false, err
	}
	both := &both{p: p}
	both.reset()
	found, err := search.New(search.Problem{
		Threads: p.bounds.Threads,
		Start:   p.shared.Start,
		Machine: func() search.Machine { return p.shared.Machine() },
		Again:   p.shared.Again,
		Sets:    both,
		Answer:  p.answer,
	}, search.Options{Workers: 1}).Run(ctx)
	return err == nil && found.Finding == nil, err
}

var errTheorem = errors.New("the policy accepts a history that is not linearizable")

// both is pairs of a monitor's state and a set of configurations.
type both struct {
	p       *problem
	sets    *linear.Sets
	numbers map[[2]int32]int32
	pairs   [][2]int32
}

func (b *both) reset() {
	b.sets = linear.New(b.p.spec, b.p.bounds.Threads)
	b.numbers, b.pairs = map[[2]int32]int32{}, make([][2]int32, 1)
}

func (b *both) number(m, l int32) int32 {
	pair := [2]int32{m, l}
	if _, known := b.numbers[pair]; !known {
		b.numbers[pair] = int32(len(b.pairs))
		b.pairs = append(b.pairs, pair)
	}
	return b.numbers[pair]
}

func (b *both) pair(m, l int32, err, wrong error) (int32, error) {
	if errors.Is(wrong, machine.ErrAgain) {
		wrong = b.p.again(wrong)
	}
	switch err = errors.Join(err, wrong); {
	case errors.Is(err, machine.ErrAgain):
		b.reset()
		return 0, machine.ErrAgain
	case err != nil || m == 0:
		return 0, err
	case l == linear.None:
		return 0, errTheorem
	}
	return b.number(m, l), nil
}

func (b *both) Start() int32 { return b.number(b.p.sets.Start(), b.sets.Start()) }

func (b *both) Call(set int32, thread int, call int32) (int32, error) {
	m, err := sets{b.p}.Call(b.pairs[set][0], thread, call)
	l, wrong := b.sets.Call(b.pairs[set][1], thread, call)
	return b.pair(m, l, err, wrong)
}

func (b *both) Announce(set int32, thread int, answer int32) (int32, error) {
	m, err := sets{b.p}.Announce(b.pairs[set][0], thread, answer)
	return b.pair(m, b.pairs[set][1], err, nil)
}

func (b *both) Return(set int32, thread int, answer int32) (int32, error) {
	m, err := sets{b.p}.Return(b.pairs[set][0], thread, answer)
	l, wrong := b.sets.Return(b.pairs[set][1], thread, answer)
	return b.pair(m, l, err, wrong)
}

func (b *both) Permute(set int32, perm []uint8) int32 {
	return b.number(b.p.sets.Permute(b.pairs[set][0], perm), b.sets.Permute(b.pairs[set][1], perm))
}

func (b *both) MayWait(set int32, threads []int) (bool, error) {
	return sets{b.p}.MayWait(b.pairs[set][0], threads)
}
