package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// operation is a live operation.
type operation struct {
	call, ret int         // events; ret is never while it runs
	overlaps  []neighbour // live operations that overlap it, in order of calls
	match     int32       // -1 without one
	kind      int32       // -1 while unknown
	hi        int         // it comes before all that is called later: see seal

	method    int32
	listed    int32 // the series that lists it, or -1, and where
	at        int32
	candidate int32 // while running: the match whose target it may become, or -1
	why       int32 // of a forced one: the clause, or -1
	forced    bool  // running or returned as it was known to
	live      bool
	touched   bool

	args    []history.Value
	rets    []history.Value
	watches []pair // to be looked at again when it is no way out any more
}

// neighbour is an overlapping operation and what is known of the order.
type neighbour struct {
	op    int32
	order order
	tried uint16 // the epoch of probing, about, in which "before op" led to no contradiction
}

// order says where an operation stands against another.
type order int8

const (
	after   order = -1
	unknown order = 0
	before  order = 1
)

// newOp takes a free slot for an operation.
func (s *Saturation) newOp(method int32, args []history.Value, call int) int32 {
	var x int32
	if n := len(s.spare); n > 0 {
		x = s.spare[n-1]
		s.spare = s.spare[:n-1]
	} else {
		x = int32(len(s.ops))
		s.ops = append(s.ops, operation{})
	}
	o := &s.ops[x]
	*o = operation{call: call, ret: never, hi: never, method: method, kind: -1, match: -1, listed: -1, candidate: -1,
		live: true, overlaps: o.overlaps[:0], watches: o.watches[:0], args: args}
	return x
}

// connect makes a new operation the neighbour of all that run. Those known to
// come before an operation that is over come before the new one.
func (s *Saturation) connect(x int32) {
	o := &s.ops[x]
	for _, p := range s.pending {
		o.overlaps = append(o.overlaps, neighbour{op: p})
		s.ops[p].overlaps = append(s.ops[p].overlaps, neighbour{op: x})
	}
	s.pending = append(s.pending, x)
	for _, p := range s.pending {
		if s.ops[p].hi < o.call {
			s.order(p, x, sealed)
		}
	}
}

// compare says what is known of the order of a and b.
func (s *Saturation) compare(a, b int32) order {
	x, y := &s.ops[a], &s.ops[b]
	switch o := x.apart(y); {
	case o != unknown:
		return o
	case a == b:
		return after // nothing comes before itself
	case len(y.overlaps) < len(x.overlaps):
		return -s.neighbour(b, a).order
	}
	return s.neighbour(a, b).order
}

// apart is the order of x and y if their intervals decide it.
func (x *operation) apart(y *operation) order {
	if x.ret < y.call {
		return before
	}
	if y.ret < x.call {
		return after
	}
	return unknown
}

// from is where a neighbour stands, at some place or behind it.
func (x *operation) from(at int, op int32) int {
	for x.overlaps[at].op != op {
		at++
	}
	return at
}

// set notes the order of two neighbours.
func (s *Saturation) set(a, b int32, o order) {
	s.neighbour(a, b).order = o
	s.neighbour(b, a).order = -o
}

// neighbour is what a keeps of b, which overlaps it. Neighbours are in the order
// of their calls.
func (s *Saturation) neighbour(a, b int32) *neighbour {
	const few = 32
	ns := s.ops[a].overlaps
	from := 0
	for to, call := len(ns), s.ops[b].call; to-from > few; {
		if mid := (from + to) / 2; s.ops[ns[mid].op].call <= call {
			from = mid
		} else {
			to = mid
		}
	}
	for i := from; i < len(ns); i++ {
		if ns[i].op == b {
			return &ns[i]
		}
	}
	panic("saturate: operations that overlap and do not know each other")
}

// order learns that a comes before b, by a clause or for one of the reasons below.
func (s *Saturation) order(a, b, rule int32) {
	switch s.compare(a, b) {
	case after:
		s.conflict(verdict{rule: rule})
	case unknown:
		s.set(a, b, before)
		if s.probing.on {
			s.probing.trail = append(s.probing.trail, undo{a: a, b: b})
		}
		s.touch(a)
		s.touch(b)
		s.facts = append(s.facts, fact{a, b})
	}
}

// fact is "a before b".
type fact struct{ a, b int32 }

// Reasons of a fact besides clauses.
const (
	transitive int32 = -1 - iota // a comes before something that comes before b
	sealed                       // a comes before an operation that was over when b was called
	probed                       // the opposite leads nowhere
	needed                       // of returns: something has no other match target
	twoTargets                   // of contradictions: two match targets, which a match of this sort never has
)

// close draws the conclusions of a before b in the order. Where that is only
// assumed, it does without those for operations that have too many neighbours.
//
// Both lists of neighbours are in the order of calls, so that one pass over each
// finds what they have in common.
func (s *Saturation) close(a, b int32) {
	x, y := &s.ops[a], &s.ops[b]
	at := 0
	for i := range s.neighbours(b) {
		e := &y.overlaps[i]
		if e.order == after || e.op == a {
			continue
		}
		o := s.ops[e.op].apart(x)
		if o == unknown {
			at = x.from(at, e.op)
			o = -x.overlaps[at].order
		}
		if o == before {
			s.order(e.op, b, transitive)
		}
	}
	at = 0
	for i := range s.neighbours(a) {
		e := &x.overlaps[i]
		if e.order == before || e.op == b {
			continue
		}
		o := y.apart(&s.ops[e.op])
		if o == unknown {
			at = y.from(at, e.op)
			o = y.overlaps[at].order
		}
		if o == before {
			s.order(a, e.op, transitive)
		}
	}
	if hi := s.ops[b].hi; hi < s.ops[a].hi {
		s.setHi(a, hi)
	}
}

func (s *Saturation) neighbours(x int32) []neighbour {
	if s.probing.on && s.tooMany(x) {
		return nil
	}
	return s.ops[x].overlaps
}

// seal notes that x is over, or as good as: hi is the earliest return of an
// operation that x is or comes before. All that is called later comes after x.
func (s *Saturation) seal(x int32, at int) {
	o := &s.ops[x]
	if at >= o.hi {
		return
	}
	o.hi = at
	for i := range o.overlaps {
		if e := &o.overlaps[i]; e.order == after {
			if y := &s.ops[e.op]; at < y.hi {
				y.hi = at
			}
		}
	}
}

// disconnect takes a forgotten operation from its neighbours.
func (s *Saturation) disconnect(x int32) {
	for _, e := range s.ops[x].overlaps {
		y := &s.ops[e.op]
		i := slices.IndexFunc(y.overlaps, func(n neighbour) bool { return n.op == x })
		y.overlaps = slices.Delete(y.overlaps, i, i+1)
	}
}
