package monitor

import (
	"math/rand/v2"
	"strings"
)

// log makes columns of n operations of 8 processes that always overlap. One
// answer is wrong if broken is a share of the operations, 0 to 1, before which
// all are right.
func (m *model) log(n int, broken float64) *columns {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	l := &longLog{m: m, Rand: r, columns: &columns{}, processes: 8, busy: true}
	l.run(n)
	if broken > 0 {
		l.breakAt(int(broken * float64(n)))
	}
	return l.columns
}

// longLog is an object with any number of values.
type longLog struct {
	m *model
	*rand.Rand
	*columns
	processes int
	busy      bool    // no process ever waits
	most      int     // values that are in, if there is a bound
	pending   bool    // operations that run at the end do not return
	held      []int32 // in order; of a set: per value 0, 1, or 2 if it was removed
	front     int
	last      int32 // values so far
}

func (l *longLog) run(n int) {
	running := make([]int, 0, l.processes)
	for len(l.call) < n || !l.pending && len(running) > 0 {
		if len(running) == 0 || len(l.call) < n && len(running) < l.processes && (l.busy || l.IntN(2) == 0) {
			l.events++
			l.push(l.invoke())
			l.call[len(l.call)-1] = l.events
			running = append(running, len(l.call)-1)
			continue
		}
		k := l.IntN(len(running))
		i := running[k]
		running = append(running[:k], running[k+1:]...)
		l.effect(i)
		l.events++
		l.ret[i] = l.events
	}
	if l.m.priority != nil {
		for v := range l.values {
			l.priority = append(l.priority, l.priorityOf(v))
		}
	}
}

func (l *longLog) priorityOf(v int32) int64 {
	if l.m.name == "equal priorities" {
		return int64(v*7919%1000) / 50
	}
	return int64(v * 7919 % 1_000_003)
}

// best is the place in held of a value of the highest priority.
func (l *longLog) best() (at int) {
	for i, v := range l.held {
		if l.priorityOf(v) > l.priorityOf(l.held[at]) {
			at = i
		}
	}
	return at
}

func (l *longLog) invoke() op {
	o := op{value: -1, asked: -1, ret: never}
	kind := l.IntN(2)
	if l.most > 0 && len(l.held)-l.front >= l.most {
		kind = 1
	}
	switch {
	case l.m.name == "set":
		o.open = []role{maybeAdd, maybeRemove, none}[l.IntN(3)]
		if o.open == maybeAdd { // each value is added once
			o.asked = l.last
			l.last++
		} else if l.last > 0 {
			o.asked = l.last - 1 - l.Int32N(min(40, l.last))
		} else {
			o.asked = 0
		}
	case kind == 0:
		o.open, o.asked = maybeAdd, l.last
		l.last++
	case l.m.name == "register", strings.HasSuffix(l.m.name, "peeks") && l.IntN(2) == 0:
		o.open = none
	default:
		o.open = maybeRemove
		if l.m.name == "steal" {
			o.kind = uint8(l.IntN(2))
		}
	}
	return o
}

