package batch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The twins decide by the characterizations, as directly as they can be
// written down: in quadratic time and more.

// span is an operation from call to return.
type span struct{ s, e int32 }

// facts is a prefix, operations by value.
type facts struct {
	n       int32
	adds    map[int32]span
	removes map[int32][]span
	seen    map[int32][]span
	missed  map[int32][]span
	empties []span
	tokens  []int32
}

func newFacts(c *Columns, n int32) *facts {
	f := &facts{n: n, adds: map[int32]span{}, removes: map[int32][]span{}, seen: map[int32][]span{}, missed: map[int32][]span{}}
	for i := range c.Call {
		if c.Call[i] > n {
			continue
		}
		r, v, e := c.In(i, n)
		x := span{c.Call[i], e}
		switch r {
		case Add, MaybeAdd:
			f.adds[v] = x
		case Remove:
			f.removes[v] = append(f.removes[v], x)
		case Present:
			f.seen[v] = append(f.seen[v], x)
		case Absent:
			f.missed[v] = append(f.missed[v], x)
		case Empty:
			f.empties = append(f.empties, x)
		case MaybeRemove:
			f.tokens = append(f.tokens, x.s)
		}
	}
	return f
}

// lives lists the values with their operations, or says that one is wrong.
func (f *facts) lives() (ms []match, ok bool) {
	for v, rs := range f.removes {
		a, added := f.adds[v]
		if !added || len(rs) > 1 || rs[0].e < a.s {
			return nil, false
		}
		ms = append(ms, match{a.s, a.e, rs[0].s, rs[0].e})
	}
	for v, a := range f.adds {
		if len(f.removes[v]) == 0 && a.e <= f.n {
			ms = append(ms, match{a.s, a.e, f.n + 1, f.n + 2})
		}
	}
	return ms, true
}

// taken tries every way in which pending removes may have taken values.
func taken(ms []match, n int32, tokens []int32, decide func([]match) bool) bool {
	if len(tokens) == 0 {
		return decide(ms)
	}
	if taken(ms, n, tokens[1:], decide) {
		return true
	}
	for i := range ms {
		if ms[i].rs == n+1 {
			old := ms[i]
			ms[i].rs = tokens[0]
			if taken(ms, n, tokens[1:], decide) {
				return true
			}
			ms[i] = old
		}
	}
	return false
}

// empty reports whether each operation that found nothing has a gap in no core.
func (f *facts) empty(ms []match) bool {
	for _, x := range f.empties {
		free := false
		for g := x.s; g < x.e; g++ {
			free = free || !slices.ContainsFunc(ms, func(m match) bool { return m.ae <= g && g < m.rs })
		}
		if !free {
			return false
		}
	}
	return true
}

func twinQueue(f *facts) bool {
	ms, ok := f.lives()
	return ok && taken(ms, f.n, f.tokens, func(ms []match) bool {
		for _, a := range ms {
			for _, b := range ms {
				if a.ae < b.as && b.re < a.rs {
					return false
				}
			}
		}
		return f.empty(ms)
	})
}

func twinStack(f *facts) bool {
	ms, ok := f.lives()
	return ok && taken(ms, f.n, f.tokens, func(ms []match) bool {
		cores := slices.DeleteFunc(slices.Clone(ms), func(m match) bool { return m.ae > m.rs })
		slices.SortFunc(cores, func(a, b match) int { return int(a.ae - b.ae) })
		return f.empty(ms) && peelable(cores)
	})
}

// peelable takes away values from connected components, one at a time.
func peelable(ms []match) bool {
	high := int32(0)
	for i, m := range ms {
		if i > 0 && m.ae > high {
			return peelable(ms[:i]) && peelable(ms[i:])
		}
		high = max(high, m.rs)
	}
	for i, m := range ms {
		if m.as < ms[0].ae && m.re > high {
			return peelable(slices.Delete(slices.Clone(ms), i, i+1))
		}
	}
	return len(ms) == 0
}

func twinRegister(f *facts) bool {
	var zs []zone
	for v, w := range f.adds {
		if w.e > f.n && len(f.seen[v]) == 0 {
			continue
		}
		z := zone{from: w.e, to: w.s}
		for _, x := range f.seen[v] {
			z.from, z.to = min(z.from, x.e), max(z.to, x.s)
		}
		if z.from < w.s {
			return false
		}
		zs = append(zs, z)
	}
	for v := range f.seen {
		if _, written := f.adds[v]; !written {
			return false
		}
	}
	if len(f.empties) > 0 {
		z := zone{}
		for _, x := range f.empties {
			z.to = max(z.to, x.s)
		}
		zs = append(zs, z)
	}
	return allFit(zs)
}

func allFit(zs []zone) bool {
	for i := range zs {
		for j := range i {
			if !zs[i].with(zs[j]) {
				return false
			}
		}
	}
	return true
}

