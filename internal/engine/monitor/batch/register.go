package batch

// Register decides registers in O(n).
//
// The criterion is that of "Testing shared memories" (Gibbons and Korach), §4, for values written once. A write
// and its reads are a cluster; f is their first return, l their last call. If f < l the register holds the value
// from f to l: a forward zone. Otherwise all of the cluster may take effect at one moment: a backward zone. Reads
// of the initial value are a forward zone from before the beginning. An execution is linearizable iff no read
// returns before its write is called, forward zones are disjoint, and no backward zone lies inside a forward zone.
//
// A pending write counts if something read it.
type Register struct {
	clusters []cluster
	zones    zoning
}

// cluster is a value's write and reads.
type cluster struct {
	write       int32 // its call; 0 if there is none
	first, last int32 // first return, last call
	shows       int32 // the return of the operation called last
	seen        bool
}

// Decide implements Algorithm.
func (r *Register) Decide(c *Columns, n int32) (Answer, Witness) {
	r.clusters = room(r.clusters, int(c.Values))
	nothing := zone{value: -1} // what the initial value was seen by
	nothingOp := -1
	for i := range c.Within(n) {
		role, v, ret := c.In(i, n)
		switch role {
		case Empty:
			nothing.to, nothing.shows, nothingOp = c.Call[i], ret, i
		case Add, MaybeAdd, Present:
			r.note(v, role, c.Call[i], ret)
		}
	}
	r.zones.reset(n, c.Values)
	if nothingOp >= 0 {
		r.zones.add(nothing)
	}
	if w, bad := r.enter(n); bad {
		return Violating, w
	}
	a, b, ok := r.zones.fit()
	if ok {
		return Linearizable, Witness{}
	}
	return Violating, r.zones.witness(a, b, nothingOp)
}

func (r *Register) note(v int32, role Role, call, ret int32) {
	for int(v) >= len(r.clusters) {
		r.clusters = append(r.clusters, cluster{first: Never})
	}
	k := &r.clusters[v]
	if role == Present {
		k.seen = true
	} else {
		k.write = call
	}
	k.first, k.last, k.shows = min(k.first, ret), call, ret
}

// enter makes the zones, and finds values read before they were written.
func (r *Register) enter(n int32) (w Witness, bad bool) {
	var b blame
	for i := range r.clusters {
		k, v := &r.clusters[i], int32(i)
		switch {
		case k.first > n && !k.seen: // a pending write that nothing read
		case k.write == 0:
			b.on(NeverAdded, v, k.first)
		case k.first < k.write:
			b.on(BeforeAdd, v, k.first)
		default:
			r.zones.add(zone{k.first, k.last, v, k.shows})
		}
	}
	return b.Witness, b.bad
}
