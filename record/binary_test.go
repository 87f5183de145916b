package record

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

func treiberLog(t testing.TB, workers, calls int) *Log {
	rec := New(Options{Object: "stack"})
	recordTreiber(rec, workers, calls)
	h := rec.Handle("last")
	h.Call(rec.Method("push"), h.Text("a, b"), Int(1), Bool(true), Uint(uint(1)))
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func encode(t testing.TB, l *Log) []byte {
	var b bytes.Buffer
	if err := l.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func texts(t testing.TB, l *Log) string {
	var b strings.Builder
	if err := l.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String() + l.dump()
}

func TestBinary(t *testing.T) {
	l := treiberLog(t, 3, 50)
	data := encode(t, l)
	back, err := ReadBinary(bytes.NewReader(data), "x.bin")
	if err != nil || back.Cut {
		t.Fatal(back.Cut, err)
	}
	if d := cmp.Diff(texts(t, l), texts(t, back)); d != "" {
		t.Error(d)
	}
	r, err := CheckView(context.Background(), back, Config[[]int64]{Spec: stackSpec{}, View: treiberView})
	if err != nil || r.Verdict != check.Linearizable {
		t.Error(r, err)
	}
}

// Read event by event, a log has the calls and returns of its execution.
func TestBinaryEvents(t *testing.T) {
	l := treiberLog(t, 3, 200)
	var want, got strings.Builder
	if err := l.WriteText(&want); err != nil {
		t.Fatal(err)
	}
	if err := history.NewReader(bytes.NewReader(encode(t, l)), "x.bin").Convert(t.Context(), &got, history.Text); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.String(), got.String()); d != "" {
		t.Error(d)
	}
}

// A log that was converted has no entries to check refinement with.
func TestConvertedHasNoCommits(t *testing.T) {
	var b bytes.Buffer
	if err := history.NewReader(strings.NewReader("[1] call push(1)"), "x.log").Convert(t.Context(), &b, history.Binary); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBinary(&b, "x.bin"); err == nil || !strings.HasPrefix(err.Error(), "record: x.bin: the log was converted") {
		t.Error(err)
	}
}

// TestCut cuts a file off everywhere. What is left is read and says so.
func TestCut(t *testing.T) {
	data := encode(t, treiberLog(t, 2, 20))
	for n := len(binlog.Magic); n < len(data); n++ {
		l, err := ReadBinary(bytes.NewReader(data[:n]), "x.bin")
		if err != nil || !l.Cut {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
		if !strings.Contains(texts(t, l), "tail is missing") {
			t.Fatal("the text does not say that the tail is missing")
		}
	}
}

// TestDamaged flips every bit of a file. Nothing panics, and what is read
// without an error is cut, or differs in nothing.
func TestDamaged(t *testing.T) {
	data := encode(t, treiberLog(t, 2, 3))
	for i := range 8 * len(data) {
		bad := bytes.Clone(data)
		bad[i/8] ^= 1 << (i % 8)
		l, err := ReadBinary(bytes.NewReader(bad), "x.bin")
		if err == nil && !l.Cut {
			if !bytes.Equal(encode(t, l), data) {
				t.Fatalf("bit %d: read as something else without an error", i)
			}
		}
	}
}

func FuzzReadBinary(f *testing.F) {
	data := encode(f, treiberLog(f, 2, 2))
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(binlog.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadBinary(bytes.NewReader(data), "x.bin")
		if err != nil {
			return
		}
		l.Execution()
		CheckView(context.Background(), l, Config[[]int64]{Spec: stackSpec{}, View: treiberView, Limit: 1000, NoTriage: true})
	})
}

// TestKilled streams from a process that is killed in the middle.
func TestKilled(t *testing.T) {
	const env = "RECORD_TEST_STREAM"
	if path := os.Getenv(env); path != "" {
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		rec := New(Options{Limit: 1 << 16})
		if _, err := rec.Stream(file, 0); err != nil {
			t.Fatal(err)
		}
		recordTreiber(rec, 2, 1<<40)
		return
	}
	path := t.TempDir() + "/log.bin"
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), env+"="+path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if info, err := os.Stat(path); err == nil && info.Size() > 1<<19 {
			break
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	l, err := ReadBinary(file, path)
	if err != nil || !l.Cut {
		t.Fatal("not cut", err)
	}
	r, err := CheckIO(context.Background(), l, Config[[]int64]{Spec: stackSpec{}})
	if err != nil || r.Verdict == check.Violation || r.Commits < 100 || !strings.Contains(r.Detail, "tail is missing") {
		t.Errorf("%v after %d commits, %v", r, r.Commits, err)
	}
}
