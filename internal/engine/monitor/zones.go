package monitor

// zone is a stretch of an execution that belongs to a value (-1: to none). If
// from < to it is forward: the value is in from the one event to the other. If
// to < from it is backward: there is a moment between to and from at which the
// value is in, or, if it belongs to no value, at which none is.
type zone struct {
	from, to int32
	value    int32
	shows    int32 // the return of the operation that is called last
}

// with tells whether two zones fit together.
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
func (z *zoning) witness(a, b int32, op int) witness {
	w := witness{rule: zones, op: -1}
	for _, i := range []int32{a, b} {
		x := z.zones[i]
		w.guess = min(z.n, max(w.guess, x.from, x.shows))
		if x.value < 0 {
			w.op = op
		} else {
			w.values = append(w.values, x.value)
		}
	}
	return w
}
