package follow

import (
	"context"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// segments follows stacks, priority queues, and queues at whose front something
// looks, by their procedures, a stretch of the execution at a time. What happened
// since the last stretch is kept; a gap in no core of what is kept, whatever comes,
// cuts it in two parts that are decided one by one, and what lies before is
// forgotten: so memory is bounded by what happens between moments at which nothing
// is in.
//
// What is kept is decided when it has grown by an eighth, at each return if it is
// small, and when nothing is in and nothing runs. A violation is noticed then,
// and not before; where its shortest prefix ends is found out all the same.
//
// An event takes some times the time that the procedure takes for it. A value that
// stays for ever, or one that a pending remove took which never returns, ends the
// last stretch only with the execution. So there is a bound to what is kept, after
// which no call is taken; up to there all is decided.
type segments struct {
	batch.Algorithm
	looks    bool // an operation that is neither an add nor a remove may see a value
	priority func(history.Value) (int64, error)

	now     int64
	c       *batch.Columns
	global  []int64 // by position in c, from 1: the event
	names   []history.Value
	numbers map[history.Value]int32 // of values that are in c, the last with that name
	adds    []int32                 // by value: 1 + its add, in c
	gone    []bool                  // by value: its remove returned
	running map[int64]int32         // operations, by the event of their calls; -1 if they are forgotten
	in      int                     // values that are not gone
	checked int32                   // positions of c when it was last decided
	last    batch.Answer            // what it was then: not violating
	cutter  batch.Container
	most    int  // operations that are kept
	full    bool // that many are kept, and decided

	rule   batch.Rule
	values []history.Value
	first  int64 // the events of the shortest violating prefix
	exact  bool
}

// mostKept is how many operations a stretch may have: with some 350 bytes of memory for
// each, garbage counted.
const mostKept = 1 << 23

// NewSegments follows a type by its procedure, a stretch at a time.
func NewSegments(p batch.Algorithm, r *batch.Reader) Follower {
	s := &segments{Algorithm: p, looks: r.Does(batch.Present), priority: r.Priority, running: map[int64]int32{}, most: mostKept}
	s.begin(0)
	return s
}

// begin makes room for about so many operations, and forgets all there were.
func (s *segments) begin(ops int) {
	s.c = batch.New(ops)
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
	v = history.Value(strings.Clone(string(v))) // which may be part of much text
	s.numbers[v] = n
	s.names, s.adds, s.gone = append(s.names, v), append(s.adds, 0), append(s.gone, false)
	if s.priority != nil {
		p, _ := s.priority(v)
		s.c.Priority = append(s.c.Priority, p)
	}
	s.c.Values = n + 1
	return n
}

func (s *segments) event() int32 {
	s.now++
	s.c.Events++
	s.global = append(s.global, s.now)
	return s.c.Events
}

func (s *segments) called(o calling) (at int64, why string) {
	asked := int32(-1)
	if s.full {
		return 0, fmt.Sprintf("is called when %d operations are kept, as many as may be: there was no moment among them at which nothing was in, and so nothing to be forgotten; no violation was found up to there", len(s.c.Call))
	}
	if o.open == batch.MaybeAdd {
		if n, ok := s.numbers[o.asked]; ok && s.adds[n] != 0 && (!s.gone[n] || s.c.Ret[s.adds[n]-1] == batch.Never) {
			return 0, addsAgain
		}
		if s.priority != nil {
			if _, err := s.priority(o.asked); err != nil {
				return 0, "adds a value without a priority: " + err.Error()
			}
		}
		asked = s.number(o.asked, true)
		s.adds[asked] = int32(len(s.c.Call)) + 1
		s.in++
	}
	s.c.Push(batch.Op{Role: batch.None, Value: -1, Open: o.open, Kind: o.kind, Asked: asked, Call: s.event(), Ret: batch.Never})
	s.running[s.now] = int32(len(s.c.Call)) - 1
	return s.now, ""
}

func (s *segments) returned(o returning) batch.Answer {
	i := s.running[o.at]
	delete(s.running, o.at)
	if i < 0 {
		s.now++
		return batch.Linearizable // the add of a value that is gone
	}
	c := s.c
	c.Ret[i], c.Role[i] = s.event(), o.did
	switch o.did {
	case batch.Add:
		c.Value[i] = c.Asked[i]
	case batch.Remove, batch.Present:
		v := s.number(o.val, false)
		c.Value[i] = v
		if o.did == batch.Remove && s.adds[v] != 0 && !s.gone[v] {
			s.gone[v] = true
			s.in--
		}
	}
	tooMany := len(c.Call) >= s.most && !s.full
	if 8*(c.Events-s.checked) < c.Events && (s.in > 0 || len(s.running) > 0) && !tooMany {
		return batch.Linearizable
	}
	a := s.decide()
	s.full = len(s.c.Call) >= s.most
	if a != batch.Unclear {
		return a
	}
	return batch.Linearizable // for all that is known
}

// finish decides what is kept.
func (s *segments) finish() batch.Answer {
	if s.checked == s.c.Events {
		return s.last
	}
	return s.decide()
}

// decide decides what is kept, and forgets what it can of it.
func (s *segments) decide() batch.Answer {
	a, w := s.Algorithm.Decide(s.c, s.c.Events)
	switch a {
	case batch.Linearizable:
		s.forget()
	case batch.Violating:
		n, b, w, exact := batch.Shortest(context.Background(), s.Algorithm, s.c, s.c.Events, a, w)
		a, s.first, s.exact, s.rule = b, s.global[n], exact, w.Rule
		for _, v := range w.Values {
			s.values = append(s.values, s.names[v])
		}
	}
	s.checked, s.last = s.c.Events, a
	return a
}

// forget leaves out what lies before the last gap in no core. An operation that
// runs may see a value whose remove returned after it was called; for it, the
// value is still in.
func (s *segments) forget() {
	runs := batch.Never
	for _, i := range s.running {
		if i >= 0 && s.looks && s.c.Open[i] == batch.None {
			runs = min(runs, s.c.Call[i])
		}
	}
	if gap := s.cutter.LastGap(s.c, runs); gap > 0 {
		s.rest(gap)
	}
}

// rest keeps what lies behind a gap.
func (s *segments) rest(gap int32) {
	old := *s
	keep := make([]bool, len(old.c.Call))
	at := make([]int32, old.c.Events+1) // by position: 1 + the operation that is kept
	kept := 0
	for i := range keep {
		if keep[i] = s.stays(i, gap); keep[i] {
			kept++
			at[old.c.Call[i]] = int32(i) + 1
			if ret := old.c.Ret[i]; ret != batch.Never {
				at[ret] = int32(i) + 1
			}
		}
	}
	s.begin(kept)
	for v, name := range old.names { // the later of two with one name stays
		if old.adds[v] != 0 && keep[old.adds[v]-1] {
			s.number(name, true)
			old.adds[v] = s.c.Values
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
		s.c.Events++
		s.global = append(s.global, old.global[pos])
		if old.c.Call[i] == int32(pos) {
			place[i] = int32(len(s.c.Call))
			s.move(&old, i)
		} else {
			s.c.Ret[place[i]] = s.c.Events
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

// stays reports whether an operation lies behind a gap, or runs.
func (s *segments) stays(i int, gap int32) bool {
	v := s.c.Value[i]
	switch s.c.Role[i] {
	case batch.Empty:
		return s.c.Call[i] > gap
	case batch.None:
		if s.c.Open[i] != batch.MaybeAdd {
			return true
		}
		v = s.c.Asked[i]
		return !s.gone[v] || s.cutter.Side(v) > gap
	}
	return s.cutter.Side(v) > gap
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
	o := batch.Op{Role: c.Role[i], Value: number(c.Value[i]), Open: c.Open[i], Kind: c.Kind[i], Asked: number(c.Asked[i]), Call: s.c.Events, Ret: batch.Never}
	s.c.Push(o)
	if o.Open == batch.MaybeAdd {
		s.adds[o.Asked] = int32(len(s.c.Call))
		if s.gone[o.Asked] = old.gone[c.Asked[i]]; !s.gone[o.Asked] {
			s.in++
		}
	}
}

func (s *segments) live() int { return len(s.c.Call) }

func (s *segments) why() (batch.Rule, []history.Value) { return s.rule, s.values }

func (s *segments) prefix() (events int64, exact bool) { return s.first, s.exact }
