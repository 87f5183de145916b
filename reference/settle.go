package reference

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/adtinfer/adtinfer/internal/driver"
)

// What is tried to find out which answers have more in them than their outcome says.
const (
	settleWords = 64
	settleCalls = 8
	settleLong  = 100 // of the last two
)

// settle is the name of a method that returned something beside false or an error, in a
// few random sequences, or "". Where a method returns zero values there, as most do, they
// are no part of its answers, and a call that returns something else later is a Fault.
// What else goes wrong shows again when the reference is used.
func settle(ctx context.Context, b backend, methods []driver.Method) string {
	if !slices.ContainsFunc(methods, func(m driver.Method) bool { return m.Beside }) {
		return ""
	}
	r := rand.New(rand.NewPCG(1, 18))
	request := driver.AppendNumber(nil, settleWords)
	for i := range settleWords {
		calls := 1 + r.IntN(settleCalls)
		if i >= settleWords-2 {
			calls = settleLong
		}
		request = driver.AppendNumber(request, calls)
		for range calls {
			n := r.IntN(len(methods))
			request = driver.AppendNumber(request, n)
			for _, most := range methods[n].Domain {
				k := 3
				if most > 0 {
					k = min(k, most)
				}
				request = driver.AppendValue(request, 1+r.IntN(k), "")
			}
		}
	}
	_, err := b.run(ctx, 1, dialogue{
		request: func(int) []byte { return request },
		reply:   func(int, []byte) error { return nil },
		defect:  func(int, *driver.Fault) {},
	})
	var f *driver.Fault
	if errors.As(err, &f) && f.Reason == driver.Drops {
		return f.Method
	}
	return ""
}
