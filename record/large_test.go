package record

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/binlog"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// A text that a binary log has no place for is refused when it is written, and what
// was written then is a log that was cut off.
func TestTextTooLong(t *testing.T) {
	rec := New(Options{})
	var streamed bytes.Buffer
	s, err := rec.Stream(&streamed, 0)
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
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), want) {
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
	if err != nil || back.Cut || len(back.entries) != len(l.entries) || back.count != l.count {
		t.Fatalf("%v, %d entries of %d", err, len(back.entries), len(l.entries))
	}
}

// A recorded log that is cut or damaged has the result of the whole log, or is
// inconclusive, or cannot be read.
func TestDamagedRecordings(t *testing.T) {
	damages := testsize.Samples(1_000)
	if testsize.Nightly() {
		damages = 100_000
	}
	c := Config[[]int64]{Spec: stackSpec{}, View: treiberView, NoTriage: true}
	seen := map[string]int{}
	for _, popped := range []int{1, 7} {
		rec := New(Options{Object: "stack"})
		h := rec.Handle("p")
		push(rec, h, 1)
		pop(rec, h, popped)
		h.Text("some text")
		recordTreiber(rec, 2, 20)
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		var streamed bytes.Buffer
		b := newBinaryWriter(&streamed, l.Object, l.names, func() []string { return l.procs })
		n := 0
		l.each(func(es []entry) error { // in blocks of ten entries
			b.add(es)
			if n++; n%10 == 0 {
				b.flush()
			}
			return nil
		})
		if err := b.close(false, 0); err != nil {
			t.Fatal(err)
		}
		file := streamed.Bytes()
		whole, err := CheckIO(context.Background(), l, c)
		if err != nil || (whole.Verdict == check.Violation) != (popped == 7) {
			t.Fatal(whole, err)
		}
		compare := func(bad []byte, how string) {
			l, err := ReadBinary(bytes.NewReader(bad), "x.bin")
			var r Result
			if err == nil {
				r, err = CheckIO(context.Background(), l, c)
			}
			switch {
			case err != nil:
				seen["error"]++
				return
			case r.Verdict == check.Violation && whole.Verdict == check.Violation && r.Entry == whole.Entry:
			case r.Verdict != check.Inconclusive:
				t.Fatalf("%s: %v; the whole log: %v", how, r, whole)
			}
			seen[string(r.Verdict)]++
		}
		for n := range file {
			compare(file[:n], "cut")
		}
		r := rand.New(rand.NewPCG(uint64(popped), 22))
		for range damages / 2 {
			compare(historytest.Damage(r, file))
		}
	}
	t.Log(seen)
	if seen["error"] == 0 || seen["violation"] == 0 || seen["inconclusive"] == 0 {
		t.Errorf("one-sided: %v", seen)
	}
}
