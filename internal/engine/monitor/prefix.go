package monitor

import "context"

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
