package monitor

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// followers follow the types of the models.
var followers = map[string]func() follower{
	"queue":    newOnline,
	"bag":      newOnlineBag,
	"register": newOnlineRegister,
	"set":      func() follower { return newOnlineSet(false) },
	"lock":     newOnlineLock,
}

// follower is the one for a model: segments if there is no other.
func (m *model) follower(c *columns) follower {
	if follow := followers[m.name]; follow != nil {
		return follow()
	}
	s := &segments{procedure: m.new(), looks: strings.HasSuffix(m.name, "peeks"), running: map[int64]int32{}}
	if m.priority != nil {
		s.priority = func(v history.Value) (int64, error) {
			n, err := strconv.Atoi(string(v))
			return c.priority[n], err
		}
	}
	s.begin(0)
	return s
}

func text(v int32) history.Value { return history.Value(strconv.Itoa(int(v))) }

// feed hands the events of columns to a follower. It returns the number of
// events after which it does not say yes any more, or 0, what it says then, and
// the most that it kept.
func feed(q follower, c *columns) (prefix int32, a answer, most int) {
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
		i := at[n].op
		if at[n].call {
			why := ""
			if calls[i], why = q.called(calling{c.open[i], c.kind[i], text(c.asked[i])}); why != "" {
				return n, unclear, most
			}
			continue
		}
		a := q.returned(returning{calls[i], c.open[i], c.role[i], text(c.asked[i]), text(c.value[i])})
		if a != linearizable {
			return ended(q, n), a, most
		}
		most = max(most, q.live())
	}
	if a := q.finish(); a != linearizable {
		return ended(q, c.events), a, most
	}
	return 0, linearizable, most
}

// ended is the shortest prefix of a follower that says no after n events.
func ended(q follower, n int32) int32 {
	if p, _ := q.prefix(); p != 0 {
		return int32(p)
	}
	return n
}

// TestOnline compares the followers with the shortest violating prefix that
// is found off line, on small executions and longer ones.
func TestOnline(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 4))
			bad, total := 0, histories(20_000)
			if followers[m.name] == nil {
				total /= 8 // they are decided again and again
			}
			for k := range total {
				c := anyLog(r, m, k%5 > 0)
				if c == nil {
					continue
				}
				p, want := m.new(), int32(0)
				a, w := p.decide(c, c.events)
				if a == violating {
					exact := false
					if want, a, _, exact = shortest(t.Context(), p, c, c.events, a, w); !exact {
						continue
					}
					bad++
				}
				got, b, _ := feed(m.follower(c), c)
				if a != unclear && b != unclear && got != want || b == unclear && a == violating {
					t.Fatalf("execution %d of %d events: %v after %d, off line %v after %d\n%s", k, c.events, b, got, a, want, m.columnsText(c))
				}
			}
			if bad < total/5 || bad > total*4/5 {
				t.Errorf("%d of %d violate", bad, total)
			}
		})
	}
}

// anyLog is a small random execution or a longer one; nil if a value was added twice.
func anyLog(r *rand.Rand, m *model, few bool) *columns {
	if few {
		as, events := small(r, m).history()
		if !oneClass(as) {
			return nil
		}
		return m.columns(as, events)
	}
	l := &longLog{m: m, Rand: r, columns: &columns{}, processes: 2 + r.IntN(9), busy: r.IntN(2) == 0, pending: r.IntN(3) == 0}
	l.run(20 + r.IntN(181))
	for range r.IntN(3) {
		l.spoil(r.IntN(len(l.call)))
	}
	return l.columns
}

func (m *model) columnsText(c *columns) string {
	as := make([]action, len(c.call))
	for i := range as {
		as[i] = action{method: int(c.open[i]) % len(m.methods), arg: uint64(c.asked[i] + 1), role: c.role[i], value: uint64(c.value[i] + 1), call: c.call[i], ret: c.ret[i]}
	}
	return m.text(as, c.events)
}

// What is kept is bounded by what is in and what runs.
func TestOnlineKeepsLittle(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if followers[m.name] == nil {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			c := m.log(histories(100_000), 0)
			prefix, a, most := feed(m.follower(c), c)
			high := most
			many := m.name == "queue" || m.name == "bag" || m.name == "set"
			if many {
				high = mostIn(c)
			}
			t.Logf("at most %d in, %d kept", high, most)
			if prefix != 0 || most > high+200 || most > 200 && !many {
				t.Errorf("%v after %d; %d kept with at most %d in", a, prefix, most, high)
			}
		})
	}
}

// What is kept of others is bounded by what happens from one moment at which
// nothing is in to the next, and an eighth more.
func TestSegmentsKeepLittle(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if followers[m.name] != nil || m.name == "steal" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			c := m.emptied(max(10_000, histories(30_000)))
			prefix, a, most := feed(m.follower(c), c)
			longest := busiest(c)
			t.Logf("at most %d operations between, %d kept", longest, most)
			if prefix != 0 || longest > len(c.call)/4 || most > longest*5/4+50 {
				t.Errorf("%v after %d; %d kept with at most %d operations between", a, prefix, most, longest)
			}
		})
	}
}

// emptied is a log of n operations in which few values are in at a time.
func (m *model) emptied(n int) *columns {
	l := &longLog{m: m, Rand: rand.New(rand.NewPCG(uint64(n), 6)), columns: &columns{}, processes: 6, most: 4}
	l.run(n)
	return l.columns
}

// busiest is how many operations are called from one gap in no core to the next,
// at most.
func busiest(c *columns) (most int) {
	k := &container{}
	k.load(c, c.events)
	k.covering()
	from := 0
	for g := range c.events {
		if k.cover[g] <= g {
			most = max(most, c.within(g)-from)
			from = c.within(g)
		}
	}
	return most
}

// mostIn is how many values were in at a time, about.
func mostIn(c *columns) (high int) {
	in := 0
	for i := range c.call {
		switch c.role[i] {
		case add:
			in++
		case remove:
			in--
		}
		high = max(high, in)
	}
	return high
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
		if prefix, _, most := feed(newOnline(), c); prefix != 0 {
			b.Fatal(fmt.Sprint(prefix, most))
		}
	}
}

// BenchmarkSegments follows executions of 100,000 operations.
func BenchmarkSegments(b *testing.B) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if followers[m.name] != nil || m.name == "steal" {
			continue
		}
		b.Run(m.name, func(b *testing.B) {
			c := m.emptied(100_000)
			for b.Loop() {
				if prefix, _, most := feed(m.follower(c), c); prefix != 0 {
					b.Fatal(fmt.Sprint(prefix, most))
				}
			}
		})
	}
}

// A stream keeps columns that were not decided, and later ones have more values.
func TestPrioritiesGrow(t *testing.T) {
	s := newSegments(new(priorities), PriorityQueue{Name: "pq", Add: "add", Remove: "remove"}.recognized().reader).(*segments)
	add := func(v history.Value) {
		at, why := s.called(calling{open: maybeAdd, asked: v})
		if a := s.returned(returning{at: at, open: maybeAdd, did: add, asked: v, val: v}); why != "" || a != linearizable {
			t.Fatal(why, a)
		}
	}
	add("1")
	s.procedure.decide(s.c, s.c.events)
	columns := s.c
	s.checked = 1000 // not yet
	add("2")
	at, _ := s.called(calling{open: maybeRemove})
	s.checked = 0
	if a := s.returned(returning{at: at, open: maybeRemove, did: remove, val: "1"}); a != violating || s.c != columns {
		t.Errorf("%v: 1 left before 2", a)
	}
}
