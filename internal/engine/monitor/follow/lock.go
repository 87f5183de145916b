package follow

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// lock follows locks and one-place buffers. As for registers, let f be the
// first moment by which a value was certainly in, and l the last at which it
// certainly was; two values exclude each other if and only if f < l' and f' < l,
// and so do a value and an operation that found nothing, with its return for f
// and its call for l. A value must end before its deadline, the least f' of
// those that are over and have f < l'.
//
// At each return, the values that were not removed are given to the pending
// removes, all but one at most, so that they keep the deadlines and fit together. What was
// given stays so if it still does; else another call is tried for those that the event
// is about, and then all ways. A value is forgotten when it was removed and no operation
// runs that was called before that.
//
// As with registers, the values with a deadline are in the order of their deadlines, and
// an event takes time proportional to the number of those without one and of those
// whose deadline is after the f of the value it is about: few, unless an operation that
// ran for long returns; and of those that are not removed, at most one more than there are
// pending removes. Where all ways are tried it is exponential in their number.
type lock struct {
	broken
	now     int64
	values  wording.Map[lockValue] // those that running operations may see
	fresh   []*lockValue           // those with an f, and no deadline
	late    []*lockValue           // those with a deadline, by deadline
	left    []*lockValue           // those with an f that were not removed
	changed []*lockValue           // those of them that the event is about
	over    []*lockValue           // those that were removed, in that order
	free    []*lockValue           // to be used again
	calls   calls                  // of all operations that run
	pending calls                  // of pending removes
}

