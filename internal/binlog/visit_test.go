package binlog_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// seen lists what a visitor is handed.
type seen struct {
	events []string
	stop   int // at this event it says no
}

func (s *seen) add(text string) bool {
	s.events = append(s.events, text)
	return len(s.events) != s.stop
}

func (s *seen) Call(m int, args []string) bool {
	return s.add(fmt.Sprintf("call %d %q", m, args))
}

func (s *seen) Return(op int, o history.Outcome, rets []string) bool {
	return s.add(fmt.Sprintf("return %d %s %q", op, o, rets))
}

func visited(tb testing.TB) history.Signature {
	tb.Helper()
	sig, err := history.NewSignature(
		history.MethodSig{Name: "add", Args: 1, Aliases: []string{"put"}, Outcomes: []history.OutcomeSig{{Outcome: history.None}, {Outcome: "full"}}},
		history.MethodSig{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}, {Outcome: history.Error, Rets: 1}}})
	if err != nil {
		tb.Fatal(err)
	}
	return sig
}

// TestVisit: the events and the verdict of Visit are those of a Reader's events,
// of logs in both forms, usual and unusual ones, whole, cut and damaged.
func TestVisit(t *testing.T) {
	sig := visited(t)
	for name, random := range map[string]func(testing.TB, *rand.Rand) []byte{"compact": randomLog, "recorded": randomRecorded} {
		taken := 0
		for seed := range uint64(3_000) {
			r := rand.New(rand.NewPCG(seed, 1))
			log := random(t, r)
			switch r.IntN(4) {
			case 0:
				log = log[:r.IntN(len(log)+1)]
			case 1:
				log[r.IntN(len(log))] ^= byte(1 << r.IntN(8))
			}
			ok, err := sameVisit(log, sig, r.IntN(40))
			if err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			}
			if ok {
				taken++
			}
		}
		if taken < 500 {
			t.Errorf("only %d %s logs were visited", taken, name)
		}
	}
}

// sameVisit compares a visit with a Reader's events; the visitor says no at event
// stop, if it is not 0.
func sameVisit(log []byte, sig history.Signature, stop int) (ok bool, err error) {
	want, got := &seen{stop: stop}, &seen{stop: stop}
	events := binlog.NewReader(bytes.NewReader(log), "x")
	usual := history.VisitEvents(events, sig, want)
	tail, ok := binlog.Visit(bytes.NewReader(log), sig, got)
	n := len(got.events)
	switch {
	case ok && (!usual || tail != events.Tail() || n != len(want.events)):
		return ok, fmt.Errorf("tail %q and %d events; the reader's: %v, %q and %d", tail, n, usual, events.Tail(), len(want.events))
	case n > len(want.events) || !slices.Equal(want.events[:n], got.events):
		return ok, fmt.Errorf("-events +visit\n%s", cmp.Diff(want.events, got.events))
	case usual && !ok && !unusual(log):
		return ok, fmt.Errorf("a usual log is not visited")
	}
	return ok, nil
}

// FuzzVisit: whatever the log.
func FuzzVisit(f *testing.F) {
	sig := visited(f)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 2))
		f.Add(randomLog(f, r))
		f.Add(randomRecorded(f, r))
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		if _, err := sameVisit(log, sig, 0); err != nil {
			t.Fatal(err)
		}
	})
}

