package monitor

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// segments follows stacks, priority queues, and queues at whose front something
// looks, by their procedures, a stretch of the execution at a time. What happened since the last stretch is kept; a gap in
// no core of what is kept, whatever comes, cuts it in two that are decided apart,
// as the package says of operations that find nothing, and what lies before is
// forgotten: so memory is bounded by what happens between moments at which
// nothing is in.
//
// What is kept is decided when it has grown by an eighth, at each return if it is
// small, and when nothing is in and nothing runs. A violation is noticed then,
// and not before; where its shortest prefix ends is found out all the same.
//
// An event takes some times the time that the procedure takes for it. A value that
// stays for ever, or one that a pending remove took which never returns, ends the
// last stretch only with the execution.
type segments struct {
	procedure
	looks    bool // an operation that is neither an add nor a remove may see a value
	priority func(history.Value) (int64, error)

	now     int64
	c       *columns
	global  []int64 // by position in c, from 1: the event
	names   []history.Value
	numbers map[history.Value]int32 // of values that are in c, the last with that name
	adds    []int32                 // by value: 1 + its add, in c
	gone    []bool                  // by value: its remove returned
	running map[int64]int32         // operations, by the event of their calls; -1 if they are forgotten
	in      int                     // values that are not gone
	checked int32                   // positions of c when it was last decided
	last    answer                  // what it was then: not violating
	cutter  container

	rule   rule
	values []history.Value
	first  int64 // the events of the shortest violating prefix
	exact  bool
}

func newSegments(p procedure, r *reader) follower {
	s := &segments{procedure: p, looks: r.does(present), priority: r.priority, running: map[int64]int32{}}
	s.begin(0)
	return s
}

// begin makes room for about so many operations, and forgets all there were.
func (s *segments) begin(ops int) {
	s.c = newColumns(ops)
	s.global = append(s.global[:0:0], 0)
	s.names, s.adds, s.gone, s.in = nil, nil, nil, 0
	s.numbers = map[history.Value]int32{}
}

// number is that of a value; a new one if the value is not known, or is added
// again.
func (s *segments) number(v history.Value, again bool) int32 {
	n, ok := s.numbers[v]
	if ok && !again {
		return n
	}
	n = int32(len(s.names))
	s.numbers[v] = n
	s.names, s.adds, s.gone = append(s.names, v), append(s.adds, 0), append(s.gone, false)
	if s.priority != nil {
		p, _ := s.priority(v)
		s.c.priority = append(s.c.priority, p)
	}
	s.c.values = n + 1
	return n
}

func (s *segments) event() int32 {
	s.now++
	s.c.events++
	s.global = append(s.global, s.now)
	return s.c.events
}

func (s *segments) called(o calling) (at int64, why string) {
	asked := int32(-1)
	if o.open == maybeAdd {
		if n, ok := s.numbers[o.asked]; ok && s.adds[n] != 0 && (!s.gone[n] || s.c.ret[s.adds[n]-1] == never) {
			return 0, addsAgain
		}
		if s.priority != nil {
			if _, err := s.priority(o.asked); err != nil {
				return 0, "adds a value without a priority: " + err.Error()
			}
		}
		asked = s.number(o.asked, true)
		s.adds[asked] = int32(len(s.c.call)) + 1
		s.in++
	}
	s.c.push(op{role: none, value: -1, open: o.open, kind: o.kind, asked: asked, call: s.event(), ret: never})
	s.running[s.now] = int32(len(s.c.call)) - 1
	return s.now, ""
}

func (s *segments) returned(o returning) answer {
	i := s.running[o.at]
	delete(s.running, o.at)
	if i < 0 {
		s.now++
		return linearizable // the add of a value that is gone
	}
	c := s.c
	c.ret[i], c.role[i] = s.event(), o.did
	switch o.did {
	case add:
		c.value[i] = c.asked[i]
	case remove, present:
		v := s.number(o.val, false)
		c.value[i] = v
		if o.did == remove && s.adds[v] != 0 && !s.gone[v] {
			s.gone[v] = true
			s.in--
		}
	}
	if 8*(c.events-s.checked) < c.events && (s.in > 0 || len(s.running) > 0) {
		return linearizable
	}
	if a := s.decide(); a != unclear {
		return a
	}
	return linearizable // for all that is known
}

