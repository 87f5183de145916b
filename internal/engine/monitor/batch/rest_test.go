package batch

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRest: what a stack says of a prefix from the values that were left of a longer one is what it says of the
// prefix by itself.
func TestRest(t *testing.T) { eachStack(t, testRest) }

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

// TestLeast: no prefix is a violation that is shorter than a witness says.
func TestLeast(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if m.priority == nil {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			known, exact := 0, 0
			for seed := range uint64(histories(100_000)) {
				r := rand.New(rand.NewPCG(seed, 41))
				as, events := small(r, m).history()
				if !oneClass(as) {
					continue
				}
				c := m.Columns(as, events)
				a, w := m.new().Decide(c, 1+r.Int32N(c.Events))
				if a == Linearizable || w.least == 0 {
					continue
				}
				known++
				if w.Rule == lower && len(w.Values) < 2 {
					t.Fatalf("seed %d: value %d alone is to blame", seed, w.Values[0])
				}
				p := m.new()
				for n := w.least - 1; n > 0; n-- {
					if a, _ := p.Decide(c, n); a != Linearizable {
						t.Fatalf("seed %d: a prefix of %d is %v, and at least %d are needed", seed, n, a, w.least)
					}
				}
				if a, _ := p.Decide(c, w.least); a == Violating {
					exact++
				}
			}
			if known < histories(100_000)/100 || exact < known/4 {
				t.Errorf("only %d are known, and %d of them exact", known, exact)
			}
		})
	}
}
