// Package batch has the near-linear procedures: each decides executions of one
// shape, and all their prefixes, on columns, and makes linearizations.
//
//	Queue, Bag, Stack, Priority  values come and go; operations may look at the next one
//	TableContainer               any other container, by how two values may be in at the same time
//	Set, Register, Lock
//	Permits                      so many values at a time, each taken out by name
//	Exchanger                    pairs of operations swap values
//
// Events are numbered from 1. The gap g is the time between event g and event
// g+1; an operation that is called at s and returns at e takes effect in one of
// the gaps s..e-1. A value that is added by [as, ae] and removed by [rs, re] is
// surely in during the gaps ae..rs-1, or from the first return to the last call of
// what adds, sees or removes it: its core, which may be empty. These notions, and
// why the procedures are right, are in docs/proofs/near-linear.md and the pages that
// it names.
package batch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Answer is what a procedure says of a prefix.
type Answer uint8

const (
	Linearizable Answer = iota
	Violating
	Unclear // the class of executions that the procedure decides was left
)

// An Algorithm decides the executions of one shape. It keeps its memory from one
// call to the next, and is not safe for concurrent use.
type Algorithm interface {
	// Decide answers for the prefix of n events. If it is violating the witness
	// is a reason, which the procedure may overwrite when it is called again.
	Decide(c *Columns, n int32) (Answer, Witness)

	// Linearize makes a linearization: it puts what takes effect into the Linearizer. It
	// is called after Decide said of all events that they are linearizable. It is
	// false if that would take too long.
	Linearize(a *Linearizer) bool
}

// Stopping is what searches: Unclear once a function says that it is to stop.
type Stopping interface{ StopWhen(stop func() bool) }

// Witness is a reason why a prefix is no execution of the type: the operations
// on the values that are named, the operation op, and pending operations
// exclude each other.
type Witness struct {
	Rule   Rule
	Values []int32
	Op     int // -1 if there is none

	// sides says of each value in a hull why it is not below all others.
	Sides []side

	// guess is a position by which the violation shows, if pending operations
	// do not hide it; the shortest violating prefix is often just that long.
	guess int32

	// least is a prefix below which there is no violation; 0 if that is not known.
	least int32
}

// Rule is a way to go wrong.
type Rule uint8

const (
	NeverAdded Rule = iota // the value was seen or removed, and never added
	BeforeAdd              // it was seen or removed before it was added
	Twice                  // it was removed twice
	OutOfOrder             // queue: the second value was removed first
	Covered                // op found nothing while some of the values were always in
	Hull                   // stack: none of the values can be below the others
	Lifetime               // set, lock: no moment to add or to remove fits what was seen
	Zones                  // register, lock: both values must be in at the same time
	lower                  // the first value was seen or removed while one of the others, which are higher, was always in
	front                  // queue: the values cannot all have been at the front when they were found there
	Crowd                  // semaphore: more of the values must be in at the same time than may
	Unpaired               // exchanger: op offered the first value, and was not the partner of what returned it
	clash                  // the two values cannot have come and gone in any order that is allowed
)

// side is why a value is not below all others of a stack.
type side struct{ addedLate, removedEarly bool }

// Shortest finds the shortest prefix that is not linearizable, given that the
// one of n events is not, and why. Prefixes of linearizable prefixes are
// linearizable, so this is a search for one place.
//
// The operations of the witness alone show where they become a violation, whatever
// else there is, and mostly the prefix one shorter is linearizable: then that is the
// only one to decide. Otherwise the search goes on from there in steps that double,
// and ends by bisection. A decision costs what its prefix costs.
//
// Where the answer is unclear for the prefix that is found, a violating one is
// looked for behind it in steps that double; then, and if the context ends, the result
// is not exact.
func Shortest(ctx context.Context, p Algorithm, c *Columns, n int32, a Answer, w Witness) (at int32, _ Answer, _ Witness, exact bool) {
	return search(ctx, p, c, n, a, w, func(n int32, w Witness) (int32, Witness) { return aim(ctx, p, c, n, w) })
}

