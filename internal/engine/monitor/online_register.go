package monitor

import "github.com/adtinfer/adtinfer/history"

// onlineRegister follows registers. Let f be the first return of a value's write
// and reads, l the last call of those that returned. Two values exclude each
// other if and only if f < l' and f' < l: that is what register says of zones of
// all kinds. So a value must not be seen by a read that is called after its
// deadline, which is the least f' of the other values with f < l'. It is
// forgotten when no operation runs that was called before its deadline.
//
// An event takes time proportional to the number of values that are kept.
type onlineRegister struct {
	broken
	now     int64
	values  map[history.Value]*content
	calls   calls // of all operations that run
	nothing content
}

// content is a value of a register: f is 0 as long as nothing returned.
type content struct {
	f, l     int64
	deadline int64 // 0 if there is none
	pending  bool  // the write runs
}

func newOnlineRegister() follower {
	return &onlineRegister{values: map[history.Value]*content{}}
}

func (r *onlineRegister) called(o calling) (int64, string) {
	if o.open == maybeAdd && r.values[o.asked] != nil {
		return 0, addsAgain
	}
	r.now++
	r.calls = append(r.calls, r.now)
	if o.open == maybeAdd {
		r.values[o.asked] = &content{l: r.now, pending: true}
	}
	return r.now, ""
}

func (r *onlineRegister) returned(o returning) answer {
	r.now++
	r.calls = without(r.calls, o.at)
	x := &r.nothing
	if o.did != empty {
		if x = r.values[o.val]; x == nil {
			return r.no(neverAdded, o.val)
		}
		if x.f == 0 {
			x.f = r.now
		}
		x.pending = x.pending && o.did != add
	}
	x.l = max(x.l, o.at)
	if !r.fits(x) {
		return r.conflict(x)
	}
	r.forget()
	return linearizable
}

// fits gives deadlines to what x excludes from then on, and tells whether all
// keep theirs. The initial value has f = 0: it was there before all others.
func (r *onlineRegister) fits(x *content) bool {
	if x == &r.nothing {
		return x.keeps()
	}
	ok := r.nothing.limit(x)
	for _, y := range r.values {
		if y != x && y.f != 0 {
			ok = y.limit(x) && ok
		}
	}
	return ok && x.keeps()
}

// limit gives y the deadline that x means, and tells whether y keeps it.
func (y *content) limit(x *content) bool {
	if y.f < x.l && (y.deadline == 0 || x.f < y.deadline) {
		y.deadline = x.f
	}
	return y.keeps()
}

func (y *content) keeps() bool { return y.deadline == 0 || y.l < y.deadline }

// conflict blames x and the first value that excludes it.
func (r *onlineRegister) conflict(x *content) answer {
	var mine, other history.Value
	first := int64(0)
	for v, y := range r.values {
		if y == x {
			mine = v
		} else if y.f != 0 && y.f < x.l && x.f < y.l && (first == 0 || y.f < first) {
			other, first = v, y.f
		}
	}
	switch {
	case x == &r.nothing && first == 0:
		return r.no(zones)
	case x == &r.nothing:
		return r.no(zones, other)
	case first == 0:
		return r.no(zones, mine)
	}
	return r.no(zones, mine, other)
}

// forget drops values that nothing which runs can have seen.
func (r *onlineRegister) forget() {
	for v, x := range r.values {
		if x.deadline != 0 && !x.pending && !r.calls.before(x.deadline) {
			delete(r.values, v)
		}
	}
}

func (r *onlineRegister) live() int { return len(r.values) + len(r.calls) }
