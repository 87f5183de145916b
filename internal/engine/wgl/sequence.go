package wgl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// stack is a stack.
type stack struct{}

func (stack) Init() State { return (*cell)(nil) }

func (stack) ReadOnly(l *history.Label) bool { return l.Outcome == history.Nil }

func (stack) Step(s State, l *history.Label) (State, bool) {
	top := s.(*cell)
	switch {
	case is(l, "add", 1):
		return &cell{l.Args[0], top, semantics.Mix(top.Hash() ^ semantics.HashValue(l.Args[0]))}, answers(l, history.None, "")
	case !is(l, "remove", 0):
		return nil, false
	case top == nil:
		return top, answers(l, history.Nil, "")
	}
	return top.below, answers(l, history.Some, top.value)
}

// cell is the top of a stack that shares what is below it; nil is empty.
type cell struct {
	value history.Value
	below *cell
	hash  uint64
}

func (c *cell) Hash() uint64 {
	if c == nil {
		return 1
	}
	return c.hash
}

// String lists the values, the top first.
func (c *cell) String() string {
	var vs []history.Value
	for ; c != nil; c = c.below {
		vs = append(vs, c.value)
	}
	end := "]"
	if len(vs) > 1 {
		end = "] from the top"
	}
	return listed("[", len(vs), func(i int) string { return string(vs[i]) }, end)
}

// Equal stops at the part that the stacks share.
func (c *cell) Equal(s State) bool {
	d := s.(*cell)
	for c != d {
		if c == nil || d == nil || c.hash != d.hash || c.value != d.value {
			return false
		}
		c, d = c.below, d.below
	}
	return true
}

// queue is a first-in first-out queue under any names of its methods.
type queue struct {
	add    string
	remove []string
}

func (queue) Init() State { return &line{buf: &buffer{}} }

func (queue) ReadOnly(l *history.Label) bool { return l.Outcome == history.Nil }

func (q queue) Step(s State, l *history.Label) (State, bool) {
	held := s.(*line)
	switch {
	case is(l, q.add, 1):
		if !answers(l, history.None, "") {
			return nil, false
		}
		return held.push(l.Args[0]), true
	case !slices.Contains(q.remove, l.Method) || len(l.Args) != 0:
		return nil, false
	case held.from == held.to:
		return held, answers(l, history.Nil, "")
	case !answers(l, history.Some, held.buf.vs[held.from]):
		return nil, false
	}
	return held.pop(), true
}

// boundedQueue is a queue with room for so many values.
type boundedQueue struct{ room int64 }

func (boundedQueue) Init() State { return queue{}.Init() }

func (boundedQueue) ReadOnly(l *history.Label) bool {
	return l.Outcome == history.Nil || l.Outcome != history.Pending && refused(l)
}

func (q boundedQueue) Step(s State, l *history.Label) (State, bool) {
	held := s.(*line)
	switch {
	case !is(l, "add", 1):
		return queue{remove: []string{"remove"}}.Step(s, l)
	case int64(held.to-held.from) < q.room:
		return held.push(l.Args[0]), attempted(l, true)
	}
	return held, attempted(l, false)
}

// appendLog holds values by offset, from the first one on.
type appendLog struct{ first int64 }

func (appendLog) Init() State { return queue{}.Init() }

func (appendLog) ReadOnly(l *history.Label) bool { return l.Method == "read" }

// Refuses says what is no offset.
func (appendLog) Refuses(l *history.Label) error {
	if l.Method == "append" {
		return notIntegers(l, nil, l.Rets)
	} else if l.Method == "read" {
		return notIntegers(l, l.Args, nil)
	}
	return nil
}

func (m appendLog) Step(s State, l *history.Label) (State, bool) {
	held := s.(*line)
	switch {
	case is(l, "append", 1):
		at := integer(m.first + int64(held.to)).value()
		if !answers(l, history.None, "") && !answers(l, history.Some, at) {
			return nil, false
		}
		return held.push(l.Args[0]), true
	case !is(l, "read", 1):
		return nil, false
	}
	at, err := strconv.ParseInt(string(l.Args[0]), 10, 64)
	if at -= m.first; err != nil || at < 0 || at >= int64(held.to) {
		return held, err == nil && answers(l, history.Nil, "")
	}
	return held, answers(l, history.Some, held.buf.vs[at])
}

// line is the state of a queue: a window of a buffer that it shares with the
// states before and after it.
type line struct {
	buf      *buffer
	from, to int
	hash     uint64 // the sum of hash(v) * base^(number of values behind v)
	power    uint64 // base^(number of values)
}

type buffer struct{ vs []history.Value }

