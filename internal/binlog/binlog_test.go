package binlog

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/history"
)

// all reads events to the end, without their places.
func all(events history.Events) ([]history.Event, error) {
	var list []history.Event
	for {
		ev, err := events.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		ev.Pos = history.Pos{}
		list = append(list, ev)
	}
}

var sameEvents = cmp.Options{cmpopts.IgnoreUnexported(history.Event{}), cmpopts.EquateEmpty()}

// listed are events from a list.
type listed struct {
	object string
	events []history.Event
}

func (l *listed) Object() string { return l.object }

func (l *listed) Next() (history.Event, error) {
	if len(l.events) == 0 {
		return history.Event{}, io.EOF
	}
	ev := l.events[0]
	l.events = l.events[1:]
	return ev, nil
}

// randomEvents draws the calls and returns of operations. A process returns from
// what it called.
func randomEvents(t *rapid.T) []history.Event {
	text := rapid.SampledFrom([]string{"1", "-7", "0", "007", "9223372036854775807", "-9223372036854775808", "1152921504606846976", "a", "empty", "-", "true", "a, b", `"q"`, "", "x y", "grüß"})
	raws := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) history.Raw {
		kind := rapid.IntRange(0, 2).Draw(t, "kind")
		v := history.Raw{Text: text.Draw(t, "text"), Quoted: kind == 1, Outcome: kind == 2}
		if v.Outcome {
			v.Text = "nil"
		}
		return v
	}), 0, 3)
	var events, open []history.Event
	for i := range rapid.IntRange(0, 40).Draw(t, "events") {
		if len(open) > 0 && rapid.Bool().Draw(t, "return") {
			k := rapid.IntRange(0, len(open)-1).Draw(t, "which")
			events = append(events, history.Event{Op: open[k].Op, Process: open[k].Process, Rets: raws.Draw(t, "rets")})
			open = slices.Delete(open, k, k+1)
			continue
		}
		id := rapid.SampledFrom([]string{"", "", "", "0", "p", "1000"}).Draw(t, "prefix") + strconv.Itoa(i)
		ev := history.Event{Op: id, Call: true, Method: rapid.SampledFrom([]string{"add", "remove"}).Draw(t, "method"),
			Process: rapid.SampledFrom([]string{"", "p1", "p2"}).Draw(t, "process"), Args: raws.Draw(t, "args")}
		events, open = append(events, ev), append(open, ev)
	}
	return events
}

func written(t testing.TB, object string, events []history.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := history.Copy(NewWriter(&b), &listed{object, events}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEventsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := randomEvents(t)
		var b bytes.Buffer
		if err := history.Copy(NewWriter(&b), &listed{"queue", events}); err != nil {
			t.Fatal(err)
		}
		r := NewReader(&b, "x.bin")
		back, err := all(r)
		if err != nil || r.Object() != "queue" || r.Tail() != "" {
			t.Fatalf("%v, object %q, tail %q", err, r.Object(), r.Tail())
		}
		if d := cmp.Diff(events, back, sameEvents); d != "" {
			t.Fatal(d)
		}
	})
}

// few are the events of the tests of damage.
func few() []history.Event {
	one := []history.Raw{{Text: "1"}}
	return []history.Event{
		{Op: "1", Call: true, Method: "add", Args: one, Process: "p"},
		{Op: "x", Call: true, Method: "remove"},
		{Op: "1", Process: "p"},
		{Op: "x", Rets: []history.Raw{{Text: "empty", Quoted: true}}, Process: "q"},
	}
}

