package monitor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// tableOracle decides a history without pending operations by a search of all
// linearizations, over a table.
type tableOracle struct {
	*table
	as    []action
	class []int   // by value
	in    []int32 // values that are in, in the order in which they came
}

func (o *tableOracle) search(done uint64) bool {
	first := never
	for i, a := range o.as {
		if done>>i&1 == 0 {
			first = min(first, a.ret)
		}
	}
	if first == never {
		return true
	}
	for i, a := range o.as {
		if done>>i&1 == 1 || a.call > first {
			continue
		}
		saved := append([]int32{}, o.in...)
		if o.step(a) && o.search(done|1<<i) {
			return true
		}
		o.in = saved
	}
	return false
}

// step lets an operation take effect. What two values do to each other is
// clear when the first of them leaves, or, if both stay, when the second comes.
func (o *tableOracle) step(a action) bool {
	v := int32(a.value)
	switch a.role {
	case empty:
		return len(o.in) == 0
	case add:
		for _, u := range o.in {
			if o.stays(o.class[u]) && o.stays(o.class[v]) && !o.encloses[o.at(o.class[u], o.class[v])] {
				return false
			}
		}
		o.in = append(o.in, v)
		return true
	}
	at := -1
	for i, u := range o.in {
		switch {
		case u == v:
			at = i
		case at < 0 && !o.encloses[o.at(o.class[u], o.class[v])] || at >= 0 && !o.overtaken[o.at(o.class[v], o.class[u])]:
			return false
		}
	}
	if at < 0 {
		return false
	}
	o.in = append(append([]int32{}, o.in[:at]...), o.in[at+1:]...)
	return true
}

// linearizes tells whether an order is a linearization of all operations.
func (o *tableOracle) linearizes(order []int32) bool {
	o.in = nil
	latest := int32(0)
	for _, i := range order {
		x := o.as[i]
		if latest = max(latest, x.call); x.ret < latest || !o.step(x) {
			return false
		}
	}
	slices.Sort(order)
	return len(slices.Compact(order)) == len(o.as)
}

// randomTable is a table that is closed.
func randomTable(r *rand.Rand) *table {
	for {
		t := &table{adders: 1 + r.IntN(2), removers: 1 + r.IntN(2)}
		n := t.classes()
		t.encloses, t.overtaken = make([]bool, n*n), make([]bool, n*n)
		for i := range t.encloses {
			t.encloses[i], t.overtaken[i] = r.IntN(4) > 0, r.IntN(4) > 0
			if t.stays(i/n) && t.stays(i%n) {
				t.encloses[i], t.overtaken[i] = true, true
			}
		}
		if t.closed() {
			return t
		}
	}
}

// ends gives the kinds that put in, and take out, at one of two ends: by them a
// table is that of a sequence with two ends.
func twoEnds(frontIn, backIn, frontOut, backOut bool) *table {
	var in, out []bool // is it the front?
	for _, k := range []struct{ has, front, in bool }{{frontIn, true, true}, {backIn, false, true}, {frontOut, true, false}, {backOut, false, false}} {
		switch {
		case !k.has:
		case k.in:
			in = append(in, k.front)
		default:
			out = append(out, k.front)
		}
	}
	t := &table{adders: len(in), removers: len(out)}
	n := t.classes()
	t.encloses, t.overtaken = make([]bool, n*n), make([]bool, n*n)
	for v := range n {
		for w := range n {
			wAtFront := in[w/(t.removers+1)] // v was there before, so it is on the other side
			at, rv, rw := t.at(v, w), v%(t.removers+1), w%(t.removers+1)
			t.encloses[at] = t.stays(w) || out[rw] == wAtFront
			t.overtaken[at] = t.stays(v) || out[rv] != wAtFront
		}
	}
	return t
}

