package history_test

import (
	"io"
	"runtime"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// TestImportedGrows: what reading an imported log allocates grows with its length, and
// not with the square of it.
func TestImportedGrows(t *testing.T) {
	allocated := func(ops int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := &history.Event{}
		n := 0
		r := history.NewImported(func() (*history.Event, error) {
			if n++; n > 2*ops {
				return nil, io.EOF
			}
			*e = history.Event{Call: n%2 == 1, Op: strconv.Itoa((n + 1) / 2), Method: "add", Values: e.Values[:0]}
			if e.Call {
				e.Values = append(e.Values, "x")
			}
			return e, nil
		})
		sig, err := history.NewSignature(history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}})
		if err != nil {
			t.Fatal(err)
		}
		es, err := r.Executions(sig)
		if err != nil || len(es) != 1 || len(es[0].Ops) != ops {
			t.Fatal(len(es), err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if small, large := allocated(20_000), allocated(160_000); large > 12*small {
		t.Errorf("8 times the operations take %.1f times the bytes", large/small)
	}
}
