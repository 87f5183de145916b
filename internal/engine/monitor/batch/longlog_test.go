package batch

import (
	"math/rand/v2"
	"strings"
)

// log makes columns of n operations of 8 processes that always overlap. One
// answer is wrong if broken is a share of the operations, 0 to 1, before which
// all are right.
func (m *model) log(n int, broken float64) *Columns {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	l := &longLog{m: m, Rand: r, Columns: &Columns{}, processes: 8, busy: true}
	l.run(n)
	if broken > 0 {
		l.breakAt(int(broken * float64(n)))
	}
	return l.Columns
}

// longLog is an object with any number of values.
type longLog struct {
	m *model
	*rand.Rand
	*Columns
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
	for len(l.Call) < n || !l.pending && len(running) > 0 {
		if len(running) == 0 || len(l.Call) < n && len(running) < l.processes && (l.busy || l.IntN(2) == 0) {
			l.Events++
			l.Push(l.invoke())
			l.Call[len(l.Call)-1] = l.Events
			running = append(running, len(l.Call)-1)
			continue
		}
		k := l.IntN(len(running))
		i := running[k]
		running = append(running[:k], running[k+1:]...)
		l.effect(i)
		l.Events++
		l.Ret[i] = l.Events
	}
	if l.m.priority != nil {
		for v := range l.Values {
			l.Priority = append(l.Priority, l.priorityOf(v))
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

func (l *longLog) invoke() Op {
	o := Op{Value: -1, Asked: -1, Ret: Never}
	kind := l.IntN(2)
	if l.most > 0 && len(l.held)-l.front >= l.most {
		kind = 1
	}
	switch {
	case l.m.name == "set":
		o.Open = []Role{MaybeAdd, MaybeRemove, None}[l.IntN(3)]
		if o.Open == MaybeAdd { // each value is added once
			o.Asked = l.last
			l.last++
		} else if l.last > 0 {
			o.Asked = l.last - 1 - l.Int32N(min(40, l.last))
		} else {
			o.Asked = 0
		}
	case kind == 0:
		o.Open, o.Asked = MaybeAdd, l.last
		l.last++
	case l.m.name == "register", strings.HasSuffix(l.m.name, "peeks") && l.IntN(2) == 0:
		o.Open = None
	default:
		o.Open = MaybeRemove
		if l.m.name == "steal" {
			o.Kind = uint8(l.IntN(2))
		}
	}
	return o
}

func (l *longLog) effect(i int) {
	a := l.Asked[i]
	if l.m.priority != nil {
		l.bestEffect(i, a)
		return
	}
	switch name := strings.TrimSuffix(l.m.name, " with peeks"); name {
	case "bag":
		switch {
		case l.Open[i] == MaybeAdd:
			l.held = append(l.held, a)
			l.Role[i], l.Value[i] = Add, a
		case len(l.held) == 0:
			l.Role[i] = Empty
		default:
			l.Role[i], l.Value[i] = Remove, l.take(l.IntN(len(l.held)))
		}
	case "queue", "stack", "steal":
		switch {
		case l.Open[i] == None && len(l.held) > l.front:
			l.Role[i], l.Value[i] = Present, l.held[l.front]
			if name == "stack" {
				l.Value[i] = l.held[len(l.held)-1]
			}
		case l.Open[i] == MaybeAdd:
			l.held = append(l.held, a)
			l.Role[i], l.Value[i] = Add, a
		case len(l.held) == l.front:
			l.Role[i] = Empty
		case name == "queue" || l.Kind[i] == 1:
			l.Role[i], l.Value[i] = Remove, l.held[l.front]
			l.front++
		default:
			l.Role[i], l.Value[i] = Remove, l.held[len(l.held)-1]
			l.held = l.held[:len(l.held)-1]
		}
	case "register":
		switch {
		case l.Open[i] == MaybeAdd:
			l.held = append(l.held[:0], a)
			l.Role[i], l.Value[i] = Add, a
		case len(l.held) == 0:
			l.Role[i] = Empty
		default:
			l.Role[i], l.Value[i] = Present, l.held[0]
		}
	case "lock":
		free := len(l.held) == 0
		switch {
		case l.Open[i] == MaybeAdd && free:
			l.held = append(l.held, a)
			l.Role[i], l.Value[i] = Add, a
		case l.Open[i] == MaybeAdd:
			l.Role[i], l.Value[i] = Present, l.held[0]
		case free:
			l.Role[i] = Empty
		default:
			l.Role[i], l.Value[i] = Remove, l.held[0]
			l.held = l.held[:0]
		}
	case "set":
		l.Value[i] = a
		for int(a) >= len(l.held) {
			l.held = append(l.held, 0)
		}
		in := l.held[a] == 1
		switch {
		case l.Open[i] == MaybeAdd && !in:
			l.Role[i], l.held[a] = Add, 1
		case l.Open[i] == MaybeRemove && in:
			l.Role[i], l.held[a] = Remove, 2
		case in:
			l.Role[i] = Present
		default:
			l.Role[i] = Absent
		}
	}
}

func (l *longLog) bestEffect(i int, a int32) {
	switch {
	case l.Open[i] == MaybeAdd:
		l.held = append(l.held, a)
		l.Role[i], l.Value[i] = Add, a
	case len(l.held) == 0:
		l.Role[i] = Empty
	case l.Open[i] == None:
		l.Role[i], l.Value[i] = Present, l.held[l.best()]
	default:
		l.Role[i], l.Value[i] = Remove, l.take(l.best())
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
	switch l.Role[i] {
	case Remove, Present:
		switch {
		case l.IntN(3) == 0 && (l.Role[i] == Remove || l.Open[i] == None):
			l.Role[i], l.Value[i] = Empty, -1
		default:
			l.Value[i] = int32(other)
		}
	case Empty:
		l.Value[i], l.Role[i] = int32(other), Remove
		if l.Open[i] == None {
			l.Role[i] = Present
		}
	}
}

func (l *longLog) spoilSet(i int) {
	switch {
	case l.Role[i] == Remove:
		l.Role[i] = Absent
	case l.Role[i] == Absent && l.Open[i] == MaybeRemove:
		l.Role[i] = Remove
	case l.Role[i] == Absent:
		l.Role[i] = Present
	case l.Role[i] == Present && l.Open[i] == None:
		l.Role[i] = Absent
	}
}

// breakAt makes the first answer at or after operation i wrong that can be.
func (l *longLog) breakAt(i int) {
	for ; i < len(l.Call); i++ {
		for j := i + 1; j < min(i+200, len(l.Call)); j++ {
			if l.m.name == "set" && l.Role[j] == Present && l.Open[j] == None {
				l.Role[j] = Absent // of 200, some saw a value that was surely in
			}
			if l.m.name != "set" && l.Role[i] == Remove && l.Role[j] == Remove && l.Call[j] > l.Ret[i]+100 {
				l.Value[i], l.Value[j] = l.Value[j], l.Value[i]
				return
			}
			if l.m.name == "register" && l.Role[i] == Present && l.Role[j] == Present && l.Value[i] != l.Value[j] && l.Call[j] > l.Ret[i] {
				l.Value[j] = l.Value[max(0, i-1000)]
				for k := max(0, i-1000); l.Value[j] < 0 || l.Role[k] != Add; k++ {
					l.Value[j] = l.Value[k]
				}
				return
			}
		}
		if l.m.name == "set" {
			return
		}
	}
}

// emptied is a log of n operations in which few values are in at a time.
func (m *model) emptied(n int) *Columns {
	l := &longLog{m: m, Rand: rand.New(rand.NewPCG(uint64(n), 6)), Columns: &Columns{}, processes: 6, most: 4}
	l.run(n)
	return l.Columns
}