func twinLock(f *facts) bool {
	ms, ok := f.lives()
	if !ok {
		return false
	}
	seen := map[int32][]span{} // by call of the add
	for v, xs := range f.seen {
		a, added := f.adds[v]
		if !added {
			return false
		}
		seen[a.s] = xs
		if a.e > f.n && len(f.removes[v]) == 0 { // pending and seen
			ms = append(ms, match{a.s, a.e, f.n + 1, f.n + 2})
		}
	}
	return taken(ms, f.n, f.tokens, func(ms []match) bool {
		var zs []zone
		for _, x := range f.empties {
			zs = append(zs, zone{from: x.e, to: x.s})
		}
		for _, m := range ms {
			first, last := m.ae, m.rs
			for _, x := range seen[m.as] {
				first, last = min(first, x.e), max(last, x.s)
			}
			z := zone{from: first, to: last}
			if first > last {
				z = zone{from: min(first, m.re), to: max(m.as, last)}
			}
			if first < m.as || m.re < last || first > last && z.from < z.to {
				return false
			}
			zs = append(zs, z)
		}
		return allFit(zs)
	})
}

// whole is a value with what saw it.
type whole struct {
	match
	seen []span
}

func (w *whole) core() span {
	c := span{w.ae, w.rs}
	for _, x := range w.seen {
		c.s, c.e = min(c.s, x.e), max(c.e, x.s)
	}
	return c
}

// wholes lists the values with what saw them, or says that one is wrong.
func (f *facts) wholes() (ws []whole, ok bool) {
	for v, xs := range f.seen {
		for _, x := range xs {
			if a, added := f.adds[v]; !added || x.e < a.s || len(f.removes[v]) > 0 && f.removes[v][0].e < x.s {
				return nil, false
			}
		}
	}
	for v, rs := range f.removes {
		if a, added := f.adds[v]; !added || len(rs) > 1 || rs[0].e < a.s {
			return nil, false
		}
	}
	for v, a := range f.adds {
		w := whole{match{a.s, a.e, f.n + 1, f.n + 2}, f.seen[v]}
		if rs := f.removes[v]; len(rs) > 0 {
			w.rs, w.re = rs[0].s, rs[0].e
		} else if a.e > f.n && len(w.seen) == 0 {
			continue
		}
		ws = append(ws, w)
	}
	for _, x := range f.empties {
		if !uncovered(ws, x.s, x.e, nil) {
			return nil, false
		}
	}
	return ws, true
}

// uncovered reports whether one of the gaps s..e-1 is in no core but that of one value.
func uncovered(ws []whole, s, e int32, but *whole) bool {
	for g := s; g < e; g++ {
		if !slices.ContainsFunc(ws, func(w whole) bool {
			c := w.core()
			return (but == nil || w.as != but.as) && c.s <= g && g < c.e
		}) {
			return true
		}
	}
	return false
}

// twinFronts: see queuePeeks.
func twinFronts(f *facts) bool {
	ws, ok := f.wholes()
	if !ok {
		return false
	}
	zs := make([]zone, len(ws))
	for i, w := range ws {
		zs[i] = zone{from: w.re, to: w.rs}
		for _, x := range w.seen {
			zs[i].from, zs[i].to = min(zs[i].from, x.e), max(zs[i].to, x.s)
		}
	}
	moved := slices.Clone(zs)
	for i := range zs {
		for j, z := range zs {
			if i != j && z.from < zs[i].to && zs[i].to < z.to {
				moved[i].to = z.to
			}
			if i != j && z.from < zs[i].from && zs[i].from < z.to {
				moved[i].from = z.from
			}
		}
	}
	for i, a := range ws {
		for j, b := range ws {
			before := min(a.ae, moved[i].from) < b.as || moved[i].from < moved[j].to
			if i != j && before && moved[j].from < moved[i].to {
				return false
			}
		}
	}
	return true
}

// twinTops takes away bottoms of components one at a time.
func twinTops(f *facts) bool {
	ws, ok := f.wholes()
	if !ok {
		return false
	}
	ws = slices.DeleteFunc(ws, func(w whole) bool { c := w.core(); return c.s > c.e })
	slices.SortFunc(ws, func(a, b whole) int { return int(a.core().s - b.core().s) })
	return strippable(ws)
}

func strippable(ws []whole) bool {
	high := int32(0)
	for i, w := range ws {
		if i > 0 && w.core().s > high {
			return strippable(ws[:i]) && strippable(ws[i:])
		}
		high = max(high, w.core().e)
	}
	for i, w := range ws {
		onTop := w.as < ws[0].core().s && w.re > high
		for _, x := range w.seen {
			onTop = onTop && uncovered(ws, max(w.as, x.s), min(w.re, x.e), &w)
		}
		if onTop {
			return strippable(slices.Delete(slices.Clone(ws), i, i+1))
		}
	}
	return len(ws) == 0
}

