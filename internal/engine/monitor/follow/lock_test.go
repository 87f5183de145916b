package follow

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// A value that a pending remove might have taken before an operation found nothing comes
// too late from a remove that was called later.
func TestFoundNothing(t *testing.T) {
	f := NewLock()
	remove, add := calling{open: batch.MaybeRemove}, calling{open: batch.MaybeAdd, asked: "1"}
	call := func(c calling) int64 {
		at, _ := f.called(c)
		return at
	}
	call(remove)
	f.returned(returning{at: call(add), open: batch.MaybeAdd, did: batch.Add, asked: "1", val: "1"})
	if a := f.returned(returning{at: call(remove), open: batch.MaybeRemove, did: batch.Empty}); a != batch.Linearizable {
		t.Error(a)
	}
	if a := f.returned(returning{at: call(remove), open: batch.MaybeRemove, did: batch.Remove, val: "1"}); a != batch.Violating {
		t.Error(a)
	}
}

// TestLimits compares deadlines with the least of all that were given.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		k := NewLock().(*lock)
		var all []*lockValue
		twin := map[*lockValue]int64{}
		for range 60 {
			if r.IntN(3) == 0 {
				x := &lockValue{a: 1 + r.Int64N(100)}
				all, k.fresh = append(all, x), append(k.fresh, x)
				continue
			}
			var x *lockValue
			if len(all) > 0 && r.IntN(2) == 0 {
				x = all[r.IntN(len(all))]
			}
			f, l := 1+r.Int64N(100), 1+r.Int64N(100)
			k.limit(x, f, l)
			for _, y := range all {
				if y != x && y.a < l && (twin[y] == 0 || f < twin[y]) {
					twin[y] = f
				}
				if y.deadline != twin[y] {
					t.Fatalf("deadline %d, want %d", y.deadline, twin[y])
				}
			}
		}
	}
}
