package explore_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// figures are how many states there are at four bounds: (2,2,2), (3,1,2), (3,2,1),
// (2,3,2). Another explorer of the same kind needed as many, and so this one may need a
// fifth more. Plain runs look at those below 10,000.
var figures = []struct {
	of     string
	states [4]int64
}{
	{lazySet, [4]int64{11_519, 6_418, 40_801, 52_981}},
	{optimisticSet, [4]int64{13_504, 7_647, 45_015, 63_150}},
	{coupledSet, [4]int64{2_018, 810, 2_240, 7_185}},
	{harrisSet, [4]int64{3_230, 859, 13_202, 25_043}},
	{treiberStack, [4]int64{435, 171, 68_053, 6_205}},
	{twoLockQueue, [4]int64{185, 74, 838, 696}},
	{michaelScott, [4]int64{2_866, 2_287, 1_180_000, 45_992}},
}

func TestFigures(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, f := range testsize.Some(figures, 4) {
		for i, at := range []explore.Bounds{bounds(2, 2, 2), bounds(3, 1, 2), bounds(3, 2, 1), bounds(2, 3, 2)} {
			if tooMany(f.states[i]) {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", f.of, at), func(t *testing.T) {
				t.Parallel()
				o := explore.Options{Dir: folder(f.of), Bounds: at, Theory: theoryOf(t, f.of)}
				o.Type, o.New = constructor(f.of)
				r := run(t, o, explore.Holds, "")
				t.Logf("%d states, %d expected", r.States, f.states[i])
				if r.States > f.states[i]*6/5 {
					t.Errorf("%d states, %d expected", r.States, f.states[i])
				}
			})
		}
	}
}
