package follow

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// lock follows locks and one-place buffers. As for registers, let f be the
// first moment by which a value was certainly in, and l the last at which it
// certainly was; two values exclude each other if and only if f < l' and f' < l,
// and so do a value and an operation that found nothing, with its return for f
// and its call for l. A value must end before its deadline, the least f' of
// those that are over and have f < l'.
//
// At each return, the values that were not removed are given to the pending
// removes, all but one at most, in all ways that keep the deadlines and fit
// together. A value is forgotten when it was removed and no operation runs that
// was called before that.
//
// An event takes time proportional to the number of values that are kept, and
// exponential in the number of those that are not removed, which must be at
// most one more than there are pending removes.
type lock struct {
	broken
	now     int64
	values  []*lockValue // few: those that running operations may see
	free    []*lockValue // to be used again
	left    []*lockValue // those at hand that were not removed
	calls   calls        // of all operations that run
	pending calls        // of pending removes
}

// lockValue is a value of a lock. Events are 0 where there is none.
type lockValue struct {
	value    history.Value
	as, a    int64 // a is the first return of the add and of what saw it
	rs, re   int64
	last     int64 // the last call of what saw it
	deadline int64
	pending  bool // the add runs
}

// from and to are f and l, if the remove was called at rs.
func (x *lockValue) from() int64 {
	if x.a == 0 || x.re != 0 && x.re < x.a {
		return x.re
	}
	return x.a
}

func (x *lockValue) to(rs int64) int64 { return max(x.as, x.last, rs) }

// NewLock follows a lock.
func NewLock() Follower {
	return &lock{}
}

// find is what is kept of a value; nil if nothing is.
func (k *lock) find(v history.Value) *lockValue {
	for _, x := range k.values {
		if x.value == v {
			return x
		}
	}
	return nil
}

func (k *lock) called(o calling) (int64, string) {
	if o.open == columns.MaybeAdd && k.find(o.asked) != nil {
		return 0, addsAgain
	}
	k.now++
	k.calls = append(k.calls, k.now)
	switch o.open {
	case columns.MaybeAdd:
		x := recycled(&k.free)
		*x = lockValue{value: own(o.asked), as: k.now, pending: true}
		k.values = append(k.values, x)
	case columns.MaybeRemove:
		k.pending = append(k.pending, k.now)
	}
	return k.now, ""
}

func (k *lock) returned(o returning) batch.Answer {
	k.now++
	k.calls = without(k.calls, o.at)
	switch o.open {
	case columns.MaybeRemove:
		k.pending = without(k.pending, o.at)
	case columns.MaybeAdd:
		x := k.find(o.asked)
		x.pending = false
		if o.did != columns.Add && x.from() == 0 {
			k.drop(func(y *lockValue) bool { return y == x })
		} else if o.did != columns.Add {
			return k.no(batch.NeverAdded, o.asked)
		}
	}
	if o.did == columns.Empty {
		k.limit(nil, k.now, o.at)
		return k.judge()
	}
	x := k.find(o.val)
	if x == nil {
		return k.no(batch.NeverAdded, o.val)
	}
	if a := k.note(x, o); a != batch.Linearizable {
		return a
	}
	if x.re != 0 {
		k.limit(x, x.from(), x.to(x.rs))
	}
	return k.judge()
}

// note enters what an operation did to its value.
func (k *lock) note(x *lockValue, o returning) batch.Answer {
	switch {
	case o.did == columns.Remove && x.re != 0:
		return k.no(batch.Twice, o.val)
	case o.did == columns.Remove:
		x.rs, x.re = o.at, k.now
	default:
		if x.a == 0 {
			x.a = k.now
		}
		if o.did == columns.Present {
			x.last = max(x.last, o.at)
		}
	}
	if x.re != 0 && x.re < x.last {
		return k.no(batch.Lifetime, o.val)
	}
	return batch.Linearizable
}

// limit gives deadlines for what is over and reaches from f to l.
func (k *lock) limit(x *lockValue, f, l int64) {
	for _, y := range k.values {
		if g := y.from(); y != x && g != 0 && g < l && (y.deadline == 0 || f < y.deadline) {
			y.deadline = f
		}
	}
}

// judge decides with the pending removes that there are now.
func (k *lock) judge() batch.Answer {
	left := k.left[:0]
	var late *lockValue // that was added first
	for _, x := range k.values {
		switch {
		case x.from() == 0:
		case x.re == 0:
			left = append(left, x)
		case !x.keeps(x.rs) && (late == nil || x.as < late.as):
			late = x
		}
	}
	k.left = left
	if late != nil {
		return k.no(batch.Zones, late.value)
	}
	a := batch.Linearizable
	if len(left) > 0 {
		a = k.give(left)
	}
	k.forget()
	return a
}

// give gives the values that were not removed to the pending removes.
func (k *lock) give(left []*lockValue) batch.Answer {
	slices.SortFunc(left, func(x, y *lockValue) int { return int(x.a - y.a) })
	g := batch.Giving{Used: make([]bool, len(k.pending)), Take: func(i, t int) bool {
		x := left[i]
		if x.rs = k.now + 1; t < len(k.pending) {
			x.rs = k.pending[t]
		}
		return x.fits(left[:i])
	}}
	for _, x := range left {
		g.Few = append(g.Few, sort.Search(len(k.pending), func(t int) bool { return !x.keeps(k.pending[t]) }))
		if x.deadline == 0 {
			g.MayStay = 1
		}
	}
	a := g.Give(0)
	if a == batch.Violating {
		var values []history.Value
		for _, x := range left {
			values = append(values, x.value)
		}
		k.no(batch.Zones, values...)
	}
	return a
}

// keeps reports whether a value keeps its deadline if it is removed by a call.
func (x *lockValue) keeps(rs int64) bool { return x.deadline == 0 || x.to(rs) <= x.deadline }

// fits reports whether a value keeps its deadline, and to others.
func (x *lockValue) fits(others []*lockValue) bool {
	if !x.keeps(x.rs) {
		return false
	}
	f, l := x.from(), x.to(x.rs)
	return !slices.ContainsFunc(others, func(y *lockValue) bool { return f < y.to(y.rs) && y.from() < l })
}

// forget drops values that are over for good.
func (k *lock) forget() {
	k.drop(func(x *lockValue) bool { return x.re != 0 && !x.pending && !k.calls.before(x.re) })
}

// drop forgets values.
func (k *lock) drop(over func(*lockValue) bool) {
	kept := k.values[:0]
	for _, x := range k.values {
		if over(x) {
			k.free = append(k.free, x)
		} else {
			kept = append(kept, x)
		}
	}
	clear(k.values[len(kept):])
	k.values = kept
}

func (k *lock) live() int { return len(k.values) + len(k.calls) }