// search is Shortest; aimed returns a shorter prefix that violates for what the witness
// names, and a witness for it, or the same prefix and a better guess.
func search(ctx context.Context, p Algorithm, c *Columns, n int32, a Answer, w Witness, aimed func(int32, Witness) (int32, Witness)) (at int32, _ Answer, _ Witness, exact bool) {
	low, high := max(w.least-1, 0), n // linearizable, and not
	sure := int32(0)                  // the shortest violating prefix so far, or 0
	var why Witness
	if a == Violating {
		high, w = aimed(n, w)
		sure, why = high, w.clone()
	}
	next, step, ended := w.guess, int32(1), false
	for high-low > 1 && !ended {
		ended = ctx.Err() != nil
		if 2*step > high-low {
			next = (low + high) / 2
		}
		next = min(max(next, low+1), high-1)
		b, x := p.Decide(c, next)
		if b == Linearizable {
			low = next
			next = low + step
		} else {
			if low, high, a, w = max(low, x.least-1), next, b, x; a == Violating {
				high, w = aimed(high, w)
				sure, why = high, w.clone()
			}
			next = high - step
			if step > 1 && 0 < w.guess && w.guess < next { // the guess before this one was mostly right
				next = w.guess
			}
		}
		step *= 2
	}
	if a == Unclear && sure > 0 {
		for step := int32(1); high+step < sure && ctx.Err() == nil; step *= 2 {
			if b, x := p.Decide(c, high+step); b == Violating {
				return high + step, b, x.clone(), false
			}
		}
		return sure, Violating, why, false
	}
	if a == Violating {
		w = why
	}
	return high, a, w, !ended
}

// aim finds the prefix by which the operations of a witness become a violation, if they
// are one by themselves and not many. It violates if they do together with all that is
// pending then and values that come and go at about the same time, which pending
// operations cannot all take: without the operations on other values it would be
// linearizable, too. Otherwise that prefix is a guess.
func aim(ctx context.Context, p Algorithm, c *Columns, n int32, w Witness) (int32, Witness) {
	if len(w.Values) == 0 || len(w.Values) > int(n)/16 {
		return n, w
	}
	w.Values = slices.Clone(w.Values) // the procedure overwrites them
	few, events := c.Part(w.Ops(c, n), n)
	a, x := p.Decide(few, few.Events)
	if a != Violating {
		return n, w
	}
	at, _, _, _ := search(ctx, p, few, few.Events, a, x, func(n int32, w Witness) (int32, Witness) { return n, w })
	w.guess = events[at-1]
	if _, pairs := p.(*Exchanger); pairs {
		return n, w // its operations are on two values, and do not go with one of them
	}
	all := w
	for range 2 {
		ops := all.Ops(c, w.guess)
		few, _ := c.Part(ops, w.guess)
		if a, x := p.Decide(few, few.Events); a == Violating {
			return w.guess, x.ofPart(few, c, ops, w.guess)
		}
		if all = w.with(c, w.guess); len(all.Values) > int(n)/16 {
			break
		}
	}
	return n, w
}

// with is a witness with the values of operations that are called or return at about the
// time at which those of the witness do, or the prefix of n events ends.
func (w *Witness) with(c *Columns, n int32) Witness {
	const bits = 9 // of a position, for the time at which it is
	near := make([]bool, n>>bits+2)
	for _, i := range w.Ops(c, n) {
		_, _, ret := c.In(int(i), n)
		near[c.Call[i]>>bits], near[min(ret, n)>>bits] = true, true
	}
	more := *w
	more.Values = nil
	for i := range c.Within(n) {
		if _, v, ret := c.In(i, n); v >= 0 && (near[c.Call[i]>>bits] || near[min(ret, n)>>bits]) {
			more.Values = append(more.Values, v)
		}
	}
	return more
}

// ofPart is the witness of a part as one of the prefix of n events that has these
// operations of the part.
func (w *Witness) ofPart(part, c *Columns, ops []int32, n int32) Witness {
	values := make([]int32, part.Values)
	for i, op := range ops {
		if _, v, _ := c.In(int(op), n); v >= 0 {
			values[part.Value[i]] = v
		}
		if v := c.Asked[op]; v >= 0 {
			values[part.Asked[i]] = v
		}
	}
	whole := w.clone()
	for i, v := range w.Values {
		whole.Values[i] = values[v]
	}
	if w.Op >= 0 {
		whole.Op = int(ops[w.Op])
	}
	whole.guess, whole.least = n, 0
	return whole
}