// twinPriority gives each value, from the highest priority down, the first gaps
// that there are for its peeks and its remove.
func twinPriority(f *facts, priority []int64) bool {
	var ms []match
	var of []int32
	for v := range priority {
		v := int32(v)
		a, added := f.adds[v]
		rs, seen := f.removes[v], f.seen[v]
		if !added && len(rs)+len(seen) > 0 || len(rs) > 1 || len(rs) == 1 && rs[0].e < a.s {
			return false
		}
		m := match{a.s, a.e, f.n + 1, f.n + 2}
		if len(rs) == 1 {
			m.rs, m.re = rs[0].s, rs[0].e
		}
		for _, x := range seen {
			if x.e < a.s || x.s > m.re {
				return false
			}
		}
		if added && (a.e <= f.n || len(rs)+len(seen) > 0) {
			ms, of = append(ms, m), append(of, v)
		}
	}
	core := func(i int, m match) span {
		c := span{m.ae, m.rs}
		for _, x := range f.seen[of[i]] {
			c.s, c.e = min(c.s, x.e), max(c.e, x.s)
		}
		return c
	}
	return taken(ms, f.n, f.tokens, func(ms []match) bool {
		gap := func(low int64, s, e int32) (int32, bool) {
			for g := s; g < e && g <= f.n; g++ {
				in := false
				for i, m := range ms {
					c := core(i, m)
					in = in || priority[of[i]] > low && c.s <= g && g < c.e
				}
				if !in {
					return g, true
				}
			}
			return 0, false
		}
		for i, m := range ms {
			from := max(m.as, m.rs)
			for _, x := range f.seen[of[i]] {
				g, ok := gap(priority[of[i]], max(m.as, x.s), x.e)
				if !ok {
					return false
				}
				from = max(from, g)
			}
			if _, ok := gap(priority[of[i]], from, m.re); !ok && m.rs <= f.n {
				return false
			}
		}
		for _, x := range f.empties {
			if _, ok := gap(math.MinInt64, x.s, x.e); !ok {
				return false
			}
		}
		return true
	})
}

// twinSet asks the oracle about each value.
func twinSet(o *oracle, c *Columns, n int32) bool {
	byValue := map[int32][]action{}
	for i := range c.Call {
		a := action{arg: 1, value: 1, role: c.Role[i], call: c.Call[i], ret: c.Ret[i]}
		switch {
		case c.Open[i] == MaybeRemove:
			a.method = 1
		case c.Open[i] == None:
			a.method = 2
		}
		byValue[c.Asked[i]] = append(byValue[c.Asked[i]], a)
	}
	for _, as := range byValue {
		if len(as) > 60 || !o.linearizable(&models[3], as, n) {
			return false
		}
	}
	return true
}

func twin(m *model, o *oracle, c *Columns, f *facts) bool {
	if m.priority != nil {
		return twinPriority(f, c.Priority)
	}
	switch m.name {
	case "queue with peeks":
		return twinFronts(f)
	case "stack with peeks":
		return twinTops(f)
	case "queue":
		return twinQueue(f)
	case "stack":
		return twinStack(f)
	case "bag":
		ms, ok := f.lives()
		return ok && taken(ms, f.n, f.tokens, f.empty)
	case "register":
		return twinRegister(f)
	case "lock":
		return twinLock(f)
	}
	return twinSet(o, c, f.n)
}

func TestAgainstTwins(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if m.name == "steal" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 3))
			p, o := m.new(), &oracle{}
			counts := map[Answer]int{}
			for k := range histories(10_000) {
				l := &longLog{m: m, Rand: r, Columns: &Columns{}, processes: 2 + r.IntN(9), busy: r.IntN(2) == 0, pending: r.IntN(3) == 0}
				l.run(20 + r.IntN(181))
				for range r.IntN(4) {
					l.spoil(r.IntN(len(l.Call)))
				}
				for _, n := range []int32{l.Events, 1 + r.Int32N(l.Events)} {
					f := newFacts(l.Columns, n)
					if m.name != "set" && len(f.tokens) > 2 || (m.priority != nil || m.looks) && (k%4 > 0 || len(f.tokens) > 1) {
						continue // too many ways
					}
					got, _ := p.Decide(l.Columns, n)
					counts[got]++
					if got == Unclear || m.looks && len(f.tokens) > 0 && got == Linearizable {
						continue // the twins do not know what pending removes took if something looked
					}
					if want := twin(m, o, l.Columns, f); got != Unclear && want != (got == Linearizable) {
						t.Fatalf("history %d, prefix %d of %d: %v, the twin says %v", k, n, l.Events, got, want)
					}
				}
			}
			t.Logf("%v", counts)
			if min(counts[Linearizable], counts[Violating]) < histories(400) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
