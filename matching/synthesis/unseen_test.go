package synthesis_test

import (
	"context"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/matching/synthesis"
	"github.com/adtinfer/adtinfer/reference"
)

func TestSynthesizeUnseen(t *testing.T) {
	for _, c := range []struct {
		name string
		new  any
	}{
		{"abc", func() *abc { return &abc{} }},
		{"generic", func() *generic[string] { return &generic[string]{} }},
		{"deque", func() *deque { return &deque{} }},
		{"boolSet", func() *boolSet { return &boolSet{} }},
		{"sizedSet", func() *sizedSet { return &sizedSet{} }},
		{"holders", func() *holders { return &holders{} }},
		{"pool", func() *pool { return &pool{} }},
		{"swapper", func() *swapper { return &swapper{} }},
		{"cas", func() *cas { return &cas{} }},
		{"cell", func() *cell { return &cell{} }},
		{"table", func() table { return table{} }},
		{"bounded", func() *bounded { return &bounded{} }},
		{"priority", func() *priority { return &priority{} }},
		{"counter", func() *counter { return &counter{} }},
		{"adder", func() *adder { return &adder{} }},
		{"flag", func() *flag { return &flag{} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			impl, err := reference.Of(c.new)
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			start := time.Now()
			r, err := synthesis.Synthesize(context.Background(), impl, synthesis.Options{})
			t.Log(time.Since(start))
			if err != nil {
				t.Log(err)
				return
			}
			for _, l := range r.Language {
				t.Log(l.Reading)
			}
			for _, f := range r.Matching.Target {
				t.Log("target", formula.String(f))
			}
			t.Log("readonly", formula.String(r.Matching.ReadOnly), r.ReadOnly)
			t.Logf("%+v", r.Stats)
		})
	}
}
