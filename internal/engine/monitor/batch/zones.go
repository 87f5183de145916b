package batch

// zone is a stretch of an execution that belongs to a value (-1: to none). If
// from < to it is forward: the value is in from the one event to the other. If
// to < from it is backward: there is a moment between to and from at which the
// value is in, or, if it belongs to no value, at which none is.
type zone struct {
	from, to int32
	value    int32
	shows    int32 // the return of the operation that is called last
}

// with reports whether two zones fit together.
func (x zone) with(y zone) bool {
	switch {
	case x.from < x.to && y.from < y.to:
		return x.to < y.from || y.to < x.from
	case x.from < x.to:
		return x.from > y.to || y.from > x.to
	case y.from < y.to:
		return y.from > x.to || x.from > y.to
	}
	return true
}

// zoning decides whether zones fit together: forward zones must be disjoint,
// and no backward zone may lie inside a forward zone.
type zoning struct {
	n      int32
	zones  []zone
	latest []int32 // by position: the last forward zone that begins there or before, plus 1
}

func (z *zoning) reset(n, values int32) { z.n, z.zones = n, room(z.zones, int(values)) }

func (z *zoning) add(x zone) { z.zones = append(z.zones, x) }

// fit decides in O(n). If the zones do not fit, a and b are two that do not:
// those for which it shows first.
func (z *zoning) fit() (a, b int32, ok bool) {
	z.latest = zeroed(z.latest, int(z.n)+3)
	for i := range z.zones {
		if x := &z.zones[i]; x.from < x.to { // no two begin at the same event
			z.latest[x.from] = int32(i) + 1
		}
	}
	current := int32(0)
	for at, i := range z.latest {
		if i != 0 {
			if current != 0 && z.zones[current-1].to > z.zones[i-1].from {
				return current - 1, i - 1, false
			}
			current = i
		}
		z.latest[at] = current
	}
	a, b, ok = -1, -1, true
	for i := range z.zones {
		x := &z.zones[i]
		if x.from < x.to {
			continue
		}
		f := z.latest[x.to]
		if f != 0 && x.from < z.zones[f-1].to && (ok || x.from < z.zones[b].from) {
			a, b, ok = f-1, int32(i), false
		}
	}
	return a, b, ok
}

// witness blames two zones. op is the operation to blame for a zone that
// belongs to no value.
func (z *zoning) witness(a, b int32, op int) Witness {
	w := Witness{Rule: Zones, Op: -1}
	for _, i := range []int32{a, b} {
		x := z.zones[i]
		w.guess = min(z.n, max(w.guess, x.from, x.shows))
		if x.value < 0 {
			w.Op = op
		} else {
			w.Values = append(w.Values, x.value)
		}
	}
	return w
}

// zonal are the operations of values that have zones.
type zonal struct {
	*Linearizer
	peeks
	zones *zoning
	added []int32 // by value: the call of its add
	ended []int32 // and of its remove, perhaps after all positions
}

func newZonal(a *Linearizer, z *zoning) *zonal {
	x := &zonal{Linearizer: a, zones: z, added: make([]int32, a.Values), ended: make([]int32, a.Values)}
	for i, r := range a.Role {
		if r == Present {
			x.peeks.add(a.Columns, i, a.Ret[i])
		}
	}
	return x
}

// linearize puts the operations of the zones into the Linearizer. In a gap, what ends
// a forward zone comes first, and what begins one comes last: the add, in the
// gap before the forward zone, and what sees the value there. Between them come
// the backward zones, each of which is one moment. O(n).
func (z *zonal) linearize() {
	for i := range z.zones.zones {
		if x := &z.zones.zones[i]; x.from < x.to && x.value >= 0 {
			z.sees(x, func(call int32) bool { return call < x.from }, x.from-1)
			z.first(x.from-1, z.called(z.added[x.value]))
		}
	}
	for i := range z.zones.zones {
		if x := &z.zones.zones[i]; x.from > x.to {
			z.moment(x)
		}
	}
	for i := range z.zones.zones {
		if x := &z.zones.zones[i]; x.from < x.to && x.value >= 0 {
			z.remove(x.to, x.value)
			z.sees(x, func(call int32) bool { return call > x.from }, 0)
		}
	}
}

// moment puts all operations of a backward zone into one gap: the first that is
// not within a forward zone.
func (z *zonal) moment(x *zone) {
	gap := x.to
	if f := z.zones.latest[x.to]; f != 0 {
		gap = max(gap, z.zones.zones[f-1].to)
	}
	if x.value < 0 {
		z.first(gap, z.called(x.to))
		return
	}
	z.remove(gap, x.value)
	z.sees(x, func(int32) bool { return true }, gap)
	z.first(gap, z.called(z.added[x.value]))
}

func (z *zonal) remove(gap, v int32) {
	if z.ended[v] != 0 {
		z.firstRemove(gap, z.ended[v], z.added[v])
	}
}

// sees puts what saw the value of a zone, and was called at certain positions,
// into the gap after its call, or a later one.
func (z *zonal) sees(x *zone, at func(call int32) bool, later int32) {
	z.eachPeek(x.value, func(op int32) {
		if call := z.Call[op]; at(call) {
			z.first(max(call, later), op)
		}
	})
}

// Linearize makes a linearization.
func (r *Register) Linearize(a *Linearizer) bool {
	z := newZonal(a, &r.zones)
	for v, k := range r.clusters {
		z.added[v] = k.write
	}
	z.linearize()
	for i, role := range a.Role {
		if role == Empty {
			a.first(a.Call[i], int32(i))
		}
	}
	return true
}

// Linearize makes a linearization.
func (l *Lock) Linearize(a *Linearizer) bool {
	for i := range l.left {
		x := &l.left[i]
		l.values[x.value].rs = x.rs
		l.zones.add(x.zone(x.rs))
	}
	l.zones.fit()
	z := newZonal(a, &l.zones)
	for v, h := range l.values {
		z.added[v], z.ended[v] = h.as, h.rs
	}
	z.linearize()
	return true
}
