package batch

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGapSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	var s gapSet
	for range histories(3000) {
		n := 1 + r.IntN(9000)
		if r.IntN(2) == 0 {
			n = 1 + r.IntN(200)
		}
		s.fill(n)
		twin := slices.Repeat([]bool{true}, n)
		for range 1 + r.IntN(8) {
			from := r.IntN(n)
			to := from + r.IntN(n-from+1)
			s.remove(int32(from), int32(to))
			for g := from; g < to; g++ {
				twin[g] = false
			}
			g := r.IntN(n)
			next, prev := g, g
			for next < n && !twin[next] {
				next++
			}
			for prev >= 0 && !twin[prev] {
				prev--
			}
			if next == n {
				next = int(Never)
			}
			if s.next(int32(g)) != int32(next) || s.prev(int32(g)) != int32(prev) {
				t.Fatalf("of %d gaps, at %d: %d and %d, want %d and %d", n, g, s.next(int32(g)), s.prev(int32(g)), next, prev)
			}
		}
	}
}

func TestDescending(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 12))
	for range histories(1000) {
		keys := make([]int64, r.IntN(300))
		shift := r.IntN(64)
		for i := range keys {
			keys[i] = int64(r.Uint64()) >> shift
		}
		want := make([]int32, len(keys))
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			switch {
			case keys[a] > keys[b]:
				return -1
			case keys[a] < keys[b]:
				return 1
			}
			return 0
		})
		if got := descending(keys); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", keys, got, want)
		}
	}
}
