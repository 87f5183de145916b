package describe_test

import (
	"context"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// toldBySize is what types of size 20 are described by whose constructor takes the size; a
// size that nobody gives leaves those of the second list to the reference.
var toldBySize = map[string]string{
	"boundedQueue": "automaton", "window": "automaton", "ring": "automaton", "readWrite": "automaton", "semaphore": "automaton",
	"blockingSemaphore": "automaton", "saturating": "automaton", "cache": "automaton", "limitedSet": "counters", "toggle": "automaton",
	"pastRegister": "automaton", "limitedStore": "automaton", "latch": "automaton", "limiter": "automaton", "ballot": "counters",
	"ticks": "product", "tries": "product", "blockingQueue": "model", "freeIds": "model", "rounds": "model",
}

var elseReference = []string{"window", "cache", "limitedStore", "tries"}

// long are those that take most of the time.
var long = []string{"cache", "freeIds", "limitedStore", "tries"}

// TestSized infers types with a large size that are as they look like.
func TestSized(t *testing.T) {
	testsize.NeedsLong(t)
	names := slices.DeleteFunc(slices.Clone(sizedShapes), func(name string) bool { return !testsize.Nightly() && slices.Contains(long, name) })
	names = testsize.Some(names, 4)
	for _, s := range shapes {
		if !slices.Contains(names, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			for _, told := range []bool{true, false} {
				impl, err := reference.New(s.spec(20, nil))
				if err != nil {
					t.Fatal(err)
				}
				o := describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 16, Words: 2_000}}
				if told {
					o.Sizes = []int{20}
					o.Sized = func(_ context.Context, _, n int) (reference.Implementation, error) {
						return reference.New(s.spec(n, nil))
					}
				} else if !slices.Contains(elseReference, s.name) {
					break
				}
				th, err := describe.Infer(t.Context(), impl, reference.Info{Name: s.name}, o)
				if err != nil {
					t.Fatal(err)
				}
				want := "model"
				if told {
					want = toldBySize[s.name]
				}
				if got := descriptions(th); got != want {
					t.Errorf("told its size %t: it comes out as %s, want %s; %q", told, got, want, th.Status.Tried)
				}
			}
		})
	}
}
