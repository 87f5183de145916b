package learn

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// leastMachine gives the least value back, by parity if it is odd.
type leastMachine struct {
	all []int
	odd bool
}

func (l *leastMachine) Put(x int) { l.all = append(l.all, x) }
func (l *leastMachine) Take() (int, bool) {
	if len(l.all) == 0 {
		return 0, false
	}
	x := slices.Min(l.all)
	if l.odd && x%3 == 0 {
		x = slices.Max(l.all)
	}
	l.all = slices.DeleteFunc(l.all, func(y int) bool { return x == y })
	return x, true
}

// TestEquality: automata compare for equality alone, whatever they are; order and
// reckoning are told apart, with two sequences.
func TestEquality(t *testing.T) {
	for seed := range testsize.Samples(20) {
		impl := implementation(t, randomAutomaton(rand.New(rand.NewPCG(seed, 5))))
		if ok, why, err := Equality(t.Context(), impl); !ok || err != nil {
			t.Fatalf("seed %d: %s, error %v", seed, why, err)
		}
	}
	for odd, want := range map[bool]string{false: "answers follow the order of the values: ", true: "answers depend on more than which values are equal: "} {
		ok, why, err := Equality(t.Context(), of(t, func() *leastMachine { return &leastMachine{odd: odd} }))
		if ok || err != nil || !strings.HasPrefix(why, want) || strings.Count(why, "put(") != 4 || strings.Count(why, "take => ") != 2 {
			t.Errorf("%t: %s, error %v; want %q with two puts and a take, twice", ok, why, err, want)
		}
	}
}
