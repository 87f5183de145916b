package follow

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// zones is the obvious twin of register: all values, and all pairs of them.
type zones struct {
	now  int64
	f, l map[history.Value]int64
}

func (z *zones) called(o calling) {
	z.now++
	if o.open == batch.MaybeAdd {
		z.l[o.asked] = z.now
	}
}

func (z *zones) returned(o returning) (ok bool) {
	z.now++
	if _, known := z.l[o.val]; !known {
		return false
	}
	if z.f[o.val] == 0 && o.val != "" {
		z.f[o.val] = z.now
	}
	z.l[o.val] = max(z.l[o.val], o.at)
	for x, f := range z.f {
		for y, g := range z.f {
			if x != y && f < z.l[y] && g < z.l[x] {
				return false
			}
		}
	}
	return true
}

// TestRegisterTwin follows registers of many processes, some of whose operations run for
// long and see what is old, up to the first violation.
func TestRegisterTwin(t *testing.T) {
	violations := 0
	for seed := range testsize.Samples(20_000) {
		r := rand.New(rand.NewPCG(seed, 77))
		f, z := NewRegister(), &zones{f: map[history.Value]int64{"": 0}, l: map[history.Value]int64{"": 0}}
		type op struct {
			returning
			slow bool
		}
		running := make([]*op, 2+r.IntN(10))
		written, now := 0, history.Value("")
		for range 20 + r.IntN(200) {
			p := r.IntN(len(running))
			o := running[p]
			if o == nil {
				c := calling{open: batch.None}
				o = &op{returning{did: batch.Present, val: now}, r.IntN(4) == 0}
				if r.IntN(2) == 0 {
					written++
					v := history.Value(strconv.Itoa(written))
					c, o.returning, now = calling{open: batch.MaybeAdd, asked: v}, returning{open: batch.MaybeAdd, did: batch.Add, asked: v, val: v}, v
				} else if r.IntN(3) == 0 && written > 0 {
					o.val = history.Value(strconv.Itoa(max(written-r.IntN(4), 1)))
				}
				if o.val == "" {
					o.did = batch.Empty
				}
				at, why := f.called(c)
				if z.called(c); why != "" {
					t.Fatal(why)
				}
				o.at, running[p] = at, o
				continue
			}
			if o.slow && r.IntN(10) > 0 {
				continue
			}
			running[p] = nil
			got, want := f.returned(o.returning) == batch.Linearizable, z.returned(o.returning)
			if got != want {
				t.Fatalf("seed %d, event %d: %v, want %v", seed, z.now, got, want)
			}
			if !want {
				violations++
				break
			}
		}
	}
	if n := int(testsize.Samples(20_000)); violations < n/4 || violations > n*19/20 {
		t.Errorf("%d violations among %d", violations, n)
	}
}
