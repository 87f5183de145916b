package monitor_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
)

// withoutPlaces leaves out what an execution that was not read does not have.
var withoutPlaces = cmp.Options{cmpopts.IgnoreTypes(history.Pos{}), cmpopts.IgnoreFields(history.Execution{}, "Object"), cmpopts.IgnoreFields(history.Operation{}, "Process"), cmpopts.EquateEmpty()}

// Read in one go with deciding, logs have the results that they have as executions.
func TestLog(t *testing.T) {
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
				reader := history.NewReader(strings.NewReader(log.String()), "x.log")
				l, ok := m.Read(sig, 1, func(v history.Visitor) bool { return reader.Visit(sig, v) })
				var got monitor.Result
				if ok {
					got, ok = l.Check(t.Context(), false, func(ops []history.Operation) bool { return reader.Fill(sig, ops) })
				}
				if d := cmp.Diff(want, got, withoutPlaces); ok != (err == nil) || ok && d != "" {
					t.Fatalf("%v, %v:\n%s%s", ok, err, d, log.String())
				}
				if ok && l.Pairs() != logs.Pairs(e, math.MaxInt) {
					t.Fatalf("%d pairs overlap:\n%s", l.Pairs(), log.String())
				}
				if got.Linearizable {
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
