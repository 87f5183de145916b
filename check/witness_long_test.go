package check_test

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestWitnessLong: evidence of violations of long executions, which is looked for among the operations that a procedure
// blames, is about the whole.
func TestWitnessLong(t *testing.T) {
	testsize.NeedsLong(t)
	for _, typ := range []historytest.Type{historytest.Queue(), historytest.Stack(), historytest.Register(), historytest.Lock(), historytest.Semaphore()} {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			th := historytest.Theory(t, "theories/"+typ.Name+".theory.yaml")
			if typ.Name != "semaphore" {
				th = historytest.Example(t, typ.Name)
			}
			c, err := check.New(th, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			made, none := 0, 0
			for seed := range testsize.Samples(60) {
				r := rand.New(rand.NewPCG(seed, 61))
				typ.Lost = 300 * r.IntN(2)
				e := typ.Execution(r, 2_100+r.IntN(1_000), 1+r.IntN(5), 2_000)
				res, err := c.Check(t.Context(), e)
				if err != nil || res.Verdict != check.Violation {
					continue
				}
				ev, err := c.Witness(t.Context(), e, res)
				if err != nil {
					none++
					continue
				}
				if made++; ev.Prefix != res.Prefix {
					t.Fatalf("seed %d: of %d events, not %d", seed, ev.Prefix, res.Prefix)
				}
				if err := verify.Check(t.Context(), th, e, ev, nil); err != nil {
					t.Fatalf("seed %d: %v, of %+v", seed, err, ev)
				}
			}
			t.Logf("%d with evidence, %d without", made, none)
			if made < 5 || none > made {
				t.Errorf("%d with evidence, %d without", made, none)
			}
		})
	}
}
