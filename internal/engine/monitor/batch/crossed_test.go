package batch

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCrossed: the first pair of values of a stack that crossed is found as looking at all pairs finds it, and by itself it
// is a violation with all that is pending.
func TestCrossed(t *testing.T) { eachStack(t, testCrossed) }

// eachStack tests the stack with and without peeks.
func eachStack(t *testing.T, test func(t *testing.T, m *model)) {
	for _, m := range allModels() {
		if strings.HasPrefix(m.name, "stack") {
			t.Run(m.name, func(t *testing.T) { test(t, &m) })
		}
	}
}

func testCrossed(t *testing.T, m *model) {
	crossings := 0
	for seed := range uint64(histories(2_000)) {
		r := rand.New(rand.NewPCG(seed, 31))
		c := ahead(r, m, 20+r.IntN(100), 2+r.IntN(7), 20, 0)
		s := &Stack{}
		if _, bad := s.load(c, c.Events); bad {
			continue
		}
		f, a := s.check(c, nil)
		if a != Violating || f.op >= 0 {
			continue
		}
		want := int32(0)
		for _, v := range f.values {
			for _, w := range f.values {
				x, y := &s.values[v], &s.values[w]
				taken := len(s.pending) > 0 && s.isLeft(y)
				if x.ae < y.as && y.ae < x.rs && x.re < y.rs && !taken && (want == 0 || x.re < want) {
					want = x.re
				}
			}
		}
		early, late, found := s.crossed(f.values)
		if found != (want > 0) || found && s.values[early].re != want {
			t.Fatalf("seed %d: %v, want %d", seed, found, want)
		}
		if !found {
			continue
		}
		crossings++
		w := Witness{Values: []int32{early, late}, Op: -1}
		few, _ := c.Part(w.Ops(c, c.Events), c.Events)
		if a, _ := new(Stack).Decide(few, few.Events); a != Violating {
			t.Fatalf("seed %d: values %d and %d are no violation", seed, early, late)
		}
	}
	if crossings < histories(2_000)/20 {
		t.Errorf("only %d crossings", crossings)
	}
}
