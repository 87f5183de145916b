//go:build !adtinfer_norecord

package record

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// push records an operation of a stack.
func push(rec *Recorder, h *Handle, v int) {
	h.Call(rec.Method("push"), Int(v))
	h.Commit()
	h.Return(None)
}

// someLog has entries of all kinds, of some goroutines.
func someLog(t testing.TB, workers, calls int) *Log {
	rec := New(Options{Object: "stack"})
	v, lock := rec.Variable("v"), rec.Variable("lock")
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			h := rec.Handle(fmt.Sprint("p", w))
			for i := range calls {
				h.Call(rec.Method("push"), Int(i))
				h.Acquire(lock, i)
				h.Begin()
				h.Write(v, i, h.Text(fmt.Sprint(i)))
				h.WriteBlock(Write{v, 1, Int(1)}, Write{v, 2, Bool(true)}, Write{v, 3, Value{}})
				h.Commit()
				h.Release(lock, i)
				h.Return(Some, Int(i), Bool(true), Uint(uint(i)))
			}
		}()
	}
	wg.Wait()
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

// texts is the execution and the entries of a log.
func texts(t testing.TB, l *Log) string {
	var b strings.Builder
	e, err := l.Execution()
	if err != nil {
		t.Fatal(err)
	}
	if err := history.WriteJSON(&b, e); err != nil {
		t.Fatal(err)
	}
	l.tape.Each(func(es []tape.Entry) error {
		fmt.Fprintf(&b, "%d p%d %d %v\n", es[0].Seq, es[0].Proc, es[0].What(), l.tape.Names.Texts(es))
		return nil
	})
	return b.String()
}

func execution(rec *Recorder) (*history.Execution, error) {
	l, err := rec.Log()
	if err != nil {
		return nil, err
	}
	return l.Execution()
}

func TestBinary(t *testing.T) {
	l := someLog(t, 3, 50)
	data := encode(t, l)
	back, err := ReadBinary(bytes.NewReader(data), "x.bin")
	if err != nil || back.Cut {
		t.Fatal(back.Cut, err)
	}
	if d := cmp.Diff(texts(t, l), texts(t, back)); d != "" {
		t.Error(d)
	}
}

// Read event by event, a log has the calls and returns of its execution.
func TestBinaryEvents(t *testing.T) {
	l := someLog(t, 3, 200)
	var want, got strings.Builder
	e, err := l.Execution()
	if err != nil {
		t.Fatal(err)
	}
	if err := history.WriteText(&want, e); err != nil {
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
	data := encode(t, someLog(t, 2, 20))
	for n := len(binlog.Magic); n < len(data); n++ {
		l, err := ReadBinary(bytes.NewReader(data[:n]), "x.bin")
		if err != nil || !l.Cut {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// TestDamaged flips every bit of a file. Nothing panics, and what is read
// without an error is cut, or differs in nothing.
func TestDamaged(t *testing.T) {
	data := encode(t, someLog(t, 2, 1))
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
	data := encode(f, someLog(f, 2, 2))
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(binlog.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := ReadBinary(bytes.NewReader(data), "x.bin"); err == nil {
			l.Execution()
			encode(t, l)
		}
	})
}

// A text that a binary log has no place for is refused when it is written, and what
// was written then is a log that was cut off.
func TestTextTooLong(t *testing.T) {
	rec := New(Options{})
	var streamed bytes.Buffer
	stop, err := rec.Stream(&streamed, 0)
	if err != nil {
		t.Fatal(err)
	}
	h := rec.Handle("p")
	push(rec, h, 1)
	h.Call(rec.Method("push"), h.Text(strings.Repeat("x", binlog.MaxBlock+1)))
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	const want = "a text of 67108865 bytes does not fit into a binary log"
	if err := stop(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("streamed: %v", err)
	}
	if err := l.WriteBinary(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("written: %v", err)
	}
	if l, err := ReadBinary(&streamed, "x.bin"); err != nil || !l.Cut {
		t.Errorf("what was streamed: %v", err)
	}
}

// A block of writes, however long, is written as blocks of a file that have the
// usual length.
func TestLongWriteBlock(t *testing.T) {
	rec := New(Options{})
	h := rec.Handle("p")
	writes := make([]Write, 10_000)
	if testsize.Nightly() {
		writes = make([]Write, binlog.MaxBlock/binlog.EntrySize+10)
	}
	for i := range writes {
		writes[i] = Write{rec.Variable("v"), int64(i), Int(i)}
	}
	h.WriteBlock(writes...)
	push(rec, h, 1)
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	file := encode(t, l)
	blocks := binlog.NewBlocks(bytes.NewReader(file), "x.bin")
	for {
		_, contents, err := blocks.Next()
		if err == io.EOF {
			break
		}
		if err != nil || len(contents) > 1<<15 {
			t.Fatalf("a block of %d bytes, %v", len(contents), err)
		}
	}
	back, err := ReadBinary(bytes.NewReader(file), "x.bin")
	if err != nil || back.Cut || len(back.tape.Entries) != len(l.tape.Entries) {
		t.Fatalf("%v, %d entries of %d", err, len(back.tape.Entries), len(l.tape.Entries))
	}
}
