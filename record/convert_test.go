package record_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/record"
)

// A binary log of a queue, converted, is read by everything that reads logs, and
// a real engine is a judge of it.
func TestConvertedLogsAreJudgedByEngines(t *testing.T) {
	if !record.Enabled {
		t.Skip("recording is compiled out")
	}
	th := historytest.Example(t, "queue")
	sig, err := th.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	for first, want := range map[int64]check.Verdict{1: check.Linearizable, 2: check.Violation} {
		l := queueLog(t, first)
		var binary, direct bytes.Buffer
		if err := l.WriteBinary(&binary); err != nil {
			t.Fatal(err)
		}
		if err := l.WriteText(&direct); err != nil {
			t.Fatal(err)
		}
		for name, format := range map[string]record.Format{"text": record.TextFormat, "json": record.JSONFormat} {
			var out bytes.Buffer
			if _, err := record.Convert(&out, bytes.NewReader(binary.Bytes()), "queue.bin", format); err != nil {
				t.Fatal(err)
			}
			if name == "text" && out.String() != direct.String() {
				t.Errorf("converted:\n%s\nwritten at once:\n%s", out.String(), direct.String())
			}
			e, err := history.ReadLog(&out, name, sig)
			if err != nil {
				t.Fatal(err)
			}
			got, err := record.ByEngine(check.Symbolic{}, th)(context.Background(), e)
			if err != nil || got != want {
				t.Errorf("%s, first removed %d: %s, %v; want %s", name, first, got, err, want)
			}
		}
	}
}

// queueLog records add(1), add(2) and a remove of the given value.
func queueLog(t *testing.T, removed int64) *record.Log {
	t.Helper()
	rec := record.New(record.Options{Object: "queue"})
	add, remove := rec.Method("add"), rec.Method("remove")
	h := rec.Handle("a")
	for v := int64(1); v <= 2; v++ {
		h.Call(add, record.Int(v))
		h.Return(record.None)
	}
	h.Call(remove)
	h.Return(record.Some, record.Int(removed))
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}
