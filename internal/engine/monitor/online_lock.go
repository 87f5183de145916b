package monitor

import (
	"maps"
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
)

// onlineLock follows locks and one-place buffers. As for registers, let f be the
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
type onlineLock struct {
	broken
	now    int64
	values map[history.Value]*tenure
	calls  calls // of all operations that run
	tokens calls // of pending removes
}

// tenure is a value of a lock. Events are 0 where there is none.
type tenure struct {
	as, a    int64 // a is the first return of the add and of what saw it
	rs, re   int64
	last     int64 // the last call of what saw it
	deadline int64
	pending  bool // the add runs
}

// from and to are f and l, if the remove was called at rs.
func (x *tenure) from() int64 {
	if x.a == 0 || x.re != 0 && x.re < x.a {
		return x.re
	}
	return x.a
}

func (x *tenure) to(rs int64) int64 { return max(x.as, x.last, rs) }

func newOnlineLock() follower {
	return &onlineLock{values: map[history.Value]*tenure{}}
}

func (k *onlineLock) called(o calling) (int64, string) {
	if o.open == maybeAdd && k.values[o.asked] != nil {
		return 0, addsAgain
	}
	k.now++
	k.calls = append(k.calls, k.now)
	switch o.open {
	case maybeAdd:
		k.values[o.asked] = &tenure{as: k.now, pending: true}
	case maybeRemove:
		k.tokens = append(k.tokens, k.now)
	}
	return k.now, ""
}

func (k *onlineLock) returned(o returning) answer {
	k.now++
	k.calls = without(k.calls, o.at)
	switch o.open {
	case maybeRemove:
		k.tokens = without(k.tokens, o.at)
	case maybeAdd:
		x := k.values[o.asked]
		x.pending = false
		if o.did != add && x.from() == 0 {
			delete(k.values, o.asked)
		} else if o.did != add {
			return k.no(neverAdded, o.asked)
		}
	}
	if o.did == empty {
		k.limit(nil, k.now, o.at)
		return k.judge()
	}
	x := k.values[o.val]
	if x == nil {
		return k.no(neverAdded, o.val)
	}
	if a := k.note(x, o); a != linearizable {
		return a
	}
	if x.re != 0 {
		k.limit(x, x.from(), x.to(x.rs))
	}
	return k.judge()
}

// note enters what an operation did to its value.
func (k *onlineLock) note(x *tenure, o returning) answer {
	switch {
	case o.did == remove && x.re != 0:
		return k.no(twice, o.val)
	case o.did == remove:
		x.rs, x.re = o.at, k.now
	default:
		if x.a == 0 {
			x.a = k.now
		}
		if o.did == present {
			x.last = max(x.last, o.at)
		}
	}
	if x.re != 0 && x.re < x.last {
		return k.no(lifetime, o.val)
	}
	return linearizable
}

// limit gives deadlines for what is over and reaches from f to l.
func (k *onlineLock) limit(x *tenure, f, l int64) {
	for _, y := range k.values {
		if g := y.from(); y != x && g != 0 && g < l && (y.deadline == 0 || f < y.deadline) {
			y.deadline = f
		}
	}
}

// judge decides with the pending removes that there are now.
func (k *onlineLock) judge() answer {
	var left []*tenure
	for v, x := range k.values {
		switch {
		case x.from() == 0:
		case x.re == 0:
			left = append(left, x)
		case !x.keeps(x.rs):
			return k.no(zones, v)
		}
	}
	slices.SortFunc(left, func(x, y *tenure) int { return int(x.a - y.a) })
	g := giving{used: make([]bool, len(k.tokens)), take: func(i, t int) bool {
		x := left[i]
		if x.rs = k.now + 1; t < len(k.tokens) {
			x.rs = k.tokens[t]
		}
		return x.fits(left[:i])
	}}
	for _, x := range left {
		g.few = append(g.few, sort.Search(len(k.tokens), func(t int) bool { return !x.keeps(k.tokens[t]) }))
		if x.deadline == 0 {
			g.mayStay = 1
		}
	}
	a := g.give(0)
	if a == violating {
		k.blame(left)
	}
	k.forget()
	return a
}

// keeps tells whether a value keeps its deadline if it is removed by a call.
func (x *tenure) keeps(rs int64) bool { return x.deadline == 0 || x.to(rs) <= x.deadline }

// fits tells whether a value keeps its deadline, and to others.
func (x *tenure) fits(others []*tenure) bool {
	if !x.keeps(x.rs) {
		return false
	}
	f, l := x.from(), x.to(x.rs)
	return !slices.ContainsFunc(others, func(y *tenure) bool { return f < y.to(y.rs) && y.from() < l })
}

func (k *onlineLock) blame(left []*tenure) {
	var values []history.Value
	for v, x := range k.values {
		if slices.Contains(left, x) {
			values = append(values, v)
		}
	}
	k.no(zones, values...)
}

// forget drops values that are over for good.
func (k *onlineLock) forget() {
	maps.DeleteFunc(k.values, func(_ history.Value, x *tenure) bool {
		return x.re != 0 && !x.pending && !k.calls.before(x.re)
	})
}

func (k *onlineLock) live() int { return len(k.values) + len(k.calls) }
