package monitor_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// Read in one go with deciding, exactly those logs are accepted that are
// linearizable as executions.
func TestAccepts(t *testing.T) {
	for i, name := range examples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := example(t, name)
			m := selected(t, th).Selected
			sig, err := th.Signature(nil)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(uint64(i), 9))
			accepted, refused := 0, 0
			for range samples(5000) {
				e := small(r, typeOf(name))
				var log bytes.Buffer
				if err := history.WriteText(&log, e); err != nil {
					t.Fatal(err)
				}
				want, err := m.Check(t.Context(), e)
				ops, events, got := m.Accepts(sig, 1, func(v history.Visitor) bool {
					return history.NewReader(strings.NewReader(log.String()), "x.log").Visit(sig, v)
				})
				if got != (err == nil && want.Linearizable) || got && (ops != len(e.Ops) || events != e.Events) {
					t.Fatalf("%v with %d operations and %d events; %+v, %v:\n%s", got, ops, events, want, err, log.String())
				}
				if got {
					accepted++
				} else {
					refused++
				}
			}
			if accepted == 0 || refused == 0 {
				t.Errorf("%d accepted, %d refused", accepted, refused)
			}
		})
	}
}
