package michael

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/verified/set"
)

// ADTTEST_BUDGET=10m makes this test long.

func TestSet(t *testing.T) {
	t.Parallel()
	adttest.Run(t, adttest.Config{
		Budget:    100 * time.Millisecond,
		New:       New,
		Theory:    "../set/set.theory.yaml",
		Reference: func() *set.Set { return &set.Set{} },
		Close: func(s *Set) {
			if !s.sorted() {
				t.Error("the list is not sorted")
			}
		},
	})
}
