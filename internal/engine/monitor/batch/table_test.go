package batch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// tableOracle decides a history without pending operations by a search of all
// linearizations, over a table.
type tableOracle struct {
	*Table
	as    []action
	class []int   // by value
	in    []int32 // values that are in, in the order in which they came
}

func (o *tableOracle) search(done uint64) bool {
	first := columns.Never
	for i, a := range o.as {
		if done>>i&1 == 0 {
			first = min(first, a.ret)
		}
	}
	if first == columns.Never {
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
	case columns.Empty:
		return len(o.in) == 0
	case columns.Add:
		for _, u := range o.in {
			if o.Stays(o.class[u]) && o.Stays(o.class[v]) && !o.Encloses[o.At(o.class[u], o.class[v])] {
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
		case at < 0 && !o.Encloses[o.At(o.class[u], o.class[v])] || at >= 0 && !o.Overtaken[o.At(o.class[v], o.class[u])]:
			return false
		}
	}
	if at < 0 {
		return false
	}
	o.in = append(append([]int32{}, o.in[:at]...), o.in[at+1:]...)
	return true
}

// linearizes reports whether an order is a linearization of all operations.
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
func randomTable(r *rand.Rand) *Table {
	for {
		t := &Table{Adders: 1 + r.IntN(2), Removers: 1 + r.IntN(2)}
		n := t.Classes()
		t.Encloses, t.Overtaken = make([]bool, n*n), make([]bool, n*n)
		for i := range t.Encloses {
			t.Encloses[i], t.Overtaken[i] = r.IntN(4) > 0, r.IntN(4) > 0
			if t.Stays(i/n) && t.Stays(i%n) {
				t.Encloses[i], t.Overtaken[i] = true, true
			}
		}
		if t.Closed() {
			return t
		}
	}
}

// ends gives the kinds that put in, and take out, at one of two ends: by them a
// table is that of a sequence with two ends.
func twoEnds(frontIn, backIn, frontOut, backOut bool) *Table {
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
	t := &Table{Adders: len(in), Removers: len(out)}
	n := t.Classes()
	t.Encloses, t.Overtaken = make([]bool, n*n), make([]bool, n*n)
	for v := range n {
		for w := range n {
			wAtFront := in[w/(t.Removers+1)] // v was there before, so it is on the other side
			at, rv, rw := t.At(v, w), v%(t.Removers+1), w%(t.Removers+1)
			t.Encloses[at] = t.Stays(w) || out[rw] == wAtFront
			t.Overtaken[at] = t.Stays(v) || out[rv] != wAtFront
		}
	}
	return t
}

// tableHistory has matched operations of random kinds, without pending ones.
func tableHistory(r *rand.Rand, t *Table) (as []action, kinds []uint8, events int32) {
	values := 2 + r.IntN(4)
	type todo struct {
		role  columns.Role
		value uint64
	}
	var ready []todo
	for v := range values {
		ready = append(ready, todo{columns.Add, uint64(v)})
	}
	for range r.IntN(3) {
		ready = append(ready, todo{columns.Empty, 0})
	}
	var running []int
	for len(ready)+len(running) > 0 {
		if k := len(ready); k > 0 && len(running) < 4 && r.IntN(2) == 0 {
			k = r.IntN(k)
			x := ready[k]
			ready = append(ready[:k], ready[k+1:]...)
			events++
			as = append(as, action{role: x.role, value: x.value, call: events, ret: columns.Never})
			kind := r.IntN(t.Adders)
			if x.role == columns.Remove {
				kind = r.IntN(t.Removers)
			}
			kinds = append(kinds, uint8(kind))
			running = append(running, len(as)-1)
			if x.role == columns.Add && r.IntN(6) > 0 {
				ready = append(ready, todo{columns.Remove, x.value})
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

// TestTableContainer compares taking values away with a search of all
// linearizations, for random tables and for those of known types.
func TestTableContainer(t *testing.T) {
	known := map[string]func(*rand.Rand) *Table{
		"random":                                randomTable,
		"taken at one end, stolen at the other": func(*rand.Rand) *Table { return twoEnds(true, false, true, true) },
		"two ends":                              func(*rand.Rand) *Table { return twoEnds(true, true, true, true) },
		"queue of two kinds":                    func(*rand.Rand) *Table { return twoEnds(false, true, true, false) },
		"put at both ends":                      func(*rand.Rand) *Table { return twoEnds(true, true, true, false) },
		"stack":                                 func(*rand.Rand) *Table { return twoEnds(true, false, true, false) },
	}
	for name, make := range known {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(name)), 11))
			counts := map[string]int{}
			for k := range histories(20_000) {
				tb := make(r)
				as, kinds, events := tableHistory(r, tb)
				c := &columns.Columns{Events: events}
				o := &tableOracle{Table: tb, as: as}
				o.class = append(o.class, 0, 0, 0, 0, 0, 0)
				for v := range o.class {
					o.class[v] = tb.Removers
				}
				for i, a := range as {
					v := int32(a.value)
					if a.role == columns.Empty {
						v = -1
					}
					c.Push(columns.Op{Role: a.role, Value: v, Kind: kinds[i], Asked: -1, Call: a.call, Ret: a.ret})
					switch a.role {
					case columns.Add:
						o.class[v] += int(kinds[i]) * (tb.Removers + 1)
					case columns.Remove:
						o.class[v] += int(kinds[i]) - tb.Removers
					}
				}
				d := &TableContainer{Table: tb}
				got, w := d.Decide(c, events)
				want := o.search(0)
				counts[fmt.Sprintf("%v %v", got, want)]++
				if got != Unclear && want != (got == Linearizable) {
					t.Fatalf("history %d: %v %v, linearizable is %v\n%v\n%v\n%+v", k, got, w, want, as, kinds, tb)
				}
				if got == Linearizable {
					a := NewLinearizer(c)
					if !d.Linearize(a) || !o.linearizes(a.List()) {
						t.Fatalf("history %d: no linearization: %v\n%v\n%v\n%+v", k, a.List(), as, kinds, tb)
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
		want  Answer
	}{{[2]uint8{0, 1}, Linearizable}, {[2]uint8{1, 0}, Linearizable}, {[2]uint8{1, 1}, Linearizable}, {[2]uint8{0, 0}, Violating}} {
		c := events(t, text)
		c.Values = 3
		copy(c.Kind[2:], append(tt.kinds[:], 1))
		d := &TableContainer{Table: twoEnds(true, false, true, true)}
		if got, _ := d.Decide(c, c.Events); got != tt.want {
			t.Errorf("%v: %v", tt.kinds, got)
		}
	}
}
