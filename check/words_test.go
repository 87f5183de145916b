package check_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

var logFormats = map[string]history.Format{"text": history.Text, "JSON Lines": history.JSON, "binary": history.Binary}

func sameVerdict(t *testing.T, r check.Report, want check.Verdict) {
	t.Helper()
	if r.Err != nil || r.Result.Verdict != want {
		t.Errorf("got %v, %v; want %v", r.Result.Verdict, r.Err, want)
	}
}

func followed(t *testing.T, b *logBatch, src string) check.Report {
	t.Helper()
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(src)), nil }
	return b.Follow(context.Background(), check.Source{Name: "x", Open: open}, &check.Progress{})
}

// A log reads the same in all logFormats and after any conversions, whatever its
// values are, as a file and as a stream.
func TestWordsInAllFormats(t *testing.T) {
	b := batchOf(t, historytest.Theory(t, "examples/queue/queue.theory.yaml"), by{})
	for _, value := range []history.Value{"empty", "-", "nil", "null", "none", "value", "1", "01", "true", "error", "error: x", "", "a b", `"`, `"a"`, `"empty"`, `\`, "#", ",", "a, b", "(", "\xff", "{\"a\":1}"} {
		for _, last := range []history.Label{
			{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{value}},
			{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
		} {
			e := history.Sequential(history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{value}}, last)
			want := check.Linearizable
			if last.Outcome == history.Nil {
				want = check.Violation
			}
			var text, lines bytes.Buffer
			if err := errors.Join(history.WriteText(&text, e), history.WriteJSON(&lines, e)); err != nil {
				t.Fatal(err)
			}
			for _, src := range []string{text.String(), lines.String()} {
				inAllFormats(t, b, src, e, want)
			}
		}
	}
}

func inAllFormats(t *testing.T, b *logBatch, src string, e *history.Execution, want check.Verdict) {
	t.Helper()
	for _, first := range logFormats {
		for _, second := range logFormats {
			var once, twice bytes.Buffer
			if err := history.NewReader(strings.NewReader(src), "x").Convert(t.Context(), &once, first); err != nil {
				t.Fatal(err)
			}
			if err := history.NewReader(&once, "y").Convert(t.Context(), &twice, second); err != nil {
				t.Fatal(err)
			}
			got, err := b.checker().ReadLog(bytes.NewReader(twice.Bytes()), "z")
			if err != nil {
				t.Fatalf("%s\nas\n%s%v", src, twice.String(), err)
			}
			if d := cmp.Diff(e.String(), got.String()); d != "" {
				t.Fatalf("%s\nas\n%s%s", src, twice.String(), d)
			}
			sameVerdict(t, reportOf(t, b, twice.String()), want)
			sameVerdict(t, followed(t, b, twice.String()), want)
		}
	}
}
