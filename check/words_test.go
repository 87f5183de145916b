package check_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// oldFile reads a file that an earlier version wrote.
func oldFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "old", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func oldTheory(t *testing.T) *theory.Theory {
	t.Helper()
	th, err := theory.Read(bytes.NewReader(oldFile(t, "queue.theory.yaml")), "queue.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// Files of earlier versions have the verdicts that they had, or are refused with
// the command that converts them; read as old ones they have them anyway, and so
// have their copies in all logFormats.
func TestOldFiles(t *testing.T) {
	b := batchOf(t, oldTheory(t), by{})
	seen := map[string]bool{"queue.theory.yaml": true, "wrong.evidence": true}
	for _, tt := range []struct {
		name    string
		verdict check.Verdict
		refused string // "": read
	}{
		{"plain.log", check.Linearizable, ""},
		{"plain.bin", check.Linearizable, ""},
		{"recorded.bin", check.Linearizable, ""},
		{"numbers.jsonl", check.Linearizable, ""},
		{"wrong.log", check.Violation, ""},
		{"blanks.log", check.Linearizable, "x:1:19: "},
		{"converted.jsonl", check.Linearizable, "x:7:26: "},
		{"saved.jsonl", check.Linearizable, "x:4:34: "},
		{"words.jsonl", check.Linearizable, "x:2:26: "},
		{"wrong.jsonl", check.Violation, "x:4:26: "},
	} {
		seen[tt.name] = true
		t.Run(tt.name, func(t *testing.T) {
			src := string(oldFile(t, tt.name))
			var wrong *history.ParseError
			switch r := reportOf(t, b, src); {
			case tt.refused == "":
				sameVerdict(t, r, tt.verdict)
			case !errors.As(r.Err, &wrong) || !wrong.Old || !strings.HasPrefix(r.Err.Error(), tt.refused) || !strings.Contains(r.Err.Error(), "`adtinfer convert --words x x.new."):
				t.Errorf("got %v, %v; want it refused at %s", r.Result.Verdict, r.Err, tt.refused)
			}
			old := batchOf(t, b.th, by{Reader: oldWords})
			sameVerdict(t, reportOf(t, old, src), tt.verdict)
			sameVerdict(t, followed(t, old, src), tt.verdict)
			for to, format := range logFormats {
				var copied bytes.Buffer
				log := history.NewReader(strings.NewReader(src), "x")
				log.OldWords = true
				if err := log.Convert(t.Context(), &copied, format); err != nil {
					t.Fatalf("to %s: %v", to, err)
				}
				sameVerdict(t, reportOf(t, b, copied.String()), tt.verdict)
			}
		})
	}
	files, err := os.ReadDir(filepath.Join("testdata", "old"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f.Name()] {
			t.Errorf("no test has a look at %s", f.Name())
		}
	}
}

// Evidence of an earlier version is accepted, for its log as it was and converted.
func TestOldEvidence(t *testing.T) {
	th := oldTheory(t)
	ev, err := evidence.Read(bytes.NewReader(oldFile(t, "wrong.evidence")), "wrong.evidence")
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range []bool{false, true} {
		e, err := batchOf(t, th, by{Reader: map[bool]func(io.Reader, string, history.Signature) *history.Reader{true: oldWords}[old]}).checker().ReadLog(bytes.NewReader(oldFile(t, map[bool]string{false: "wrong.log", true: "wrong.jsonl"}[old])), "x")
		if err != nil {
			t.Fatal(err)
		}
		if err := verify.Check(context.Background(), th, e, ev, nil); err != nil {
			t.Error(err)
		}
	}
}

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
	b := batchOf(t, oldTheory(t), by{})
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

// oldWords reads a log that is older than format 2.
func oldWords(r io.Reader, file string, _ history.Signature) *history.Reader {
	log := history.NewReader(r, file)
	log.OldWords = true
	return log
}