// tableHistory has matched operations of random kinds, without pending ones.
func tableHistory(r *rand.Rand, t *table) (as []action, kinds []uint8, events int32) {
	values := 2 + r.IntN(4)
	type todo struct {
		role  role
		value uint64
	}
	var ready []todo
	for v := range values {
		ready = append(ready, todo{add, uint64(v)})
	}
	for range r.IntN(3) {
		ready = append(ready, todo{empty, 0})
	}
	var running []int
	for len(ready)+len(running) > 0 {
		if k := len(ready); k > 0 && len(running) < 4 && r.IntN(2) == 0 {
			k = r.IntN(k)
			x := ready[k]
			ready = append(ready[:k], ready[k+1:]...)
			events++
			as = append(as, action{role: x.role, value: x.value, call: events, ret: never})
			kind := r.IntN(t.adders)
			if x.role == remove {
				kind = r.IntN(t.removers)
			}
			kinds = append(kinds, uint8(kind))
			running = append(running, len(as)-1)
			if x.role == add && r.IntN(6) > 0 {
				ready = append(ready, todo{remove, x.value})
			}
		} else if len(running) > 0 {
			k := r.IntN(len(running))
			events++
			as[running[k]].ret = events
			running = append(running[:k], running[k+1:]...)
		}
	}
	return as, kinds, events
}

// TestDeletion compares the deletion of values with a search of all
// linearizations, for random tables and for those of known types.
func TestDeletion(t *testing.T) {
	known := map[string]func(*rand.Rand) *table{
		"random":                                randomTable,
		"taken at one end, stolen at the other": func(*rand.Rand) *table { return twoEnds(true, false, true, true) },
		"two ends":                              func(*rand.Rand) *table { return twoEnds(true, true, true, true) },
		"queue of two kinds":                    func(*rand.Rand) *table { return twoEnds(false, true, true, false) },
		"put at both ends":                      func(*rand.Rand) *table { return twoEnds(true, true, true, false) },
		"stack":                                 func(*rand.Rand) *table { return twoEnds(true, false, true, false) },
	}
	for name, make := range known {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(name)), 11))
			counts := map[string]int{}
			for k := range histories(20_000) {
				tb := make(r)
				as, kinds, events := tableHistory(r, tb)
				c := &columns{events: events}
				o := &tableOracle{table: tb, as: as}
				o.class = append(o.class, 0, 0, 0, 0, 0, 0)
				for v := range o.class {
					o.class[v] = tb.removers
				}
				for i, a := range as {
					v := int32(a.value)
					if a.role == empty {
						v = -1
					}
					c.push(op{role: a.role, value: v, kind: kinds[i], asked: -1, call: a.call, ret: a.ret})
					switch a.role {
					case add:
						o.class[v] += int(kinds[i]) * (tb.removers + 1)
					case remove:
						o.class[v] += int(kinds[i]) - tb.removers
					}
				}
				d := &deletion{table: tb}
				got, w := d.decide(c, events)
				want := o.search(0)
				counts[fmt.Sprintf("%v %v", got, want)]++
				if got != unclear && want != (got == linearizable) {
					t.Fatalf("history %d: %v %v, linearizable is %v\n%v\n%v\n%+v", k, got, w, want, as, kinds, tb)
				}
				if got == linearizable {
					a := newAgenda(c)
					if !d.order(a) || !o.linearizes(a.list()) {
						t.Fatalf("history %d: no linearization: %v\n%v\n%v\n%+v", k, a.list(), as, kinds, tb)
					}
				}
			}
			t.Log(counts)
			if counts["0 true"] < histories(2000) || counts["1 false"] < histories(500) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// TestStealTokens: the first value can have been taken by the pending steal only,
// as the second was in until it was stolen.
func TestStealTokens(t *testing.T) {
	const text = "A1 A2 T1[ T2[ R2"
	for _, tt := range []struct {
		kinds [2]uint8
		want  answer
	}{{[2]uint8{0, 1}, linearizable}, {[2]uint8{1, 0}, linearizable}, {[2]uint8{1, 1}, linearizable}, {[2]uint8{0, 0}, violating}} {
		c := events(t, text)
		c.values = 3
		copy(c.kind[2:], append(tt.kinds[:], 1))
		d := &deletion{table: twoEnds(true, false, true, true)}
		if got, _ := d.decide(c, c.events); got != tt.want {
			t.Errorf("%v: %v", tt.kinds, got)
		}
	}
}
