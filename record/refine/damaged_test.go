//go:build !adtinfer_norecord

package refine

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// inBlocks is the binary form of a log, with a block for each ten entries.
func inBlocks(t *testing.T, l *record.Log) []byte {
	t.Helper()
	var a binlog.Appender
	b := a.Begin(nil)
	add := func(kind byte, contents []byte) {
		var err error
		if b, err = a.Block(b, kind, contents); err != nil {
			t.Fatal(err)
		}
	}
	names, texts := tape.Of(l).Names.Since(0, 0)
	for kind, list := range map[byte][]string{binlog.NameBlock: names, binlog.TextBlock: texts, binlog.ProcessBlock: tape.Of(l).Procs} {
		for _, s := range list {
			add(kind, []byte(s))
		}
	}
	var block []byte
	n := 0
	tape.Of(l).Each(func(es []tape.Entry) error {
		for i := range es {
			block = append(block, make([]byte, binlog.EntrySize)...)
			es[i].Encode(block[len(block)-binlog.EntrySize:])
		}
		if n++; n%10 == 0 {
			add(binlog.EntryBlock, block)
			block = nil
		}
		return nil
	})
	add(binlog.EntryBlock, block)
	return a.End(b, false, 0)
}

// A recorded log that is cut or damaged has the result of the whole log, or is
// inconclusive, or cannot be read.
func TestDamagedRecordings(t *testing.T) {
	damages := testsize.Samples(1_000)
	if testsize.Nightly() {
		damages = 100_000
	}
	o := Options{NoTriage: true}
	seen := map[string]int{}
	for _, popped := range []int{1, 7} {
		rec := record.New(record.Options{Object: "stack"})
		h := rec.Handle("p")
		push(rec, h, 1)
		pop(rec, h, popped)
		h.Text("some text")
		recordTreiber(rec, 2, 20)
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		file := inBlocks(t, l)
		whole, err := Check(context.Background(), l, stackSpec{}, o)
		if err != nil || (whole.Verdict == check.Violation) != (popped == 7) {
			t.Fatal(whole, err)
		}
		compare := func(bad []byte, how string) {
			l, err := record.ReadBinary(bytes.NewReader(bad), "x.bin")
			var r Result
			if err == nil {
				r, err = Check(context.Background(), l, stackSpec{}, o)
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

// FuzzCheck: nothing panics.
func FuzzCheck(f *testing.F) {
	rec := record.New(record.Options{Object: "stack"})
	recordTreiber(rec, 2, 2)
	l, err := rec.Log()
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := l.WriteBinary(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := record.ReadBinary(bytes.NewReader(data), "x.bin"); err == nil {
			Check(context.Background(), l, stackSpec{}, Options{View: treiberView, Limit: 1000, NoTriage: true})
		}
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
		rec := record.New(record.Options{Limit: 1 << 16})
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
	l, err := record.ReadBinary(file, path)
	if err != nil || !l.Cut {
		t.Fatal("not cut", err)
	}
	r, err := Check(context.Background(), l, stackSpec{}, Options{})
	if err != nil || r.Verdict == check.Violation || r.Commits < 100 || !strings.Contains(r.Detail, "tail is missing") {
		t.Errorf("%v after %d commits, %v", r, r.Commits, err)
	}
}
