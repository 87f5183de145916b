package follow

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// gaps is the obvious twin of what queue says of operations that found nothing: all of
// them, all gaps, and all values.
type gaps struct {
	now     int64
	ends    map[history.Value]int64 // of the adds of values that were not removed
	gone    map[history.Value]bool
	pending map[int64]bool
	cores   [][2]int64 // of values that were removed
	open    [][2]int64
}

func (s *gaps) returned(x returning) (ok bool) {
	s.now++
	if x.open == batch.MaybeRemove {
		delete(s.pending, x.at)
	}
	switch x.did {
	case batch.Add:
		if !s.gone[x.val] {
			s.ends[x.val] = s.now
		}
	case batch.Empty:
		s.open = append(s.open, [2]int64{x.at, s.now})
	default:
		s.gone[x.val] = true
		if ae, in := s.ends[x.val]; in {
			s.cores = append(s.cores, [2]int64{ae, x.at})
			delete(s.ends, x.val)
		}
	}
	return !slices.ContainsFunc(s.open, func(o [2]int64) bool {
		for g := o[0]; g < o[1]; g++ {
			if s.free(g) {
				return false
			}
		}
		return true
	})
}

func (s *gaps) free(g int64) bool {
	if slices.ContainsFunc(s.cores, func(c [2]int64) bool { return c[0] <= g && g < c[1] }) {
		return false
	}
	n := 0
	for call := range s.pending {
		if call <= g {
			n++
		}
	}
	for _, ae := range s.ends {
		if ae <= g {
			n--
		}
	}
	return n >= 0
}

// TestBagTwin follows bags of many processes, some of whose removes return late or never,
// up to the first violation: their operations find nothing now and then, wrongly at times.
func TestBagTwin(t *testing.T) {
	violations := 0
	for seed := range testsize.Samples(20_000) {
		r := rand.New(rand.NewPCG(seed, 78))
		f, s := NewBag(), &gaps{ends: map[history.Value]int64{}, gone: map[history.Value]bool{}, pending: map[int64]bool{}}
		type op struct {
			returning
			slow int // it returns at every slow-th chance
		}
		running := make([]*op, 2+r.IntN(10))
		var in []history.Value
		wrong, added := 1+r.IntN(20), 0
		for range 20 + r.IntN(200) {
			p := r.IntN(len(running))
			if o := running[p]; o != nil {
				if o.slow == 0 || r.IntN(o.slow) > 0 {
					continue
				}
				running[p] = nil
				got, want := f.returned(o.returning) == batch.Linearizable, s.returned(o.returning)
				if got != want {
					t.Fatalf("seed %d, event %d: %v, want %v", seed, s.now, got, want)
				}
				if !want {
					violations++
					break
				}
				if q := f.(*queue); len(q.open) > len(s.open) || !slices.IsSortedFunc(q.open, func(a, b nothing) int { return int(a.gap - b.gap) }) {
					t.Fatalf("seed %d: %v", seed, q.open)
				}
				continue
			}
			o, c := &op{slow: []int{1, 1, 1, 8, 0}[r.IntN(5)]}, calling{open: batch.MaybeRemove}
			switch k := r.IntN(8); {
			case k < 3:
				added++
				v := history.Value(strconv.Itoa(added))
				c = calling{open: batch.MaybeAdd, asked: v}
				o.returning = returning{open: batch.MaybeAdd, did: batch.Add, asked: v, val: v}
				in = append(in, v)
				o.slow = max(o.slow, 1)
			case len(in) > 0 && r.IntN(wrong) > 0:
				i := r.IntN(len(in))
				o.returning = returning{open: batch.MaybeRemove, did: batch.Remove, val: in[i]}
				in = slices.Delete(in, i, i+1)
			case k < 7:
				o.returning = returning{open: batch.MaybeRemove, did: batch.Empty}
			default:
				c.open, o.returning = batch.None, returning{did: batch.Empty}
			}
			at, why := f.called(c)
			if s.now++; why != "" || at != s.now {
				t.Fatal(why, at)
			}
			if o.at, running[p] = at, o; c.open == batch.MaybeRemove {
				s.pending[at] = true
			}
		}
	}
	if n := int(testsize.Samples(20_000)); violations < n/20 || violations > n*9/10 {
		t.Errorf("%d violations among %d", violations, n)
	}
}

// TestRanks compares with counting.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var s ranks
		var twin []int64
		next := int64(0)
		for range 1000 {
			if len(twin) == 0 || r.IntN(20) > 9 {
				next += 1 + r.Int64N(3)
				s.add(next)
				twin = append(twin, next)
			} else {
				i := r.IntN(len(twin))
				s.remove(twin[i])
				twin = slices.Delete(twin, i, i+1)
			}
			at, want := r.Int64N(next+3), 0
			for _, n := range twin {
				if n <= at {
					want++
				}
			}
			if got := s.upTo(at); got != want {
				t.Fatalf("%d up to %d of %v, want %d", got, at, twin, want)
			}
		}
		if len(s.numbers) > 2*len(twin)+64 {
			t.Errorf("%d are kept for %d", len(s.numbers), len(twin))
		}
	}
}

// A value that a pending remove might have taken in time comes too late from a remove that
// was called later.
func TestOvertaken(t *testing.T) {
	f := NewQueue()
	call := func(c calling) int64 {
		at, _ := f.called(c)
		return at
	}
	remove := calling{open: batch.MaybeRemove}
	call(remove)
	for _, v := range []history.Value{"1", "2"} {
		at := call(calling{open: batch.MaybeAdd, asked: v})
		f.returned(returning{at: at, open: batch.MaybeAdd, did: batch.Add, asked: v, val: v})
	}
	for i, v := range []history.Value{"2", "1"} {
		a := f.returned(returning{at: call(remove), open: batch.MaybeRemove, did: batch.Remove, val: v})
		if rule, _ := f.why(); a == batch.Violating != (i == 1) || i == 1 && rule != batch.OutOfOrder {
			t.Errorf("%s: %v %v", v, a, rule)
		}
	}
}

// Pending removes that took everything, thousands of them, cost nothing when more
// operations find nothing.
func TestTakenForEver(t *testing.T) {
	f := NewQueue()
	call := func(c calling) int64 {
		at, _ := f.called(c)
		return at
	}
	remove := calling{open: batch.MaybeRemove}
	const n = 100_000
	for i := range n { // half a millisecond each, were all of them looked at
		call(remove)
		v := history.Value(strconv.Itoa(i))
		f.returned(returning{at: call(calling{open: batch.MaybeAdd, asked: v}), open: batch.MaybeAdd, did: batch.Add, asked: v, val: v})
		if a := f.returned(returning{at: call(remove), open: batch.MaybeRemove, did: batch.Empty}); a != batch.Linearizable {
			t.Fatal(i, a)
		}
	}
	if kept := f.live(); kept != 3*n {
		t.Errorf("%d are kept", kept)
	}
}