// base is odd, so it has an inverse modulo 2^64.
const (
	base    = 0x9e3779b97f4a7c15
	inverse = 0xf1de83e19937733d
)

func (s *line) String() string {
	return listed("[", s.to-s.from, func(i int) string { return string(s.buf.vs[s.from+i]) }, "]")
}

// push writes behind the window if no other state did, else it copies.
func (s *line) push(v history.Value) *line {
	t := *s
	if len(s.buf.vs) != s.to {
		t.buf = &buffer{slices.Clone(s.buf.vs[s.from:s.to])}
		t.from, t.to = 0, s.to-s.from
	}
	t.buf.vs = append(t.buf.vs, v)
	t.to++
	t.hash = s.hash*base + semantics.HashValue(v)
	t.power = s.scale() * base
	return &t
}

func (s *line) pop() *line {
	t := *s
	t.from++
	t.power = s.scale() * inverse
	t.hash = s.hash - semantics.HashValue(s.buf.vs[s.from])*t.power
	return &t
}

// scale is base^(number of values); the zero line is empty.
func (s *line) scale() uint64 {
	if s.power == 0 {
		return 1
	}
	return s.power
}

func (s *line) Hash() uint64 { return s.hash }

func (s *line) Equal(t State) bool {
	u := t.(*line)
	if s.buf == u.buf && s.from == u.from && s.to == u.to {
		return true
	}
	return slices.Equal(s.buf.vs[s.from:s.to], u.buf.vs[u.from:u.to])
}

// deque is a queue with two ends.
type deque struct{}

func (deque) Init() State { return &row{buffers: [2]*buffer{{}, {}}, power: 1} }

func (deque) ReadOnly(l *history.Label) bool { return l.Outcome == history.Nil }

func (deque) Step(s State, l *history.Label) (State, bool) {
	held, end := s.(*row), front
	switch l.Method {
	case "pushBack", "popBack":
		end = back
	case "pushFront", "popFront":
	default:
		return nil, false
	}
	switch push := strings.HasPrefix(l.Method, "push"); {
	case push && len(l.Args) == 1:
		if !answers(l, history.None, "") {
			return nil, false
		}
		return held.push(end, l.Args[0]), true
	case push || len(l.Args) > 0:
		return nil, false
	case held.from == held.to:
		return held, answers(l, history.Nil, "")
	case !answers(l, history.Some, held.at(held.last(end))):
		return nil, false
	}
	return held.pop(end), true
}

// row is the state of a deque: the values at places from, from+1, ... to-1 of an endless row, which it shares with the states
// before and after it. A buffer holds those at places 0, 1, ..., another those at -1, -2, ...
type row struct {
	buffers  [2]*buffer // front, back
	from, to int
	hash     uint64 // as that of a line
	power    uint64
}

// The ends of a row.
const (
	front = 0
	back  = 1
)

func (s *row) at(i int) history.Value {
	if i < 0 {
		return s.buffers[front].vs[-1-i]
	}
	return s.buffers[back].vs[i]
}

// last is the place of the value at an end.
func (s *row) last(end int) int {
	if end == front {
		return s.from
	}
	return s.to - 1
}

// push writes behind what the buffer of an end holds if that ends with the row, else it copies the row.
func (s *row) push(end int, v history.Value) *row {
	t := *s
	place := s.to
	if end == front {
		place = -s.from
	}
	if len(s.buffers[end].vs) != place {
		t.buffers = [2]*buffer{{}, {}}
		for i := s.from; i < s.to; i++ {
			t.buffers[back].vs = append(t.buffers[back].vs, s.at(i))
		}
		t.from, t.to = 0, s.to-s.from
	}
	t.buffers[end].vs = append(t.buffers[end].vs, v)
	if t.power = s.power * base; end == front {
		t.from--
		t.hash = s.hash + semantics.HashValue(v)*s.power
	} else {
		t.to++
		t.hash = s.hash*base + semantics.HashValue(v)
	}
	return &t
}

func (s *row) pop(end int) *row {
	t := *s
	h := semantics.HashValue(s.at(s.last(end)))
	if t.power = s.power * inverse; end == front {
		t.from++
		t.hash = s.hash - h*t.power
	} else {
		t.to--
		t.hash = (s.hash - h) * inverse
	}
	return &t
}

func (s *row) Hash() uint64 { return s.hash }

func (s *row) Equal(t State) bool {
	u := t.(*row)
	if s.to-s.from != u.to-u.from {
		return false
	}
	for i := range s.to - s.from {
		if s.at(s.from+i) != u.at(u.from+i) {
			return false
		}
	}
	return true
}

func (s *row) String() string {
	return listed("[", s.to-s.from, func(i int) string { return string(s.at(s.from + i)) }, "]")
}
