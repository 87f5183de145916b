package monitor

import (
	"context"
)

// answer is what a procedure says of a prefix.
type answer uint8

const (
	linearizable answer = iota
	violating
	unclear // the class of executions that the procedure decides was left
)

// A procedure decides the executions of one shape. It keeps its memory from one
// call to the next, and is not safe for concurrent use.
type procedure interface {
	// decide answers for the prefix of n events. If it is violating the witness
	// is a reason, which the procedure may overwrite when it is called again.
	decide(c *columns, n int32) (answer, witness)

	// order makes a linearization: it puts what takes effect into the agenda. It
	// is called after decide said of all events that they are linearizable. It is
	// false if that would take too long.
	order(a *agenda) bool
}

// witness is a reason why a prefix is no execution of the type: the operations
// on the values that are named, the operation op, and pending operations
// exclude each other.
type witness struct {
	rule   rule
	values []int32
	op     int // -1 if there is none

	// sides says of each value in a hull why it is not below all others.
	sides []side

	// guess is a position by which the violation shows, if pending operations
	// do not hide it; the shortest violating prefix is often just that long.
	guess int32
}

// rule is a way to go wrong.
type rule uint8

const (
	neverAdded rule = iota // the value was seen or removed, and never added
	beforeAdd              // it was seen or removed before it was added
	twice                  // it was removed twice
	outOfOrder             // queue: the second value was removed first
	covered                // op found nothing while some of the values were always in
	hull                   // stack: none of the values can be below the others
	lifetime               // set, lock: no moment to add or to remove fits what was seen
	zones                  // register, lock: both values must be in at the same time
	lower                  // the first value was seen or removed while one of the others, which are higher, was always in
	front                  // queue: the values cannot all have been at the front when they were found there
	clash                  // the two values cannot have come and gone in any order that is allowed
)

// side is why a value is not below all others of a stack.
type side struct{ addedLate, removedEarly bool }

// shortest finds the shortest prefix that is not linearizable, given that the
// one of n events is not, and why. Prefixes of linearizable prefixes are
// linearizable, so this is a search for one place.
//
// The witness guesses the place, and mostly the prefix one shorter than the
// guess is linearizable: then there are two prefixes to decide. Otherwise the
// search goes on from there in steps that double, and ends by bisection. A
// decision costs what its prefix costs.
//
// Where the answer is unclear for the prefix that is found, the shortest one is
// taken that is known to be violating; then, and if the context ends, the result
// is not exact.
func shortest(ctx context.Context, p procedure, c *columns, n int32, a answer, w witness) (at int32, _ answer, _ witness, exact bool) {
	low, high := int32(0), n // linearizable, and not
	sure := int32(0)         // the shortest violating prefix so far, or 0
	if a == violating {
		sure = n
	}
	next, step, ended := w.guess, int32(1), false
	for high-low > 1 && !ended {
		ended = ctx.Err() != nil
		if 2*step > high-low {
			next = (low + high) / 2
		}
		next = min(max(next, low+1), high-1)
		b, x := p.decide(c, next)
		if b == linearizable {
			low = next
			next = low + step
		} else {
			if high, a, w = next, b, x; a == violating {
				sure = high
			}
			next = high - step
			if 0 < w.guess && w.guess < next {
				next = w.guess
			}
		}
		step *= 2
	}
	if a == unclear && sure > 0 {
		a, w = p.decide(c, sure)
		return sure, a, w, false
	}
	return high, a, w, !ended
}
