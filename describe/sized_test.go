package describe_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// comesOut is what types of size 20 are described by; of those that are not told, by nothing.
var comesOut = map[string]string{}

// TestSized infers types with a large size that are as they look like.
func TestSized(t *testing.T) {
	testsize.NeedsLong(t)
	for _, s := range shapes {
		if !slices.Contains(sizedShapes, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			for _, told := range []bool{false, true} {
				impl, err := reference.New(s.spec(20, nil))
				if err != nil {
					t.Fatal(err)
				}
				o := describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 16, Words: 2_000}}
				if told {
					o.Sizes = []int{20}
					o.Sized = func(_ context.Context, _, n int) (reference.Implementation, error) { return reference.New(s.spec(n, nil)) }
				}
				start := time.Now()
				th, err := describe.Infer(t.Context(), impl, reference.Info{Name: s.name}, o)
				if err != nil {
					t.Logf("told %t: %v", told, err)
					continue
				}
				t.Logf("told %t: %s %v", told, descriptions(th), time.Since(start).Round(time.Millisecond))
				if os.Getenv("V") != "" && told {
					t.Logf("%v", th.Status.Tried)
				}
			}
		})
	}
}
