package wgl

import (
	"math/rand/v2"
	"testing"
)

// alike is a System of which only classes are asked.
type alike struct {
	System
	class []int32
}

func (a alike) Class(op int32) int32 { return a.class[op] }

// TestLanes compares numbers of pending operations by class, packed into words, with
// plain numbers.
func TestLanes(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 41))
		n, most := 1+r.IntN(400), 1+r.Int32N(40)
		sys := alike{class: make([]int32, n)}
		for op := range sys.class {
			sys.class[op] = r.Int32N(most) - r.Int32N(2)
		}
		const fixed = 2
		c := classesOf(&timeline{slot: make([]int32, n), fixed: fixed}, sys)
		set := func() (words []uint64, numbers map[lane]int) {
			words, numbers = make([]uint64, fixed+len(c.guards)), map[lane]int{}
			for op := range sys.class {
				if b := c.before[op]; (b == none || numbers[c.lane[op]] > 0) && r.IntN(8) > 0 {
					words[c.lane[op].word] += c.lane[op].unit
					numbers[c.lane[op]]++
				}
			}
			return words, numbers
		}
		a, as := set()
		b, bs := set()
		want := true
		for l, number := range as {
			want = want && number <= bs[l]
		}
		if got := (&cache{guards: c.guards}).within(a[fixed:], b[fixed:]); got != want {
			t.Fatalf("seed %d: %v within %v: %v", seed, as, bs, got)
		}
		if !(&cache{guards: c.guards}).within(a[fixed:], a[fixed:]) {
			t.Fatalf("seed %d: %v not within itself", seed, as)
		}
	}
}
