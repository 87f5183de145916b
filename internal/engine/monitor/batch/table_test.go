package batch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/lives"
)

// tableOracle decides a history without pending operations by a search of all
// linearizations, over a table.
type tableOracle struct {
	*lives.Table
	as    []action
	class []int   // by value
	in    []int32 // values that are in, in the order in which they came
}

func (o *tableOracle) search(done uint64) bool {
	first := Never
	for i, a := range o.as {
		if done>>i&1 == 0 {
			first = min(first, a.ret)
		}
	}
	if first == Never {
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
	case Empty:
		return len(o.in) == 0
	case Add:
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
func randomTable(r *rand.Rand) *lives.Table {
	for {
		t := &lives.Table{Adders: 1 + r.IntN(2), Removers: 1 + r.IntN(2)}
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
func twoEnds(frontIn, backIn, frontOut, backOut bool) *lives.Table {
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
	t := &lives.Table{Adders: len(in), Removers: len(out)}
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
func tableHistory(r *rand.Rand, t *lives.Table) (as []action, kinds []uint8, events int32) {
	values := 2 + r.IntN(4)
	type todo struct {
		role  Role
		value uint64
	}
	var ready []todo
	for v := range values {
		ready = append(ready, todo{Add, uint64(v)})
	}
	for range r.IntN(3) {
		ready = append(ready, todo{Empty, 0})
	}
	var running []int
	for len(ready)+len(running) > 0 {
		if k := len(ready); k > 0 && len(running) < 4 && r.IntN(2) == 0 {
			k = r.IntN(k)
			x := ready[k]
			ready = append(ready[:k], ready[k+1:]...)
			events++
			as = append(as, action{role: x.role, value: x.value, call: events, ret: Never})
			kind := r.IntN(t.Removers)
			if x.role == Add {
				kind = r.IntN(t.Adders)
			}
			kinds = append(kinds, uint8(kind))
			running = append(running, len(as)-1)
			if x.role == Add && r.IntN(6) > 0 {
				ready = append(ready, todo{Remove, x.value})
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

// tableColumns are the columns of a history. Any remove may have found nothing while it is pending.
func tableColumns(as []action, kinds []uint8, events int32) *Columns {
	c := &Columns{Events: events}
	for i, a := range as {
		o := Op{Role: a.role, Value: int32(a.value), Kind: kinds[i], Asked: -1, Open: MaybeRemove, Call: a.call, Ret: a.ret}
		switch a.role {
		case Add:
			o.Asked, o.Open = o.Value, MaybeAdd
		case Empty:
			o.Value = -1
		}
		c.Push(o)
	}
	return c
}

// admits decides the prefix of n events: it lets pending removes take values that are left in all ways.
func (o *tableOracle) admits(as []action, kinds []uint8, n int32) bool {
	var tokens []int
	left := map[uint64]bool{}
	removed := map[uint64]bool{}
	o.as, o.class = nil, []int{o.Removers, o.Removers, o.Removers, o.Removers, o.Removers, o.Removers}
	for i, a := range as {
		switch {
		case a.ret <= n && a.role == Remove:
			removed[a.value] = true
			o.class[a.value] += int(kinds[i]) - o.Removers
		case a.call <= n && a.ret > n && a.role != Add:
			tokens = append(tokens, i)
		}
	}
	for i, a := range as {
		switch {
		case a.call > n || a.ret > n && (a.role != Add || !removed[a.value]):
			continue
		case a.role == Add:
			o.class[a.value] += int(kinds[i]) * (o.Removers + 1)
			left[a.value] = !removed[a.value]
		}
		a.ret = min(a.ret, n+1)
		o.as = append(o.as, a)
	}
	return o.taken(as, kinds, n, tokens, left)
}

func (o *tableOracle) taken(as []action, kinds []uint8, n int32, tokens []int, left map[uint64]bool) bool {
	if len(tokens) == 0 {
		o.in = nil
		return o.search(0)
	}
	i := tokens[0]
	if o.taken(as, kinds, n, tokens[1:], left) {
		return true
	}
	for v, in := range left {
		if !in {
			continue
		}
		class, before := o.class[v], o.as
		left[v], o.class[v] = false, class+int(kinds[i])-o.Removers
		o.as = append(slices.Clone(o.as), action{role: Remove, value: v, call: as[i].call, ret: n + 1})
		ok := o.taken(as, kinds, n, tokens[1:], left)
		left[v], o.class[v], o.as = true, class, before
		if ok {
			return true
		}
	}
	return false
}

// knownTables are random tables and those of types that have names.
var knownTables = map[string]func(*rand.Rand) *lives.Table{
	"random":                                randomTable,
	"taken at one end, stolen at the other": func(*rand.Rand) *lives.Table { return twoEnds(true, false, true, true) },
	"two ends":                              func(*rand.Rand) *lives.Table { return twoEnds(true, true, true, true) },
	"queue of two kinds":                    func(*rand.Rand) *lives.Table { return twoEnds(false, true, true, false) },
	"put at both ends":                      func(*rand.Rand) *lives.Table { return twoEnds(true, true, true, false) },
	"stack":                                 func(*rand.Rand) *lives.Table { return twoEnds(true, false, true, false) },
}

// TestTableContainer compares decisions, and shortest violating prefixes, with a search of all
// linearizations, on whole histories and on prefixes with pending operations, for random tables and for those of known types.
func TestTableContainer(t *testing.T) {
	for name, make := range knownTables {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(name)), 11))
			counts := map[string]int{}
			for k := range histories(100_000) {
				tb := make(r)
				as, kinds, events := tableHistory(r, tb)
				c, o, d := tableColumns(as, kinds, events), &tableOracle{Table: tb}, &TableContainer{Table: tb}
				n := events
				if k%2 == 1 {
					n = 1 + r.Int32N(events)
				}
				got, w := d.Decide(c, n)
				want := o.admits(as, kinds, n)
				counts[fmt.Sprintf("%v %v", got, want)]++
				if got == Unclear {
					continue
				}
				if want != (got == Linearizable) {
					t.Fatalf("history %d, %d events of %d: %v %v, linearizable is %v\n%v\n%v\n%+v", k, n, events, got, w, want, as, kinds, tb)
				}
				if got == Linearizable && n == events {
					a := NewLinearizer(c)
					if !d.Linearize(a) || !o.linearizes(a.List()) {
						t.Fatalf("history %d: no linearization: %v\n%v\n%v\n%+v", k, a.List(), as, kinds, tb)
					}
				}
				if got == Violating && k%4 < 2 {
					first, got, _, exact := Shortest(t.Context(), d, c, n, got, w)
					if got != Violating || o.admits(as, kinds, first) || exact && !o.admits(as, kinds, first-1) {
						t.Fatalf("history %d: not the shortest prefix of %d: %d\n%v\n%v\n%+v", k, n, first, as, kinds, tb)
					}
				}
			}
			t.Log(counts)
			if counts["0 true"] < histories(10_000) || counts["1 false"] < histories(2500) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
			if unclear := counts["2 true"] + counts["2 false"]; unclear > 1+histories(20) {
				t.Errorf("%d histories were not decided", unclear)
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
