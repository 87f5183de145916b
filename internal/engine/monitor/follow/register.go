package follow

import (
	"cmp"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// register follows registers. Let f be the first return of a value's write
// and reads, l the last call of those that returned. Two values exclude each
// other if and only if f < l' and f' < l: that is what register says of zones of
// all kinds. So a value must not be seen by a read that is called after its
// deadline, which is the least f' of the other values with f < l'. It is
// forgotten when no operation runs that was called before its deadline.
//
// The values with a deadline are in the order of their deadlines: what is seen of x
// matters to those after its f alone. So an event takes time proportional to the number
// of values without a deadline, and of those whose deadline is after the f of the value
// that it sees, of which there are few, unless an operation that ran for long returns.
type register struct {
	broken
	now     int64
	values  wording.Map[registerValue] // those that running operations may see
	fresh   []*registerValue           // those of which something returned, without a deadline
	late    []*registerValue           // those with one, by deadline
	free    []*registerValue           // to be used again
	calls   calls                      // of all operations that run
	nothing registerValue
}

// registerValue is a value of a register: f is 0 as long as nothing returned.
type registerValue struct {
	value    wording.Key
	f, l     int64
	deadline int64 // 0 if there is none
}

// NewRegister follows a register.
func NewRegister() Follower {
	return &register{}
}

func (r *register) called(o calling) (int64, string) {
	v := wording.KeyOf(o.asked)
	if o.open == batch.MaybeAdd && r.values.Get(v) != nil {
		return 0, addsAgain
	}
	r.now++
	r.calls = append(r.calls, r.now)
	if o.open == batch.MaybeAdd {
		x := recycled(&r.free)
		*x = registerValue{value: v.Own(), l: r.now}
		r.values.Put(x.value, x)
	}
	return r.now, ""
}

func (r *register) returned(o returning) batch.Answer {
	r.now++
	r.calls = without(r.calls, o.at)
	x := &r.nothing
	if o.did != batch.Empty {
		if x = r.values.Get(wording.KeyOf(o.val)); x == nil {
			return r.no(batch.NeverAdded, o.val)
		}
		if x.f == 0 {
			x.f = r.now
			r.fresh = append(r.fresh, x)
		}
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
	after := len(r.late)
	for after > 0 && r.late[after-1].deadline > x.f {
		if after--; r.late[after] != x {
			ok = r.late[after].limit(x) && ok
		}
	}
	kept := r.fresh[:0]
	for _, y := range r.fresh {
		if y != x {
			ok = y.limit(x) && ok
		}
		if y.deadline == 0 {
			kept = append(kept, y)
		} else {
			r.late = append(r.late, y)
		}
	}
	clear(r.fresh[len(kept):])
	r.fresh = kept
	slices.SortFunc(r.late[after:], func(y, z *registerValue) int { return cmp.Compare(y.deadline, z.deadline) })
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
	var other history.Value
	first := int64(0)
	for _, y := range slices.Concat(r.fresh, r.late) {
		if y != x && y.f < x.l && x.f < y.l && (first == 0 || y.f < first) {
			other, first = textOf(y.value), y.f
		}
	}
	switch {
	case x == &r.nothing && first == 0:
		return r.no(batch.Zones)
	case x == &r.nothing:
		return r.no(batch.Zones, other)
	case first == 0:
		return r.no(batch.Zones, textOf(x.value))
	}
	return r.no(batch.Zones, textOf(x.value), other)
}

// forget drops values that nothing which runs can have seen, their writes included.
func (r *register) forget() {
	n := 0
	for ; n < len(r.late) && !r.calls.before(r.late[n].deadline); n++ {
		x := r.late[n]
		r.values.Delete(x.value)
		*x = registerValue{}
		r.free = append(r.free, x)
	}
	r.late = slices.Delete(r.late, 0, n)
}

func (r *register) live() int { return r.values.Len() + len(r.calls) }