// finish decides what is kept.
func (s *segments) finish() answer {
	if s.checked == s.c.events {
		return s.last
	}
	return s.decide()
}

// decide decides what is kept, and forgets what it can of it.
func (s *segments) decide() answer {
	a, w := s.procedure.decide(s.c, s.c.events)
	switch a {
	case linearizable:
		s.forget()
	case violating:
		n, b, w, exact := shortest(context.Background(), s.procedure, s.c, s.c.events, a, w)
		a, s.first, s.exact, s.rule = b, s.global[n], exact, w.rule
		for _, v := range w.values {
			s.values = append(s.values, s.names[v])
		}
	}
	s.checked, s.last = s.c.events, a
	return a
}

// forget leaves out what lies before the last gap in no core. An operation that
// runs may see a value whose remove returned after it was called; for it, the
// value is still in.
func (s *segments) forget() {
	runs := never
	for _, i := range s.running {
		if i >= 0 && s.looks && s.c.open[i] == none {
			runs = min(runs, s.c.call[i])
		}
	}
	if gap := s.cutter.lastGap(s.c, runs); gap > 0 {
		s.rest(gap)
	}
}

// rest keeps what lies behind a gap.
func (s *segments) rest(gap int32) {
	old := *s
	keep := make([]bool, len(old.c.call))
	at := make([]int32, old.c.events+1) // by position: 1 + the operation that is kept
	kept := 0
	for i := range keep {
		if keep[i] = s.stays(i, gap); keep[i] {
			kept++
			at[old.c.call[i]] = int32(i) + 1
			if ret := old.c.ret[i]; ret != never {
				at[ret] = int32(i) + 1
			}
		}
	}
	s.begin(kept)
	for v, name := range old.names { // the later of two with one name stays
		if old.adds[v] != 0 && keep[old.adds[v]-1] {
			s.number(name, true)
			old.adds[v] = s.c.values
		} else {
			old.adds[v] = 0
		}
	}
	place := make([]int32, len(keep))
	for pos, i := range at {
		if i == 0 {
			continue
		}
		i--
		s.c.events++
		s.global = append(s.global, old.global[pos])
		if old.c.call[i] == int32(pos) {
			place[i] = int32(len(s.c.call))
			s.move(&old, i)
		} else {
			s.c.ret[place[i]] = s.c.events
		}
	}
	for call, i := range s.running {
		if i >= 0 && keep[i] {
			s.running[call] = place[i]
		} else {
			s.running[call] = -1
		}
	}
}

// stays tells whether an operation lies behind a gap, or runs.
func (s *segments) stays(i int, gap int32) bool {
	v := s.c.value[i]
	switch s.c.role[i] {
	case empty:
		return s.c.call[i] > gap
	case none:
		if s.c.open[i] != maybeAdd {
			return true
		}
		v = s.c.asked[i]
		return !s.gone[v] || s.cutter.side(v) > gap
	}
	return s.cutter.side(v) > gap
}

// move takes over an operation that is called at the last position. Values were
// numbered by their adds: see rest.
func (s *segments) move(old *segments, i int32) {
	number := func(v int32) int32 {
		if v < 0 {
			return -1
		}
		return old.adds[v] - 1
	}
	c := old.c
	o := op{role: c.role[i], value: number(c.value[i]), open: c.open[i], kind: c.kind[i], asked: number(c.asked[i]), call: s.c.events, ret: never}
	s.c.push(o)
	if o.open == maybeAdd {
		s.adds[o.asked] = int32(len(s.c.call))
		if s.gone[o.asked] = old.gone[c.asked[i]]; !s.gone[o.asked] {
			s.in++
		}
	}
}

func (s *segments) live() int { return len(s.c.call) }

func (s *segments) why() (rule, []history.Value) { return s.rule, s.values }

func (s *segments) prefix() (events int64, exact bool) { return s.first, s.exact }
