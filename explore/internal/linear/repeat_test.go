package linear

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testsize"
)

// TestRepeat walks sets at random, learning answers on the way, repeats the moves with
// others, and goes on with both.
func TestRepeat(t *testing.T) {
	for seed := range testsize.Samples(2000) {
		r := rand.New(rand.NewPCG(seed, 9))
		threads := 1 + r.IntN(4)
		rel := randomRelation(r, 1+r.IntN(5), 3, 4)
		fresh := func() *Sets { return New(&learning{rel, map[int32]bool{1: true, 3: true}}, threads) }
		sets := fresh()
		walk(r, sets, threads)
		other := fresh()
		if err := other.Repeat(sets.Moves()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !slices.Equal(sets.Moves(), other.Moves()) || !slices.Equal(sets.sets.all, other.sets.all) || !slices.Equal(sets.sets.from, other.sets.from) {
			t.Fatalf("seed %d: sets differ", seed)
		}
		again := r.Uint64()
		if a, b := walk(rand.New(rand.NewPCG(again, 1)), sets, threads), walk(rand.New(rand.NewPCG(again, 1)), other, threads); !slices.Equal(a, b) {
			t.Fatalf("seed %d: %v and %v", seed, a, b)
		}
	}
}

// walk makes random moves, and lists what came out.
func walk(r *rand.Rand, sets *Sets, threads int) (made []string) {
	set, runs := sets.Start(), make([]bool, threads)
	for range 5 + r.IntN(60) {
		var err error
		if r.IntN(8) == 0 {
			perm := r.Perm(threads)
			names, before := make([]uint8, threads), slices.Clone(runs)
			for i, t := range perm {
				names[i], runs[i] = uint8(t), before[t]
			}
			set = sets.Permute(set, names)
		} else if t := r.IntN(threads); runs[t] {
			set, err = sets.Return(set, t, r.Int32N(4))
			runs[t] = false
		} else {
			set, err = sets.Call(set, t, r.Int32N(3))
			runs[t] = true
		}
		made = append(made, fmt.Sprint(set, err))
		if set == None {
			set = sets.Start()
			clear(runs)
		}
	}
	return made
}

// TestRepeatWrong refuses moves that are not of these sets.
func TestRepeatWrong(t *testing.T) {
	for _, moves := range [][]uint64{
		{key(7, calling, 0, 0)}, {key(0, starting, 0, 0), key(1, calling, 2, 0)}, {key(0, starting, 0, 0), key(1, permuting, 0, 0)},
	} {
		if New(randomRelation(rand.New(rand.NewPCG(1, 1)), 1, 1, 1), 2).Repeat(moves) == nil {
			t.Errorf("%x is repeated", moves)
		}
	}
}

func TestPermOf(t *testing.T) {
	for n := 1; n <= MostThreads; n++ {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		for range testsize.Samples(500) {
			perm := make([]uint8, n)
			for i, t := range r.Perm(n) {
				perm[i] = uint8(t)
			}
			if got := permOf(rankOf(perm), n); !slices.Equal(got, perm) {
				t.Fatalf("%v has rank %d, which is %v", perm, rankOf(perm), got)
			}
		}
	}
}
