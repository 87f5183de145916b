package history_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestRecordedLogs reads every recorded log, counts what is in it, and writes it.
func TestRecordedLogs(t *testing.T) {
	testsize.NeedsLong(t)
	sig, err := history.NewSignature(
		history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}, Aliases: []string{"push", "enqueue"}},
		history.MethodSig{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Nil}, {Outcome: history.Some, Rets: 1}}, Aliases: []string{"pop", "dequeue"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range historytest.Recordings(t) {
		f, err := os.Open(want.Path())
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		e, err := history.ReadLog(f, want.File, sig)
		if err != nil {
			t.Fatal(err)
		}
		pending := 0
		for i := range e.Ops {
			if !e.Ops[i].Completed() {
				pending++
			}
		}
		if e.Object != want.Object || len(e.Ops) != want.Ops || e.Events != want.Events || pending != want.Pending {
			t.Errorf("%s: object %s, %d operations, %d events, %d pending; want %+v", want.File, e.Object, len(e.Ops), e.Events, pending, want)
		}
		var log bytes.Buffer
		if err := history.WriteJSON(&log, e); err != nil {
			t.Fatal(err)
		}
		again, err := history.ReadLog(&log, want.File, sig)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, again, cmpopts.IgnoreFields(history.Operation{}, "CallPos", "ReturnPos")); d != "" {
			t.Errorf("%s, written and read: %s", want.File, d)
		}
	}
}
