package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// feed hands the events of columns to an online queue. It returns the number of
// events after which it says no, or 0, and the most that it kept.
func feed(c *columns) (prefix int32, most int) {
	q := newOnline[int32]()
	type half struct {
		op   int
		call bool
	}
	at := make([]half, c.events+1)
	for i := range c.call {
		at[c.call[i]] = half{i, true}
		if c.ret[i] != never {
			at[c.ret[i]] = half{i, false}
		}
	}
	calls := make([]int64, len(c.call))
	for n := int32(1); n <= c.events; n++ {
		i, ok := at[n].op, true
		switch v := c.value[i]; {
		case at[n].call && c.open[i] == maybeAdd:
			q.callAdd(c.asked[i])
		case at[n].call:
			calls[i] = q.callRemove()
		case c.role[i] == add:
			q.returnAdd(v)
		case c.role[i] == empty:
			ok = q.returnEmpty(calls[i])
		default:
			ok = q.returnRemove(calls[i], v)
		}
		if !ok {
			return n, most
		}
		most = max(most, q.live())
	}
	return 0, most
}

// TestOnline compares the online queue with the shortest violating prefix that
// is found off line, on small executions and longer ones.
func TestOnline(t *testing.T) {
	m := &models[0]
	r := rand.New(rand.NewPCG(1, 4))
	bad := 0
	total := histories(60_000)
	for k := range total {
		var c *columns
		if k%5 > 0 {
			as, events := small(r, m).history()
			c = m.columns(as, events)
		} else {
			l := &longLog{m: m, Rand: r, columns: &columns{}, processes: 2 + r.IntN(9), busy: r.IntN(2) == 0, pending: r.IntN(3) == 0}
			l.run(20 + r.IntN(181))
			for range r.IntN(3) {
				l.spoil(r.IntN(len(l.call)))
			}
			c = l.columns
		}
		p, want := m.new(), int32(0)
		if a, w := p.decide(c, c.events); a == violating {
			want, _, _, _ = shortest(t.Context(), p, c, c.events, a, w)
			bad++
		}
		if got, _ := feed(c); got != want {
			t.Fatalf("execution %d of %d events: violation after %d, off line after %d", k, c.events, got, want)
		}
	}
	if bad < total/5 || bad > total*4/5 {
		t.Errorf("%d of %d violate", bad, total)
	}
}

// What is kept is bounded by what is in the queue and what runs.
func TestOnlineKeepsLittle(t *testing.T) {
	c := models[0].log(100_000, 0)
	prefix, most := feed(c)
	in, high := 0, 0
	for i := range c.call {
		switch c.role[i] {
		case add:
			in++
		case remove:
			in--
		}
		high = max(high, in)
	}
	t.Logf("at most %d in the queue, %d kept", high, most)
	if prefix != 0 || most > high+200 {
		t.Errorf("violation after %d; %d kept with at most %d in the queue", prefix, most, high)
	}
}

func TestStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var s stretches
		var twin [30]bool
		for range 8 {
			from := r.Int64N(30)
			to := from + r.Int64N(31-from)
			in := r.IntN(3) > 0
			switch {
			case from == to:
				continue
			case in:
				s = s.plus(from, to)
			default:
				s = s.minus(from, to)
			}
			for g := from; g < to; g++ {
				twin[g] = in
			}
		}
		a := r.Int64N(30)
		b := a + r.Int64N(31-a)
		meets := false
		free := s.complement(a, b)
		for g := a; g < b; g++ {
			meets = meets || twin[g]
			if free.meet(g, g+1) == twin[g] || s.meet(g, g+1) != twin[g] {
				t.Fatalf("gap %d: %v, complement in [%d,%d) %v", g, s, a, b, free)
			}
		}
		if s.meet(a, b) != meets {
			t.Fatalf("%v meets [%d,%d): %v", s, a, b, !meets)
		}
		for i := 1; i < len(s); i++ {
			if s[i-1].to > s[i].from {
				t.Fatalf("%v", s)
			}
		}
	}
}

// BenchmarkOnline follows an execution of 1,000,000 operations.
func BenchmarkOnline(b *testing.B) {
	c := models[0].log(1_000_000, 0)
	for b.Loop() {
		if prefix, most := feed(c); prefix != 0 {
			b.Fatal(fmt.Sprint(prefix, most))
		}
	}
}
