package matching

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// What executions ask for that are left out follows from what the others ask for, with
// identity among the predicates and without.
func TestLeftOutConstraintsFollow(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for _, spec := range []reference.Spec{queue.Spec, register.Spec, lock.Spec} {
		impl, err := reference.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		defer impl.Close()
		m, err := Explore(t.Context(), impl, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		s, err := collect(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		all := Standard(m.Alphabet)
		for _, ps := range [][]Predicate{all, withoutIdentity(all)} {
			for range testsize.Samples(2000) {
				rng.Shuffle(len(s.all), func(i, j int) { s.all[i], s.all[j] = s.all[j], s.all[i] })
				leftOutFollow(t, m.Alphabet, ps, s.all[:2+rng.IntN(30)])
			}
		}
	}
}

func leftOutFollow(t *testing.T, a *enumerate.Alphabet, ps []Predicate, es [][]enumerate.Label) {
	n := newEncoding(newTable(a, ps))
	q := newQuery(n, solver.New())
	q.add(n.constraints(&sample{all: es}, options{})...)
	for _, e := range es {
		for _, l := range []solver.Lit{n.unique(e), n.closed(e)} {
			ok, err := q.solve(t.Context(), -l)
			if ok || err != nil {
				t.Fatalf("%s asks for more: %v", sequence(a, e), err)
			}
		}
	}
}

func withoutIdentity(ps []Predicate) []Predicate {
	var rest []Predicate
	for _, p := range ps {
		if p.Formula != identity {
			rest = append(rest, p)
		}
	}
	return rest
}
