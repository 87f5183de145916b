package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// all reads the events of a binary log to the end, without their places: from memory
// and as a stream, which is the same.
func all(src []byte) (list []event, tail, object string, err error) {
	list, tail, object, err = eventsOf(newBinaryLog("x.bin", string(src), nil, io.EOF))
	again, tailAgain, objectAgain, errAgain := eventsOf(newBinaryLog("x.bin", "", bufio.NewReader(bytes.NewReader(src)), nil))
	if d := cmp.Diff(list, again, sameEvents); d != "" || tail != tailAgain || object != objectAgain || fmt.Sprint(err) != fmt.Sprint(errAgain) {
		panic(fmt.Sprintf("from memory %q, %q, %v; as a stream %q, %q, %v%s", tail, object, err, tailAgain, objectAgain, errAgain, d))
	}
	return list, tail, object, err
}

func eventsOf(b *binaryLog) (list []event, tail, object string, err error) {
	for {
		next, err := b.next()
		if err == io.EOF {
			return list, b.tail(), b.Object, nil
		}
		if err != nil {
			return list, b.tail(), b.Object, err
		}
		e := *next
		e.values = slices.Clone(e.values)
		e.id()
		e.pos, e.number, e.decimal = Pos{}, 0, false
		list = append(list, e)
	}
}

var sameEvents = cmp.Options{cmp.AllowUnexported(event{}, raw{}, stamp{}), cmpopts.EquateEmpty()}

// randomEvents draws the calls and returns of operations. A process returns from
// what it called.
func randomEvents(t *rapid.T) []event {
	text := rapid.SampledFrom([]string{"1", "-7", "0", "007", "9223372036854775807", "-9223372036854775808", "1152921504606846976", "a", "empty", "-", "true", "a, b", `"q"`, "", "x y", "grüß"})
	raws := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) raw {
		kind := rapid.IntRange(0, 2).Draw(t, "kind")
		v := raw{text: text.Draw(t, "text"), quoted: kind == 1, outcome: kind == 2}
		if v.outcome {
			v.text = "nil"
		}
		return v
	}), 0, 3)
	var events, open []event
	for i := range rapid.IntRange(0, 40).Draw(t, "events") {
		if len(open) > 0 && rapid.Bool().Draw(t, "return") {
			k := rapid.IntRange(0, len(open)-1).Draw(t, "which")
			events = append(events, event{op: open[k].op, process: open[k].process, values: raws.Draw(t, "rets")})
			open = slices.Delete(open, k, k+1)
			continue
		}
		id := rapid.SampledFrom([]string{"", "", "", "0", "p", "1000"}).Draw(t, "prefix") + strconv.Itoa(i)
		ev := event{op: id, call: true, method: rapid.SampledFrom([]string{"add", "remove"}).Draw(t, "method"),
			process: rapid.SampledFrom([]string{"", "p1", "p2"}).Draw(t, "process"), values: raws.Draw(t, "args")}
		events, open = append(events, ev), append(open, ev)
	}
	return events
}

// written writes events; each is flushed with the given chance, and the places say
// where blocks of events end.
func written(t rapid.TB, object string, events []event, flush func() bool) (log []byte, ends []int) {
	t.Helper()
	var b bytes.Buffer
	w := newBinaryWriter(&b)
	if object != "" {
		if err := w.object(object); err != nil {
			t.Fatal(err)
		}
	}
	for i := range events {
		if err := w.event(&events[i]); err != nil {
			t.Fatal(err)
		}
		if flush() {
			w.flush()
			ends = append(ends, b.Len())
		}
	}
	if err := w.close(""); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), ends
}

func always() bool { return true }
func never() bool  { return false }

func TestEventsSurvive(t *testing.T) {
	testsize.Check(t, 1, func(t *rapid.T) {
		events := randomEvents(t)
		log, _ := written(t, "queue", events, never)
		back, tail, object, err := all(log)
		if err != nil || object != "queue" || tail != "" {
			t.Fatalf("%v, object %q, tail %q", err, object, tail)
		}
		if d := cmp.Diff(events, back, sameEvents); d != "" {
			t.Fatal(d)
		}
	})
}

