package family

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// gear is a random type with a size: what a call does depends on where it is, and on how far that is from both ends.
type gear struct {
	n, at int
	does  [3][3]int // by method, and at the lower end, between and at the upper end
}

func (g *gear) call(method int) int {
	zone := 1
	if g.at == 0 {
		zone = 0
	} else if g.at == g.n {
		zone = 2
	}
	did := g.does[method][zone]
	switch did % 5 {
	case 0:
		g.at = min(g.at+1, g.n)
	case 1:
		g.at = max(g.at-1, 0)
	case 2:
		g.at = 0
	case 3:
		g.at = g.n
	}
	switch did / 5 {
	case 0:
		return g.at
	case 1:
		return g.n
	}
	return -1
}

func (g *gear) A() int { return g.call(0) }
func (g *gear) B() int { return g.call(1) }
func (g *gear) C() int { return g.call(2) }

// TestGears tells random types from small ones. Of some, small sizes are as large ones at once; nothing breaks, and
// what is found is right, which Find compared and all states show.
func TestGears(t *testing.T) {
	found := 0
	for seed := range uint64(testsize.Samples(100)) {
		r := rand.New(rand.NewPCG(seed, 3))
		var does [3][3]int
		for m := range does {
			for z := range does[m] {
				does[m][z] = r.IntN(15)
			}
		}
		does[0][0], does[0][1], does[1][1] = 10, 5*r.IntN(3), 1+5*r.IntN(3) // it goes up and down
		s := plain("gear", func(n int) *gear { return &gear{n: n, does: does} })
		impl, err := reference.New(s.spec(17))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Find(t.Context(), impl, 17, s.made)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if f.Automaton == nil {
			t.Logf("seed %d: %s", seed, f.Why)
			continue
		}
		found++
		if _, differs, err := learn.Compare(t.Context(), impl, f.Automaton, learn.Comparison{Closed: true}); differs != nil || err != nil {
			t.Errorf("seed %d: %v %v\n%s", seed, differs, err, f.Automaton)
		}
		if _, err := automata.Parse(f.Automaton.String(), f.Automaton.Methods); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, f.Automaton)
		}
	}
	if found == 0 {
		t.Error("no family was found")
	}
	t.Logf("%d families", found)
}
