package follow

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// register follows registers. Let f be the first return of a value's write
// and reads, l the last call of those that returned. Two values exclude each
// other if and only if f < l' and f' < l: that is what register says of zones of
// all kinds. So a value must not be seen by a read that is called after its
// deadline, which is the least f' of the other values with f < l'. It is
// forgotten when no operation runs that was called before its deadline.
//
// An event takes time proportional to the number of values that are kept.
type register struct {
	broken
	now     int64
	values  []*registerValue // few: those that running operations may see
	free    []*registerValue // to be used again
	calls   calls            // of all operations that run
	nothing registerValue
}

// registerValue is a value of a register: f is 0 as long as nothing returned.
type registerValue struct {
	value    history.Value
	f, l     int64
	deadline int64 // 0 if there is none
	pending  bool  // the write runs
}

// NewRegister follows a register.
func NewRegister() Follower {
	return &register{}
}

// find is what is kept of a value; nil if nothing is.
func (r *register) find(v history.Value) *registerValue {
	for _, x := range r.values {
		if x.value == v {
			return x
		}
	}
	return nil
}

func (r *register) called(o calling) (int64, string) {
	if o.open == columns.MaybeAdd && r.find(o.asked) != nil {
		return 0, addsAgain
	}
	r.now++
	r.calls = append(r.calls, r.now)
	if o.open == columns.MaybeAdd {
		x := recycled(&r.free)
		*x = registerValue{value: own(o.asked), l: r.now, pending: true}
		r.values = append(r.values, x)
	}
	return r.now, ""
}

func (r *register) returned(o returning) batch.Answer {
	r.now++
	r.calls = without(r.calls, o.at)
	x := &r.nothing
	if o.did != columns.Empty {
		if x = r.find(o.val); x == nil {
			return r.no(batch.NeverAdded, o.val)
		}
		if x.f == 0 {
			x.f = r.now
		}
		x.pending = x.pending && o.did != columns.Add
	}
	x.l = max(x.l, o.at)
	if !r.fits(x) {
		return r.conflict(x)
	}
	r.forget()
	return batch.Linearizable
}

// fits gives deadlines to what x excludes from then on, and reports whether all
// keep theirs. The initial value has f = 0: it was there before all others.
func (r *register) fits(x *registerValue) bool {
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

// limit gives y the deadline that x means, and reports whether y keeps it.
func (y *registerValue) limit(x *registerValue) bool {
	if y.f < x.l && (y.deadline == 0 || x.f < y.deadline) {
		y.deadline = x.f
	}
	return y.keeps()
}

func (y *registerValue) keeps() bool { return y.deadline == 0 || y.l < y.deadline }

// conflict blames x and the first value that excludes it.
func (r *register) conflict(x *registerValue) batch.Answer {
	var mine, other history.Value
	first := int64(0)
	for _, y := range r.values {
		if y == x {
			mine = y.value
		} else if y.f != 0 && y.f < x.l && x.f < y.l && (first == 0 || y.f < first) {
			other, first = y.value, y.f
		}
	}
	switch {
	case x == &r.nothing && first == 0:
		return r.no(batch.Zones)
	case x == &r.nothing:
		return r.no(batch.Zones, other)
	case first == 0:
		return r.no(batch.Zones, mine)
	}
	return r.no(batch.Zones, mine, other)
}

// forget drops values that nothing which runs can have seen.
func (r *register) forget() {
	kept := r.values[:0]
	for _, x := range r.values {
		if x.deadline != 0 && !x.pending && !r.calls.before(x.deadline) {
			x.value = ""
			r.free = append(r.free, x)
		} else {
			kept = append(kept, x)
		}
	}
	clear(r.values[len(kept):])
	r.values = kept
}

func (r *register) live() int { return len(r.values) + len(r.calls) }