// Flushed after each event, a log that is cut off anywhere has the events whose
// blocks are whole, and says that its tail is missing.
func TestCut(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	var ends []int
	for _, ev := range few() {
		if err := errors.Join(w.Event(&ev), w.Flush()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, b.Len())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for n := len(Magic); n < b.Len(); n++ {
		r := NewReader(bytes.NewReader(b.Bytes()[:n]), "x.bin")
		got, err := all(r)
		if err != nil || r.Tail() == "" {
			t.Fatalf("%d bytes: %v, tail %q", n, err, r.Tail())
		}
		whole, _ := slices.BinarySearch(ends, n+1)
		if d := cmp.Diff(few()[:whole], got, sameEvents); d != "" {
			t.Fatalf("%d bytes: %s", n, d)
		}
	}
}

// A flipped bit is an error, wherever it is: also in a length, which would make a
// log that was cut off of it.
func TestDamaged(t *testing.T) {
	data := written(t, "queue", few())
	for i := range 8 * len(data) {
		bad := bytes.Clone(data)
		bad[i/8] ^= 1 << (i % 8)
		got, err := all(NewReader(bytes.NewReader(bad), "x.bin"))
		if err == nil {
			t.Errorf("bit %d: read without an error", i)
		}
		if len(got) > 0 && !cmp.Equal(few()[:len(got)], got, sameEvents) {
			t.Errorf("bit %d: read as something else", i)
		}
	}
}

// A block that is lost, repeated, or in another's place is an error, although it
// is whole.
func TestBlocksInOrder(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	ends := []int{b.Len()}
	for _, ev := range few() {
		if err := errors.Join(w.Event(&ev), w.Flush()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, b.Len())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	part := func(i int) []byte { return data[max(ends[i], len(Magic)):ends[i+1]] }
	head, last := data[:len(Magic)], data[ends[len(ends)-1]:]
	for i := range 4 {
		for j := range 4 {
			parts := [][]byte{part(0), part(1), part(2), part(3), last}
			how := "lost"
			switch {
			case i == j:
				parts[i] = nil
			case i < j:
				how = "exchanged"
				parts[i], parts[j] = parts[j], parts[i]
			default:
				how = "repeated"
				parts[i] = slices.Concat(parts[i], parts[j])
			}
			if got, err := all(NewReader(bytes.NewReader(slices.Concat(head, slices.Concat(parts...))), "x.bin")); err == nil {
				t.Errorf("%d, %d %s: %d events without an error", i, j, how, len(got))
			}
		}
	}
}

// Logs of version 1, which have no checksums of lengths, are read as before; one
// that ends too soon does not say that it was merely cut off.
func TestVersion1(t *testing.T) {
	for file, want := range map[string]string{
		"testdata/compact-1.bin":  "[1] call add(1)\n[2] call add(one)\n[1] return\n[2] return\n[x] call remove\n[x] return one\n[4] call remove\n[4] return 1\n[5] call remove\n[5] return empty\n",
		"testdata/recorded-1.bin": "[1] call add(one)\n[2] call add(2)\n[1] return\n[2] return\n[3] call remove\n[3] return 2\n",
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := len(magic1); n <= len(data); n++ {
			var got strings.Builder
			r := NewReader(bytes.NewReader(data[:n]), file)
			err := history.Copy(history.NewTextWriter(&got), r)
			whole := n == len(data)
			if text := strings.TrimPrefix(got.String(), "# @object queue\n"); err != nil || whole && text != want || !strings.HasPrefix(want, text) {
				t.Errorf("%s, %d bytes: %v\n%s", file, n, err, text)
			}
			if tail := r.Tail(); whole != (tail == "") || !whole && !strings.Contains(tail, "missing, or damaged") {
				t.Errorf("%s, %d bytes: tail %q", file, n, tail)
			}
		}
		for i := 0; i < 8*len(data); i += 7 {
			bad := bytes.Clone(data)
			bad[i/8] ^= 1 << (i % 8)
			r := NewReader(bytes.NewReader(bad), file)
			if _, err := all(r); err == nil && r.Tail() == "" {
				t.Errorf("%s, bit %d: read as a whole log", file, i)
			}
		}
	}
}

// What nobody could read is not written.
func TestTooLong(t *testing.T) {
	long := strings.Repeat("x", MaxBlock+1)
	for name, write := range map[string]func(*Writer) error{
		"object":  func(w *Writer) error { return w.Object(long) },
		"method":  func(w *Writer) error { return w.Event(&history.Event{Op: "1", Call: true, Method: long}) },
		"process": func(w *Writer) error { return w.Event(&history.Event{Op: "1", Call: true, Method: "m", Process: long}) },
		"value": func(w *Writer) error {
			return w.Event(&history.Event{Op: "1", Call: true, Method: "m", Args: []history.Raw{{Text: long}}})
		},
	} {
		var b bytes.Buffer
		w := NewWriter(&b)
		if err := errors.Join(write(w), w.Close()); err == nil || !strings.Contains(err.Error(), "does not fit into a binary log, which takes 67108864") {
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

var closed = block{EndBlock, make([]byte, 9)}

// made is a log of these blocks.
func made(blocks ...block) string {
	var a Appender
	log := a.Begin(nil)
	for _, b := range blocks {
		log, _ = a.Block(log, b.kind, b.contents)
	}
	return string(log)
}

func TestWhatIsWrong(t *testing.T) {
	name, p := block{NameBlock, []byte("add")}, block{ProcessBlock, []byte("p")}
	entry := func(e Entry) block {
		b := make([]byte, EntrySize)
		e.Encode(b)
		return block{EntryBlock, b}
	}
	events := func(contents ...byte) block { return block{EventBlock, contents} }
	for _, tt := range []struct{ name, src, want string }{
		{"no log", "[1] call add(1)\n", "x.bin: this is no binary log of a version that is read here"},
		{"nothing", "", "x.bin: this is no binary log of a version that is read here"},
		{"later version", Prefix + "3\n", "x.bin: this is no binary log of a version that is read here"},
		{"unknown block", made(block{kind: '?'}), `x.bin: byte 18: a block of the unknown kind '?'`},
		{"after the end", made(closed) + "x", "x.bin: byte 40: something after the end"},
		{"short end", made(block{EndBlock, []byte{1}}), "byte 18: an end of 1 bytes"},
		{"wrong length", Magic + "C\xff\xff\xff\xff\x00\x00\x00\x00", "byte 18: the head of a block whose checksum is wrong"},
		{"long block of version 1", magic1 + "C\xff\xff\xff\xff", "byte 18: a block of 4294967295 bytes"},
		{"cut event", made(name, events(0)), "byte 34: event 1 "},
		{"unknown method", made(name, events(4<<2, 0, 0)), "event 1 has an unknown method"},
		{"unknown process", made(name, events(2, 5, 0, 0)), "event 1 has an unknown process"},
		{"return of nothing", made(name, events(1, 0)), "event 1 returns from an operation that does not run"},
		{"empty identifier", made(name, events(0, 1, 0)), "event 1 has no identifier"},
		{"cut value", made(name, events(0, 0, 1, 1<<2|namedType)), "event 1 is cut off"},
		{"half an entry", made(block{EntryBlock, []byte{1}}), "1 bytes of entries"},
		{"entry of nobody", made(entry(Entry{Seq: 1, Kind: CallEntry})), "entry 1 makes no sense"},
		{"entry without a name", made(p, entry(Entry{Seq: 1, Kind: CallEntry})), "entry 1, of process p, has an unknown name"},
		{"two calls", made(p, name, entry(Entry{Seq: 1, Kind: CallEntry}), entry(Entry{Seq: 2, Kind: CallEntry})), "entry 2, of process p, calls an operation before"},
		{"return first", made(p, name, entry(Entry{Seq: 1, Kind: ReturnEntry})), "entry 1, of process p, returns without a call"},
		{"unknown text", made(p, name, entry(Entry{Seq: 1, Kind: CallEntry | 1<<4, Types: TextValue})), "entry 1, of process p, has a value of an unknown type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := all(NewReader(strings.NewReader(tt.src), "x.bin"))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestTail(t *testing.T) {
	end := func(dropped bool, missing uint64) string {
		var a Appender
		return string(a.End(a.Begin(nil), dropped, missing))
	}
	for want, log := range map[string]string{
		"":                                end(false, 0),
		"the recorder dropped what came":  end(true, 0),
		"tail is missing, at least 3":     end(false, 3),
		"not closed: its tail is missing": Magic,
		"missing, or damaged":             magic1,
	} {
		r := NewReader(strings.NewReader(log), "x.bin")
		if evs, err := all(r); err != nil || len(evs) > 0 || !strings.Contains(r.Tail(), want) || want == "" && r.Tail() != "" {
			t.Errorf("%v, %v, %q; want %q", evs, err, r.Tail(), want)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	call, ret := few()[0], few()[2]
	w := NewWriter(io.Discard)
	if err := w.Event(&ret); err == nil {
		t.Error("a return without a call was written")
	}
	if err := errors.Join(w.Event(&call), w.Event(&call)); err == nil {
		t.Error("a second call was written")
	}
	broken := NewWriter(brokenWriter{})
	if err := broken.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Close = %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// FuzzReader: nothing panics, and what is read survives writing.
func FuzzReader(f *testing.F) {
	f.Add([]byte(Magic))
	data := written(f, "queue", few())
	f.Add(data)
	f.Add(data[:len(data)-3])
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := all(NewReader(bytes.NewReader(data), "x.bin"))
		var b bytes.Buffer
		if err != nil || history.Copy(NewWriter(&b), &listed{"", events}) != nil {
			return
		}
		back, err := all(NewReader(&b, "x.bin"))
		if err != nil || !cmp.Equal(events, back, sameEvents) {
			t.Fatalf("%v\n%s", err, cmp.Diff(events, back, sameEvents))
		}
	})
}
