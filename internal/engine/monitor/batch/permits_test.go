package batch

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// acquires makes a history of a semaphore: calls that must wait do, but for one in
// spoil, which returns without effect. Tickets are given back by anyone, mostly once.
func acquires(r *rand.Rand, m *model, limit int) (as []action, events int32) {
	state, spoil, ops := uint64(0), []int{0, 3, 6}[r.IntN(3)], 4+r.IntN(9)
	running, effect := make([]int, 2+r.IntN(5)), make([]bool, ops)
	for range 5 * ops {
		p := r.IntN(len(running))
		i := running[p] - 1
		switch {
		case i < 0 && len(as) == ops:
		case i < 0:
			events++
			a := action{call: events, ret: Never, arg: uint64(len(as) + 1)}
			if k := r.IntN(len(as) + 1); len(as) > 0 && r.IntN(2) == 0 {
				a.method, a.arg = 1, uint64(k+1) // of an acquire, mostly
				if k < len(as) {
					a.arg = as[k].arg
				}
			}
			as = append(as, a)
			running[p] = len(as)
		case !effect[i]:
			a := &as[i]
			m.branch(state, a.method, a.arg, func(_ Role, _, next uint64) bool { state, effect[i] = next, true; return false })
			effect[i] = effect[i] || spoil > 0 && r.IntN(spoil) == 0
		default:
			events++
			as[i].ret, as[i].value, running[p] = events, as[i].arg, 0
			as[i].role = []Role{Add, Remove}[as[i].method]
		}
	}
	return as, events
}

// TestPermits compares the procedure with a search of all linearizations, on random
// histories and prefixes of them, and replays what it linearizes.
func TestPermits(t *testing.T) {
	for limit := 1; limit <= 3; limit++ {
		m := permitsModel("permits", limit)
		t.Run(strconv.Itoa(limit), func(t *testing.T) {
			t.Parallel()
			p, o := m.new(), &oracle{}
			r := rand.New(rand.NewPCG(uint64(limit), 7))
			counts := map[Answer]int{}
			total := histories(60_000)
			for k := range total {
				as, events := acquires(r, &m, limit)
				if events == 0 {
					continue
				}
				c := m.Columns(as, events)
				for _, n := range []int32{events, 1 + r.Int32N(events)}[:1+k%2] {
					want := o.linearizable(&m, as, n)
					got, w := p.Decide(c, n)
					counts[got]++
					if got == Unclear || want != (got == Linearizable) {
						t.Fatalf("history %d, prefix %d: %v, but linearizable is %v\n%s", k, n, got, want, m.text(as, events))
					}
					if got == Linearizable && n == events {
						if err := m.ordered(p, as, c); err != nil {
							t.Fatalf("history %d: %v\n%s", k, err, m.text(as, events))
						}
					}
					if got != Violating {
						continue
					}
					first, _, _, exact := Shortest(t.Context(), p, c, n, got, w)
					if !exact || o.linearizable(&m, as, first) || !o.linearizable(&m, as, first-1) {
						t.Fatalf("history %d: not the shortest prefix of %d: %d\n%s", k, n, first, m.text(as, events))
					}
				}
			}
			t.Logf("%v", counts)
			if counts[Linearizable] < total/5 || counts[Violating] < total/5 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