// clone is a copy that the procedure does not overwrite.
func (w *Witness) clone() Witness {
	c := *w
	c.Values, c.Sides = slices.Clone(w.Values), slices.Clone(w.Sides)
	return c
}

// Ops lists the operations of a witness in the prefix of n events: those on its values, the
// one that it names, and pending ones that may take any value.
func (w *Witness) Ops(c *Columns, n int32) (ops []int32) {
	named := make([]bool, c.Values)
	for _, v := range w.Values {
		named[v] = true
	}
	for i := range c.Within(n) {
		if role, v, _ := c.In(i, n); v >= 0 && named[v] || i == w.Op || role == MaybeRemove && v < 0 {
			ops = append(ops, int32(i))
		}
	}
	return ops
}

// Sentence says how a rule is broken. found is the operation that found nothing, or
// another that is to blame.
func Sentence(r Rule, values []history.Value, found string) string {
	v := func(i int) string { return string(values[i]) }
	switch r {
	case NeverAdded:
		return v(0) + " was found or taken out and never put in"
	case BeforeAdd:
		return v(0) + " was found or taken out before it was put in"
	case Twice:
		return v(0) + " was taken out twice"
	case OutOfOrder:
		if first := append(slices.Clone(values[2:]), values[0]); len(first) > 1 {
			return several(first) + " were put in before " + v(1) + ", which was taken out first, and there are too few pending operations to have taken all of them by then"
		}
		return v(0) + " was put in before " + v(1) + ", which was taken out first"
	case Covered:
		return found + " while " + oneOf(values) + " was in at every moment"
	case Hull:
		return "none of " + several(values) + " can have been put in first and taken out last, as one of them must"
	case Lifetime:
		return "there are no moments to put in and take out " + v(0) + " that fit what was seen of it"
	case lower:
		return v(0) + " was found or taken out while " + oneOf(values[1:]) + ", which comes first, was in at every moment"
	case front:
		return several(values) + " were found at the front at times that fit no order in which they can have come"
	case Crowd:
		return several(values) + " must be in at the same time, and are too many"
	case Unpaired:
		return v(0) + " was returned, and " + found + ", which offered it, was no partner: it returned something else, or ran at another time"
	case clash:
		return v(0) + " and " + v(1) + " cannot have come and gone in any order that is allowed"
	}
	if len(values) == 1 {
		return found + " while " + v(0) + " was in"
	}
	return several(values) + " were in at the same time"
}

// SidesOf says of the first few values why they were not below all others: others
// were surely in before they were put in, or after they were taken out.
func SidesOf(values []history.Value, sides []side) string {
	var parts []string
	for i, v := range values[:min(len(values), 5)] {
		switch x := sides[i]; {
		case x.addedLate && x.removedEarly:
			parts = append(parts, string(v)+" came too late and left too early")
		case x.addedLate:
			parts = append(parts, string(v)+" came too late")
		case x.removedEarly:
			parts = append(parts, string(v)+" left too early")
		default:
			parts = append(parts, string(v)+" was seen while others were above it")
		}
	}
	return strings.Join(parts, ", ")
}

func oneOf(values []history.Value) string {
	if len(values) == 1 {
		return string(values[0])
	}
	return "one of " + several(values)
}

// several lists values, the first few of them if there are many.
func several(values []history.Value) string {
	var parts []string
	for _, v := range values[:min(len(values), 5)] {
		parts = append(parts, string(v))
	}
	if more := len(values) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// RuleTexts lists the patterns of the shapes that a rule is about.
var RuleTexts = [...][]string{
	NeverAdded: {"RX", "PX"},
	BeforeAdd:  {"R1 A1", "P1 A1", "P1 A1 R1"},
	Twice:      {"A1 R1 R1"},
	OutOfOrder: {"A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"},
	Covered:    {"A1 E2", "A1 E2 R1"},
	lower:      {},
	front:      {"A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"},
	Hull:       {"A1 A2 R1", "A1 A2 R1 R2", "A1 A2 P1", "A1 A2 P1 R2", "A1 A2 P1 R2 R1"},
	Lifetime:   {"R1 A1", "A1 R1 P1", "P1 A1 R1", "A1 N1", "A1 N1 R1"},
	Crowd:      {},
	Unpaired:   {},
	clash:      {"A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1"},
	Zones:      {"A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1", "A1 A2 P1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2", "A1 E2", "A1 E2 R1"},
}
