package synthesis_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/matching/synthesis"
	"github.com/adtinfer/adtinfer/reference"
)

func TestSynthesizeExamples(t *testing.T) {
	for _, spec := range []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec} {
		t.Run(spec.Name, func(t *testing.T) {
			impl, err := reference.Of(spec.New)
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			r, err := synthesis.Synthesize(context.Background(), impl, synthesis.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range r.Language {
				t.Log(l.Name, l.Reading, formula.String(l.Formula))
			}
			for _, f := range r.Matching.Target {
				t.Log("target", formula.String(f))
			}
			t.Log("readonly", formula.String(r.Matching.ReadOnly), r.ReadOnly)
			t.Logf("%+v", r.Stats)
		})
	}
}