// However many operations run, and however long, each returns once.
func TestManyRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var events, open []event
	for i := range 4_000 {
		if len(open) > 400 || len(open) > 0 && rng.IntN(3) == 0 {
			k := rng.IntN(len(open))
			if rng.IntN(2) == 0 {
				k = len(open) - 1
			}
			events = append(events, event{op: open[k].op, process: open[k].process, values: []raw{{text: itoa(i)}}})
			open = slices.Delete(open, k, k+1)
			continue
		}
		e := event{op: "x" + itoa(i), call: true, method: "add", values: []raw{{text: itoa(-i)}}, process: itoa(i)}
		events, open = append(events, e), append(open, e)
	}
	log, _ := written(t, "", events, never)
	back, _, _, err := all(log)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(events, back, sameEvents); d != "" {
		t.Fatal(d)
	}
	if n, ops := NewReader(bytes.NewReader(log), "x.bin").Estimate(), 4_000-len(open); n < ops/2 || n > 4_000 {
		t.Errorf("%d operations, estimated %d", ops, n)
	}
}

// few are the events of the tests of damage.
func few() []event {
	return []event{
		{op: "1", call: true, method: "add", values: []raw{{text: "1"}}, process: "p"},
		{op: "x", call: true, method: "remove"},
		{op: "1", process: "p"},
		{op: "x", values: []raw{{text: "empty", quoted: true}}, process: "q"},
	}
}

// Flushed after each event, a log that is cut off anywhere has the events whose
// blocks are whole, and says that its tail is missing.
func TestCutBinary(t *testing.T) {
	log, ends := written(t, "", few(), always)
	for n := len(binlog.Magic); n < len(log); n++ {
		got, tail, _, err := all(log[:n])
		if err != nil || tail == "" {
			t.Fatalf("%d bytes: %v, tail %q", n, err, tail)
		}
		whole, _ := slices.BinarySearch(ends, n+1)
		if d := cmp.Diff(few()[:whole], got, sameEvents); d != "" {
			t.Fatalf("%d bytes: %s", n, d)
		}
	}
}

// A flipped bit is an error, wherever it is: also in a length, which would make a
// log that was cut off of it.
func TestDamagedBinary(t *testing.T) {
	log, _ := written(t, "queue", few(), never)
	for i := range 8 * len(log) {
		bad := bytes.Clone(log)
		bad[i/8] ^= 1 << (i % 8)
		got, _, _, err := all(bad)
		if err == nil {
			t.Errorf("bit %d: read without an error", i)
		}
		if len(got) > 0 && !cmp.Equal(few()[:len(got)], got, sameEvents) {
			t.Errorf("bit %d: read as something else", i)
		}
	}
}

// Logs of version 1, which have no checksums of lengths, are read as before; one
// that ends too soon does not say that it was merely cut off.
func TestVersion1(t *testing.T) {
	const magic1 = binlog.Prefix + "1\n"
	for file, want := range map[string]string{
		"testdata/binary/compact-1.bin":  "[1] call add(1)\n[2] call add(one)\n[1] return\n[2] return\n[x] call remove\n[x] return one\n[4] call remove\n[4] return 1\n[5] call remove\n[5] return empty\n",
		"testdata/binary/recorded-1.bin": "[1@a] call add(one)\n[2@b] call add(2)\n[1@a] return\n[2@b] return\n[3@a] call remove\n[3@a] return 2\n",
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := len(magic1); n <= len(data); n++ {
			var got strings.Builder
			r := NewReader(bytes.NewReader(data[:n]), file)
			err := r.Convert(t.Context(), &got, Text)
			whole := n == len(data)
			text, _, _ := strings.Cut(strings.TrimPrefix(got.String(), "# @object queue\n"), "#")
			if err != nil || whole && text != want || !strings.HasPrefix(want, text) {
				t.Errorf("%s, %d bytes: %v\n%s", file, n, err, text)
			}
			if tail := r.Tail(); whole != (tail == "") || !whole && !strings.Contains(tail, "missing, or damaged") {
				t.Errorf("%s, %d bytes: tail %q", file, n, tail)
			}
		}
		for i := 0; i < 8*len(data); i += 7 {
			bad := bytes.Clone(data)
			bad[i/8] ^= 1 << (i % 8)
			if _, tail, _, err := all(bad); err == nil && tail == "" {
				t.Errorf("%s, bit %d: read as a whole log", file, i)
			}
		}
	}
}

