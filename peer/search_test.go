package peer

import (
	"math/rand/v2"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestSearch compares the search with Porcupine, of the built-in models and of
// Porcupine's own model taken over, on executions too long to try everything.
func TestSearch(t *testing.T) {
	for _, s := range []historytest.Type{historytest.Queue(), historytest.Stack().Reusing(2)} {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			pm, own := model(s.Model), builtin(t, s)
			taken := &wgl.Funcs{Initial: pm.Init, Steps: pm.Step, Equals: pm.Equal, Hashes: pm.Hash}
			slow := &wgl.Funcs{Initial: pm.Init, Steps: pm.Step}
			bad := 0
			for seed := range uint64(150) {
				r := rand.New(rand.NewPCG(seed, 4))
				e := s.Execution(r, 10+r.IntN(20), 2+r.IntN(3), 20)
				want := says(pm, e)
				if want == porcupine.Unknown {
					continue
				}
				first, err := wgl.Check(t.Context(), own, e, wgl.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if first.Linearizable != (want == porcupine.Ok) {
					t.Fatalf("seed %d: %+v, Porcupine says %s\n%s", seed, first, want, historytest.Text(e))
				}
				if n := first.Prefix; n > 0 {
					bad++
					if says(pm, e.Prefix(n)) == porcupine.Ok || says(pm, e.Prefix(n-1)) == porcupine.Illegal {
						t.Fatalf("seed %d: Porcupine does not say that %d is the shortest prefix\n%s", seed, n, historytest.Text(e))
					}
				}
				models := []wgl.Model{taken, slow}
				if len(e.Ops) > 16 {
					models = models[:1] // without a hash each state is compared with all
				}
				for _, m := range models {
					again, err := wgl.Check(t.Context(), m, e, wgl.Options{})
					if err != nil || again.Linearizable != first.Linearizable || again.Prefix != first.Prefix {
						t.Fatalf("seed %d: %v, built-in %+v, taken over %+v", seed, err, first, again)
					}
				}
			}
			if bad < 25 || bad > 125 {
				t.Errorf("too one-sided a sample: %d of 150 violate", bad)
			}
		})
	}
}

func builtin(tb testing.TB, s historytest.Type) wgl.Model {
	tb.Helper()
	m, err := wgl.Builtin(s.Name)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