// lockValue is a value of a lock. Events are 0 where there is none.
type lockValue struct {
	value    wording.Key
	as, a    int64 // a is the first return of the add and of what saw it
	rs, re   int64 // rs is the call that was given while re is 0
	last     int64 // the last call of what saw it
	deadline int64
	gone     bool // forgotten, but for a list that it is in
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
func NewLock() Follower { return &lock{} }

func (k *lock) called(o calling) (int64, string) {
	v := wording.KeyOf(o.asked)
	if o.open == batch.MaybeAdd && k.values.Get(v) != nil {
		return 0, addsAgain
	}
	k.now++
	k.calls = append(k.calls, k.now)
	switch o.open {
	case batch.MaybeAdd:
		x := recycled(&k.free)
		*x = lockValue{value: v.Own(), as: k.now}
		k.values.Put(x.value, x)
	case batch.MaybeRemove:
		k.pending = append(k.pending, k.now)
	}
	return k.now, ""
}

func (k *lock) returned(o returning) batch.Answer {
	k.now++
	k.calls = without(k.calls, o.at)
	switch o.open {
	case batch.MaybeRemove:
		k.pending = without(k.pending, o.at)
		k.takeBack(o.at)
	case batch.MaybeAdd:
		x := k.values.Get(wording.KeyOf(o.asked))
		if o.did != batch.Add && x.from() == 0 {
			k.values.Delete(x.value)
			k.free = append(k.free, x)
		} else if o.did != batch.Add {
			return k.no(batch.NeverAdded, o.asked)
		}
	}
	if o.did == batch.Empty {
		k.limit(nil, k.now, o.at)
		return k.judge()
	}
	x := k.values.Get(wording.KeyOf(o.val))
	if x == nil {
		return k.no(batch.NeverAdded, o.val)
	}
	if a := k.note(x, o); a != batch.Linearizable {
		return a
	}
	if x.re != 0 {
		if k.limit(x, x.from(), x.to(x.rs)); !x.keeps(x.rs) {
			return k.no(batch.Zones, textOf(x.value))
		}
	}
	return k.judge()
}

// note enters what an operation did to its value.
func (k *lock) note(x *lockValue, o returning) batch.Answer {
	begun := x.from() != 0
	switch {
	case o.did == batch.Remove && x.re != 0:
		return k.no(batch.Twice, o.val)
	case o.did == batch.Remove:
		x.rs, x.re = o.at, k.now
		k.over = append(k.over, x)
		if begun {
			k.left = slices.DeleteFunc(k.left, func(y *lockValue) bool { return y == x })
		}
	default:
		if x.a == 0 {
			x.a = k.now
		}
		if o.did == batch.Present {
			x.last = max(x.last, o.at)
		}
	}
	if !begun {
		k.fresh = append(k.fresh, x)
	}
	if x.re == 0 {
		if k.changed = append(k.changed, x); !begun {
			k.left = append(k.left, x)
		}
	}
	if x.re != 0 && x.re < x.last {
		return k.no(batch.Lifetime, o.val)
	}
	return batch.Linearizable
}

// limit gives deadlines for what is over and reaches from f to l. Other values that were
// removed keep them: they gave theirs to this one.
func (k *lock) limit(x *lockValue, f, l int64) {
	give := func(y *lockValue) {
		if y == x || y.gone || y.from() >= l || y.deadline != 0 && y.deadline <= f {
			return
		}
		if y.deadline = f; y.re == 0 {
			k.changed = append(k.changed, y)
		}
	}
	after := len(k.late)
	for ; after > 0 && k.late[after-1].deadline > f; after-- {
		give(k.late[after-1])
	}
	kept := k.fresh[:0]
	for _, y := range k.fresh {
		switch give(y); {
		case y.deadline != 0:
			k.late = append(k.late, y)
		case y.gone:
			k.free = append(k.free, y)
		default:
			kept = append(kept, y)
		}
	}
	clear(k.fresh[len(kept):])
	k.fresh = kept
	slices.SortFunc(k.late[after:], func(y, z *lockValue) int { return cmp.Compare(y.deadline, z.deadline) })
}

// judge decides with the pending removes that there are now.
func (k *lock) judge() batch.Answer {
	a := batch.Linearizable
	for _, x := range k.changed {
		if x.re == 0 && !x.fits(k.left) && !k.take(x) {
			a = k.give(k.left)
			break
		}
	}
	k.changed = k.changed[:0]
	k.forget()
	return a
}

// stays is the call of the remove of a value that stays.
const stays = math.MaxInt64

// takeBack takes the call of a remove that returned from the value it was given to.
func (k *lock) takeBack(call int64) {
	for _, x := range k.left {
		if x.rs == call {
			x.rs = 0
			k.changed = append(k.changed, x)
		}
	}
}

// fits reports whether a value that was not removed has a call that fits the others'.
func (x *lockValue) fits(others []*lockValue) bool {
	return x.rs != 0 && x.to(x.rs) <= x.bound(others)
}

// bound is how far a value may reach: to its deadline, and to where others begin that reach
// over its begin.
func (x *lockValue) bound(others []*lockValue) int64 {
	b := int64(stays)
	if x.deadline != 0 {
		b = x.deadline
	}
	f := x.from()
	for _, y := range others {
		if y != x && f < y.to(y.rs) {
			b = min(b, y.from())
		}
	}
	return b
}

// take lets a value stay, or finds another call for it, or for the one that stays in its
// place.
func (k *lock) take(x *lockValue) bool {
	if x.rs = stays; x.fits(k.left) {
		return true
	}
	for _, y := range k.left {
		if y == x || y.rs != stays {
			continue
		}
		if x.rs = 0; k.takeCall(y) {
			if x.rs = stays; x.fits(k.left) && y.fits(k.left) {
				return true
			}
		}
		y.rs = stays
		break
	}
	return k.takeCall(x)
}

// takeCall gives a value the last call of a pending remove that fits and is not given to
// another one.
func (k *lock) takeCall(x *lockValue) bool {
	x.rs = 0
	b := x.bound(k.left)
	if x.to(0) > b {
		return false
	}
	given := map[int64]bool{}
	for _, y := range k.left {
		given[y.rs] = true
	}
	for i := sort.Search(len(k.pending), func(i int) bool { return k.pending[i] > b }) - 1; i >= 0; i-- {
		if call := k.pending[i]; !given[call] {
			x.rs = call
			return true
		}
	}
	return false
}

// give gives the values that were not removed to the pending removes.
func (k *lock) give(left []*lockValue) batch.Answer {
	slices.SortFunc(left, func(x, y *lockValue) int { return int(x.a - y.a) })
	g := batch.Giving{Used: make([]bool, len(k.pending)), Take: func(i, t int) bool {
		x := left[i]
		if x.rs = stays; t < len(k.pending) {
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
			values = append(values, textOf(x.value))
		}
		k.no(batch.Zones, values...)
	}
	return a
}

// keeps reports whether a value keeps its deadline if it is removed by a call.
func (x *lockValue) keeps(rs int64) bool { return x.deadline == 0 || x.to(rs) <= x.deadline }

// forget drops values that are over for good.
func (k *lock) forget() {
	n := 0
	for ; n < len(k.over) && !k.calls.before(k.over[n].re); n++ {
		x := k.over[n]
		k.values.Delete(x.value)
		x.gone = true
	}
	k.over = slices.Delete(k.over, 0, n)
	n = 0
	for ; n < len(k.late) && k.late[n].gone; n++ {
		k.free = append(k.free, k.late[n])
	}
	k.late = slices.Delete(k.late, 0, n)
}

func (k *lock) live() int { return max(k.values.Len(), len(k.fresh)+len(k.late)) + len(k.calls) }
