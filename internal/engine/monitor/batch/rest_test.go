package batch

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRest: what a stack says of a prefix from the values that were left of a longer one is what it says of the
// prefix by itself.
func TestRest(t *testing.T) {
	for _, m := range append(models[1:2:2], others...) {
		if strings.HasPrefix(m.name, "stack") {
			t.Run(m.name, func(t *testing.T) { testRest(t, &m) })
		}
	}
}

func testRest(t *testing.T, m *model) {
	again := 0
	before := ahead(rand.New(rand.NewPCG(0, 37)), m, 20, 4, 10, 0)
	for seed := range uint64(histories(20_000)) {
		r := rand.New(rand.NewPCG(seed, 37))
		c := ahead(r, m, 10+r.IntN(60), 2+r.IntN(7), 10, r.IntN(3))
		p := &Stack{}
		p.Decide(c, c.Events)
		for range 30 {
			c := c
			if r.IntN(8) == 0 {
				c = before
			}
			n := 1 + r.Int32N(c.Events)
			if p.rest.of == c && n < p.rest.n {
				again++
			}
			got, _ := p.Decide(c, n)
			if want, _ := new(Stack).Decide(c, n); got != want {
				t.Fatalf("seed %d, prefix %d of %d: %v, want %v", seed, n, c.Events, got, want)
			}
		}
		before = c
	}
	if !strings.Contains(m.name, "peeks") && again < histories(20_000) {
		t.Errorf("only %d prefixes of what was stuck", again)
	}
}
