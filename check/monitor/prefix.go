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
func shortest(ctx context.Context, p procedure, c *columns, n int32, a answer, w witness) (int32, answer, witness, error) {
	low, high := int32(0), n // linearizable, and not
	next, step := w.guess, int32(1)
	for high-low > 1 {
		if err := ctx.Err(); err != nil {
			return high, a, w, err
		}
		if 2*step > high-low {
			next = (low + high) / 2
		}
		next = min(max(next, low+1), high-1)
		b, x := p.decide(c, next)
		if b == linearizable {
			low = next
			next = low + step
		} else {
			high, a, w = next, b, x
			next = high - step
			if 0 < w.guess && w.guess < next {
				next = w.guess
			}
		}
		step *= 2
	}
	return high, a, w, nil
}