// randomRecorded is a binary log as recorders write it.
func randomRecorded(tb testing.TB, r *rand.Rand) []byte {
	var a binlog.Appender
	log := a.Begin(nil)
	add := func(kind byte, contents []byte) {
		var err error
		if log, err = a.Block(log, kind, contents); err != nil {
			tb.Fatal(err)
		}
	}
	for _, n := range []string{"add", "remove", "none", "value", "nil", "full", "x"} {
		add(binlog.NameBlock, []byte(n))
	}
	add(binlog.TextBlock, []byte("word"))
	add(binlog.TextBlock, []byte("full"))
	var running [3]int // by process: 1 + its method
	for p := range running {
		add(binlog.ProcessBlock, []byte{'a' + byte(p)})
	}
	var block []byte
	for seq := range uint64(5 + r.IntN(60)) {
		p := r.IntN(len(running))
		e := binlog.Entry{Seq: seq + 1, Proc: uint32(p)}
		value := func() {
			e.Kind |= 1 << 4
			e.Types, e.Vals[0] = binlog.IntValue, uint64(r.IntN(100))
			if r.IntN(30) == 0 {
				e.Types, e.Vals[0] = []byte{binlog.TextValue, binlog.BoolValue, binlog.UintValue}[r.IntN(3)], uint64(r.IntN(2))
			}
		}
		switch run := &running[p]; {
		case r.IntN(6) == 0:
			e.Kind, e.ID = []uint8{binlog.BeginEntry, binlog.CommitEntry, binlog.WriteEntry}[r.IntN(3)], 6
			if e.Kind == binlog.WriteEntry {
				value()
			}
		case *run == 0:
			*run = 1 + r.IntN(2)
			e.Kind, e.ID = binlog.CallEntry, uint16(*run-1)
			if *run == 1 {
				value()
			}
		case *run == 1:
			e.Kind, e.ID = binlog.ReturnEntry, 2
			if *run = 0; r.IntN(10) == 0 {
				e.ID = 5
			}
		default:
			e.Kind, e.ID = binlog.ReturnEntry, 4
			if *run = 0; r.IntN(3) > 0 {
				e.ID = 3
				value()
			}
		}
		var b [binlog.EntrySize]byte
		e.Encode(b[:])
		block = append(block, b[:]...)
		if r.IntN(10) == 0 {
			add(binlog.EntryBlock, block)
			block = nil
		}
	}
	add(binlog.EntryBlock, block)
	return a.End(log, false, 0)
}

// BenchmarkVisit takes a log of 100,000 operations apart, and does not allocate
// for each event.
func BenchmarkVisit(b *testing.B) {
	var log bytes.Buffer
	w := binlog.NewWriter(&log)
	for id := 1; id <= 100_000; id++ {
		for _, ev := range []history.Event{
			{Call: true, Op: fmt.Sprint(id), Method: "add", Args: []history.Raw{{Text: fmt.Sprint(id)}}}, {Op: fmt.Sprint(id)},
		} {
			if err := w.Event(&ev); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	sig := visited(b)
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := binlog.Visit(bytes.NewReader(log.Bytes()), sig, idle{}); !ok {
			b.Fatal("not visited")
		}
	}
}

// idle is a visitor that does nothing.
type idle struct{}

func (idle) Call(int, []string) bool                    { return true }
func (idle) Return(int, history.Outcome, []string) bool { return true }

// unusual tells whether a log has identifiers that are not the numbers in turn, or
// two kinds of events.
func unusual(log []byte) bool {
	next, r := 1, binlog.NewReader(bytes.NewReader(log), "x")
	for {
		ev, err := r.Next()
		if err != nil {
			return err != io.EOF
		}
		if ev.Call {
			if ev.Op != fmt.Sprint(next) {
				return true
			}
			next++
		}
	}
}

// randomLog is a binary log in the compact form.
func randomLog(tb testing.TB, r *rand.Rand) []byte {
	tb.Helper()
	var log bytes.Buffer
	w := binlog.NewWriter(&log)
	id, odd, named := 0, r.IntN(3) == 0, r.IntN(2) == 0
	var running []history.Event
	for range 5 + r.IntN(40) {
		var ev history.Event
		if len(running) == 0 || r.IntN(2) == 0 && len(running) < 5 {
			id++
			if odd && r.IntN(8) == 0 {
				id += r.IntN(3)
			}
			ev = history.Event{Call: true, Op: fmt.Sprint(id), Method: []string{"add", "put", "remove", "remove", "other"}[r.IntN(4+r.IntN(20)/19)]}
			if ev.Method != "remove" {
				ev.Args = []history.Raw{{Text: fmt.Sprint(r.IntN(1000) - 10)}}
			}
			if named {
				ev.Process = fmt.Sprint("p", len(running))
			}
			running = append(running, ev)
		} else {
			i := r.IntN(len(running))
			call := running[i]
			running = append(running[:i], running[i+1:]...)
			ev = history.Event{Op: call.Op, Process: call.Process}
			switch k := r.IntN(20); {
			case call.Method != "remove" && k == 0:
				ev.Rets = []history.Raw{{Text: "full", Outcome: odd}}
			case call.Method != "remove":
			case k == 0:
				ev.Rets = []history.Raw{{Text: "word", Quoted: odd}}
			case k < 5:
				ev.Rets = []history.Raw{{Text: "-", Outcome: k == 1, Quoted: k == 2}}
			default:
				ev.Rets = []history.Raw{{Text: fmt.Sprint(r.IntN(1000))}}
			}
		}
		if err := w.Event(&ev); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return log.Bytes()
}
