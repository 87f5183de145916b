package explain_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestTypes derives from all operations of random executions, and compares with a
// search over the data type: there is a derivation, which the verifier accepts, of
// violations, and none of anything else. Where pending operations may lead outside
// the language nothing is derived.
func TestTypes(t *testing.T) {
	n := testsize.Samples(600)
	for _, s := range historytest.Subjects() {
		if !strings.HasPrefix(s.Path, "examples/") {
			continue // axioms about several operations are in no derivation
		}
		t.Run(s.Path, func(t *testing.T) {
			th := s.Theory(t)
			derived, admitted, outside, deep := 0, 0, 0, 0
			for seed := range n {
				e := s.Random(rand.New(rand.NewPCG(seed, 53)), 6)
				at := s.Model.ShortestViolation(e)
				if at > 0 {
					e = e.Prefix(at)
				} else if len(e.Ops) > 3 {
					continue // that there is no derivation takes all suppositions
				}
				var ids []string
				for i := range e.Ops {
					ids = append(ids, e.Ops[i].ID)
				}
				steps, err := explain.Derive(t.Context(), th, e, ids)
				var none *explain.None
				switch {
				case err != nil && !errors.As(err, &none):
					outside++
				case (err == nil) != (at > 0):
					historytest.Fatal(t, e, "seed %d: the model says %d, and derive %v", seed, at, err)
				case err != nil:
					admitted++
				default:
					derived++
					ev := &evidence.Evidence{Theory: th.Name, Log: evidence.Digest(e), Violation: true, Prefix: e.Events, Steps: steps}
					if err := verify.Check(t.Context(), th, e, ev, nil); err != nil {
						historytest.Fatal(t, e, "seed %d: %v\n%+v", seed, err, steps)
					}
					if steps[0].Suppose {
						deep++
					}
				}
			}
			t.Logf("%d derived, %d of them begin with a supposition, %d admitted, %d outside", derived, deep, admitted, outside)
			if derived < int(n)/5 || admitted < int(n)/100 || outside > int(n)/4 {
				t.Error("too one-sided a sample")
			}
		})
	}
}