// What nobody could read is not written.
func TestTooLong(t *testing.T) {
	long := strings.Repeat("x", binlog.MaxBlock+1)
	for name, write := range map[string]func(*binaryWriter) error{
		"object":  func(w *binaryWriter) error { return w.object(long) },
		"method":  func(w *binaryWriter) error { return w.event(&event{op: "1", call: true, method: long}) },
		"process": func(w *binaryWriter) error { return w.event(&event{op: "1", call: true, method: "m", process: long}) },
		"value": func(w *binaryWriter) error {
			return w.event(&event{op: "1", call: true, method: "m", values: []raw{{text: long}}})
		},
	} {
		var b bytes.Buffer
		w := newBinaryWriter(&b)
		if err := errors.Join(write(w), w.close("")); err == nil || !strings.Contains(err.Error(), "does not fit into a binary log, which takes 67108864") {
			t.Errorf("%s: %v", name, err)
		}
		if b.Len() > 1<<10 {
			t.Errorf("%s: %d bytes were written", name, b.Len())
		}
	}
}

// block is a block before it has its checksums.
type block struct {
	kind     byte
	contents []byte
}

var closed = block{binlog.EndBlock, make([]byte, 9)}

// made is a log of these blocks.
func made(blocks ...block) string {
	var a binlog.Appender
	log := a.Begin(nil)
	for _, b := range blocks {
		log, _ = a.Block(log, b.kind, b.contents)
	}
	return string(log)
}