func (l *longLog) effect(i int) {
	a := l.asked[i]
	if l.m.priority != nil {
		l.bestEffect(i, a)
		return
	}
	switch name := strings.TrimSuffix(l.m.name, " with peeks"); name {
	case "bag":
		switch {
		case l.open[i] == maybeAdd:
			l.held = append(l.held, a)
			l.role[i], l.value[i] = add, a
		case len(l.held) == 0:
			l.role[i] = empty
		default:
			l.role[i], l.value[i] = remove, l.take(l.IntN(len(l.held)))
		}
	case "queue", "stack", "steal":
		switch {
		case l.open[i] == none && len(l.held) > l.front:
			l.role[i], l.value[i] = present, l.held[l.front]
			if name == "stack" {
				l.value[i] = l.held[len(l.held)-1]
			}
		case l.open[i] == maybeAdd:
			l.held = append(l.held, a)
			l.role[i], l.value[i] = add, a
		case len(l.held) == l.front:
			l.role[i] = empty
		case name == "queue" || l.kind[i] == 1:
			l.role[i], l.value[i] = remove, l.held[l.front]
			l.front++
		default:
			l.role[i], l.value[i] = remove, l.held[len(l.held)-1]
			l.held = l.held[:len(l.held)-1]
		}
	case "register":
		switch {
		case l.open[i] == maybeAdd:
			l.held = append(l.held[:0], a)
			l.role[i], l.value[i] = add, a
		case len(l.held) == 0:
			l.role[i] = empty
		default:
			l.role[i], l.value[i] = present, l.held[0]
		}
	case "lock":
		free := len(l.held) == 0
		switch {
		case l.open[i] == maybeAdd && free:
			l.held = append(l.held, a)
			l.role[i], l.value[i] = add, a
		case l.open[i] == maybeAdd:
			l.role[i], l.value[i] = present, l.held[0]
		case free:
			l.role[i] = empty
		default:
			l.role[i], l.value[i] = remove, l.held[0]
			l.held = l.held[:0]
		}
	case "set":
		l.value[i] = a
		for int(a) >= len(l.held) {
			l.held = append(l.held, 0)
		}
		in := l.held[a] == 1
		switch {
		case l.open[i] == maybeAdd && !in:
			l.role[i], l.held[a] = add, 1
		case l.open[i] == maybeRemove && in:
			l.role[i], l.held[a] = remove, 2
		case in:
			l.role[i] = present
		default:
			l.role[i] = absent
		}
	}
}

func (l *longLog) bestEffect(i int, a int32) {
	switch {
	case l.open[i] == maybeAdd:
		l.held = append(l.held, a)
		l.role[i], l.value[i] = add, a
	case len(l.held) == 0:
		l.role[i] = empty
	case l.open[i] == none:
		l.role[i], l.value[i] = present, l.held[l.best()]
	default:
		l.role[i], l.value[i] = remove, l.take(l.best())
	}
}

// take takes the value at a place in held, and puts the last there.
func (l *longLog) take(at int) int32 {
	v := l.held[at]
	l.held[at] = l.held[len(l.held)-1]
	l.held = l.held[:len(l.held)-1]
	return v
}

// spoil makes an answer another one.
func (l *longLog) spoil(i int) {
	other := l.IntN(int(max(l.last, 1)))
	if l.m.name == "set" {
		l.spoilSet(i)
		return
	}
	switch l.role[i] {
	case remove, present:
		switch {
		case l.IntN(3) == 0 && (l.role[i] == remove || l.open[i] == none):
			l.role[i], l.value[i] = empty, -1
		default:
			l.value[i] = int32(other)
		}
	case empty:
		l.value[i], l.role[i] = int32(other), remove
		if l.open[i] == none {
			l.role[i] = present
		}
	}
}

func (l *longLog) spoilSet(i int) {
	switch {
	case l.role[i] == remove:
		l.role[i] = absent
	case l.role[i] == absent && l.open[i] == maybeRemove:
		l.role[i] = remove
	case l.role[i] == absent:
		l.role[i] = present
	case l.role[i] == present && l.open[i] == none:
		l.role[i] = absent
	}
}

// breakAt makes the first answer at or after operation i wrong that can be.
func (l *longLog) breakAt(i int) {
	for ; i < len(l.call); i++ {
		for j := i + 1; j < min(i+200, len(l.call)); j++ {
			if l.m.name == "set" && l.role[j] == present && l.open[j] == none {
				l.role[j] = absent // of 200, some saw a value that was surely in
			}
			if l.m.name != "set" && l.role[i] == remove && l.role[j] == remove && l.call[j] > l.ret[i]+100 {
				l.value[i], l.value[j] = l.value[j], l.value[i]
				return
			}
			if l.m.name == "register" && l.role[i] == present && l.role[j] == present && l.value[i] != l.value[j] && l.call[j] > l.ret[i] {
				l.value[j] = l.value[max(0, i-1000)]
				for k := max(0, i-1000); l.value[j] < 0 || l.role[k] != add; k++ {
					l.value[j] = l.value[k]
				}
				return
			}
		}
		if l.m.name == "set" {
			return
		}
	}
}