func TestWrongBinary(t *testing.T) {
	name, p := block{binlog.NameBlock, []byte("add")}, block{binlog.ProcessBlock, []byte("p")}
	entry := func(e binlog.Entry) block {
		b := make([]byte, binlog.EntrySize)
		e.Encode(b)
		return block{binlog.EntryBlock, b}
	}
	events := func(contents ...byte) block { return block{binlog.EventBlock, contents} }
	for _, tt := range []struct{ name, src, want string }{
		{"no log", "[1] call add(1)\n", "x.bin: this is no binary log of a version that is read here"},
		{"nothing", "", "x.bin: this is no binary log of a version that is read here"},
		{"later version", binlog.Prefix + "3\n", "x.bin: this is no binary log of a version that is read here"},
		{"unknown block", made(block{kind: '?'}), `x.bin: byte 18: a block of the unknown kind '?'`},
		{"after the end", made(closed) + "x", "x.bin: byte 40: something after the end"},
		{"short end", made(block{binlog.EndBlock, []byte{1}}), "byte 18: an end of 1 bytes"},
		{"wrong length", binlog.Magic + "C\xff\xff\xff\xff\x00\x00\x00\x00", "byte 18: the head of a block whose checksum is wrong"},
		{"long block of version 1", binlog.Prefix + "1\n" + "C\xff\xff\xff\xff", "byte 18: a block of 4294967295 bytes"},
		{"cut event", made(name, events(0)), "byte 34: event 1 "},
		{"unknown method", made(name, events(4<<2, 0, 0)), "event 1 has an unknown method"},
		{"unknown process", made(name, events(2, 5, 0, 0)), "event 1 has an unknown process"},
		{"return of nothing", made(name, events(1, 0)), "event 1 returns from an operation that does not run"},
		{"empty identifier", made(name, events(0, 1, 0)), "event 1 has no identifier"},
		{"cut value", made(name, events(0, 0, 1, 1<<2|namedType)), "event 1 is cut off"},
		{"half an entry", made(block{binlog.EntryBlock, []byte{1}}), "1 bytes of entries"},
		{"entry of nobody", made(entry(binlog.Entry{Seq: 1, Kind: binlog.CallEntry})), "entry 1 makes no sense"},
		{"entry without a name", made(p, entry(binlog.Entry{Seq: 1, Kind: binlog.CallEntry})), "entry 1, of process p, has an unknown name"},
		{"two calls", made(p, name, entry(binlog.Entry{Seq: 1, Kind: binlog.CallEntry}), entry(binlog.Entry{Seq: 2, Kind: binlog.CallEntry})), "entry 2, of process p, calls an operation before"},
		{"return first", made(p, name, entry(binlog.Entry{Seq: 1, Kind: binlog.ReturnEntry})), "entry 1, of process p, returns without a call"},
		{"unknown text", made(p, name, entry(binlog.Entry{Seq: 1, Kind: binlog.CallEntry | 1<<4, Types: binlog.TextValue})), "entry 1, of process p, has a value of an unknown type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, _, err := all([]byte(tt.src))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestTail(t *testing.T) {
	end := func(dropped bool, missing uint64) string {
		var a binlog.Appender
		return string(a.End(a.Begin(nil), dropped, missing))
	}
	for want, log := range map[string]string{
		"":                                end(false, 0),
		"the recorder dropped what came":  end(true, 0),
		"tail is missing, at least 3":     end(false, 3),
		"not closed: its tail is missing": binlog.Magic,
		"missing, or damaged":             binlog.Prefix + "1\n",
	} {
		if evs, tail, _, err := all([]byte(log)); err != nil || len(evs) > 0 || !strings.Contains(tail, want) || want == "" && tail != "" {
			t.Errorf("%v, %v, %q; want %q", evs, err, tail, want)
		}
	}
}

// TestBinaryIsReadAlike: binary logs in both forms, usual and unusual ones, whole,
// cut and damaged, are read alike in all ways.
func TestBinaryIsReadAlike(t *testing.T) {
	sig := testSignature(t)
	for name, random := range map[string]func(testing.TB, *rand.Rand) []byte{"compact": randomCompact, "recorded": randomRecorded} {
		good := 0
		logs := testsize.Samples(2_000)
		for seed := range logs {
			r := rand.New(rand.NewPCG(seed, 1))
			log := random(t, r)
			switch r.IntN(4) {
			case 0:
				log = log[:r.IntN(len(log)+1)]
			case 1:
				log[r.IntN(len(log))] ^= byte(1 << r.IntN(8))
			}
			if sameReading(t, string(log), sig) != nil {
				good++
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d", name, seed)
			}
		}
		if good < int(logs/5) {
			t.Errorf("only %d %s logs could be read", good, name)
		}
	}
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

// randomCompact is a binary log in the compact form.
func randomCompact(tb testing.TB, r *rand.Rand) []byte {
	tb.Helper()
	var log bytes.Buffer
	w := newBinaryWriter(&log)
	id, odd, named := 0, r.IntN(3) == 0, r.IntN(2) == 0
	var running []event
	for range 5 + r.IntN(40) {
		var ev event
		if len(running) == 0 || r.IntN(2) == 0 && len(running) < 5 {
			id++
			if odd && r.IntN(8) == 0 {
				id += r.IntN(3)
			}
			ev = event{call: true, op: strconv.Itoa(id), method: []string{"add", "push", "remove", "remove", "other"}[r.IntN(4+r.IntN(20)/19)]}
			if ev.method != "remove" {
				ev.values = []raw{{text: strconv.Itoa(r.IntN(1000) - 10)}}
			}
			if named {
				ev.process = "p" + strconv.Itoa(len(running))
			}
			running = append(running, ev)
		} else {
			i := r.IntN(len(running))
			call := running[i]
			running = append(running[:i], running[i+1:]...)
			ev = event{op: call.op, process: call.process}
			switch k := r.IntN(20); {
			case call.method != "remove" && k == 0:
				ev.values = []raw{{text: "full", outcome: odd}}
			case call.method != "remove":
			case k == 0:
				ev.values = []raw{{text: "word", quoted: odd}}
			case k < 5:
				ev.values = []raw{{text: "-", outcome: k == 1, quoted: k == 2}}
			default:
				ev.values = []raw{{text: strconv.Itoa(r.IntN(1000))}}
			}
		}
		if err := w.event(&ev); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.close(""); err != nil {
		tb.Fatal(err)
	}
	return log.Bytes()
}

// FuzzBinary: nothing panics, what is read survives writing, and all ways to read
// agree.
func FuzzBinary(f *testing.F) {
	sig := testSignature(f)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 2))
		f.Add(randomCompact(f, r))
		f.Add(randomRecorded(f, r))
	}
	log, _ := written(f, "queue", few(), never)
	f.Add(log)
	f.Add(log[:len(log)-3])
	f.Fuzz(func(t *testing.T, log []byte) {
		if !bytes.HasPrefix(log, []byte(binlog.Prefix)) {
			return
		}
		sameReading(t, string(log), sig)
		events, _, _, err := all(log)
		var b bytes.Buffer
		if err != nil || NewReader(bytes.NewReader(log), "x.bin").Convert(context.Background(), &b, Binary) != nil {
			return
		}
		back, _, _, err := all(b.Bytes())
		if err != nil || !cmp.Equal(events, back, sameEvents) {
			t.Fatalf("%v\n%s", err, cmp.Diff(events, back, sameEvents))
		}
	})
}
