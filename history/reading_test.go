package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// streamed reads a log line by line, or block by block.
func streamed(src string, sig Signature) (*Execution, error) {
	r := NewReader(strings.NewReader(src), "x.log")
	r.open()
	b := newBuilder(sig, r.events)
	b.from.errors = &r.errors
	if err := b.from.through(r.events); err != nil {
		return nil, err
	}
	b.e.Object, b.e.Tail = r.Object(), r.Tail()
	if len(b.e.Unknown) > 0 {
		if b.e.Rest = r.events.tail(); b.e.Rest == "" {
			b.e.Rest = r.errors.clause
		}
	}
	return b.e, nil
}

// followed collects what Follow yields.
func followed(r *Reader, sig Signature) (*Execution, error) {
	e := &Execution{}
	at := map[*Operation]int{}
	for op, err := range r.Follow(sig) {
		if err != nil {
			return nil, err
		}
		e.Events++
		if op.Completed() {
			e.Ops[at[op]] = *op
			continue
		}
		at[op] = len(e.Ops)
		e.Ops = append(e.Ops, *op)
	}
	e.Object, e.Tail = r.Object(), r.Tail()
	return e, nil
}

// collector makes an execution of a visit, without identifiers and places.
type collector struct {
	sig Signature
	e   Execution
}

func (c *collector) Call(method int, args []string) bool {
	l := Label{Kind: Kind{Method: c.sig.Methods()[method].Name}, Args: valuesOf(args)}
	c.e.Ops = append(c.e.Ops, Operation{Label: l, Call: c.e.Events, Return: NoReturn})
	c.e.Events++
	return true
}

func (c *collector) Return(op, _ int, outcome Outcome, rets []string) bool {
	o := &c.e.Ops[op]
	o.Outcome, o.Rets, o.Return = outcome, valuesOf(rets), c.e.Events
	c.e.Events++
	return true
}

// bare is an execution without identifiers, processes and places.
func bare(e *Execution) Execution {
	b := Execution{Events: e.Events, Ops: slices.Clone(e.Ops)}
	for i := range b.Ops {
		o := &b.Ops[i]
		o.ID, o.Process, o.CallPos, o.ReturnPos = "", "", Pos{}, Pos{}
	}
	return b
}

// sameReading reads a log in memory, as a stream, by a visitor, and as it comes,
// which must give the same execution, or the same error. It is nil if there is one.
func sameReading(t rapid.TB, src string, sig Signature) *Execution {
	t.Helper()
	want, wantErr := streamed(src, sig)
	got, err := ReadLog(strings.NewReader(src), "x.log", sig)
	if isUnsorted(wantErr) { // as a whole it is sorted
		sameFollowing(t, src, sig, nil, wantErr)
		if NewReader(strings.NewReader(src), "x.log").Visit(sig, &collector{sig: sig}) {
			t.Fatalf("%q: visited, although unsorted", src)
		}
		return got
	}
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%q:\n%v, but as a stream\n%v", src, err, wantErr)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%q: as a stream (-), as a whole (+):\n%s", src, d)
	}
	r, c := NewReader(strings.NewReader(src), "x.log"), collector{sig: sig}
	visited := r.Visit(sig, &c)
	whole := got != nil && !strings.Contains(got.Tail, "nobody knows") // a visitor has no way to tell what is unknown
	if visited != (r.loaded && err == nil && whole) {
		t.Fatalf("%q: visited: %v, although %v", src, visited, err)
	}
	if visited && len(want.Ops) > 0 && !reflect.DeepEqual(bare(want), c.e) {
		t.Fatalf("%q: visited\n%v\nread\n%v", src, c.e.String(), want)
	}
	if r.loaded {
		again, err := r.Execution(sig)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || cmp.Diff(want, again) != "" {
			t.Fatalf("%q: after a visit %v, %v", src, err, cmp.Diff(want, again))
		}
	}
	sameFollowing(t, src, sig, want, wantErr)
	return want
}

// sameFollowing follows a log operation by operation, which gives the same
// execution, or finds the same mistake, except in identifiers that were used
// before.
func sameFollowing(t rapid.TB, src string, sig Signature, want *Execution, wantErr error) {
	t.Helper()
	text := fmt.Sprint(wantErr)
	if ofIdentifier(text) {
		return
	}
	got, err := followed(NewReader(strings.NewReader(src), "x.log"), sig)
	if isUnsorted(wantErr) && ofIdentifier(fmt.Sprint(err)) {
		return // of two mistakes it meets this one first
	}
	if fmt.Sprint(err) != text {
		t.Fatalf("%q: followed\n%v\nwant\n%v", src, err, wantErr)
	}
	if want != nil { // who follows hears of operations alone
		known := *want
		known.Unknown, known.Rest = nil, ""
		want = &known
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%q: %s", src, d)
	}
}

// ofIdentifier reports whether a message is of an operation that is called or
// returns out of turn.
func ofIdentifier(message string) bool {
	for _, part := range []string{"called twice", "returns a second time", "was not called"} {
		if strings.Contains(message, part) {
			return true
		}
	}
	return false
}

func TestTextIsReadAlike(t *testing.T) {
	sig := testSignature(t)
	good := 0
	check(t, func(t *rapid.T, rng source) {
		if e := sameReading(t, randomLines(rng), sig); e != nil && e.Events > 1 {
			good++
		}
	})
	if !t.Failed() && good < 10 {
		t.Fatalf("only %d of the logs have nothing wrong with them", good)
	}
	check(t, func(t *rapid.T, rng source) { // whole logs, and logs cut off
		var log bytes.Buffer
		if err := WriteText(&log, randomExecution(rng, sig)); err != nil {
			t.Fatal(err)
		}
		sameReading(t, log.String()[:rng.IntN(log.Len()+1)], sig)
	})
}

// changed is a log in which bytes were moved to other places.
func changed(rng source, src string) string {
	log := []byte(src)
	for range rng.IntN(3) {
		from, to, n := rng.IntN(len(log)), rng.IntN(len(log)), rng.IntN(3)
		copy(log[to:], log[from:min(from+n, len(log))])
	}
	return string(log)
}

// Logs as programs write them, with mistakes.
func TestChangedLogsAreReadAlike(t *testing.T) {
	sig := testSignature(t)
	good := 0
	check(t, func(t *rapid.T, rng source) {
		var log bytes.Buffer
		write := []func(io.Writer, *Execution) error{WriteText, WriteJSON}[rng.IntN(2)]
		if err := write(&log, longExecution(rng.IntN(40), rng.IntN(2) == 0)); err != nil {
			t.Fatal(err)
		}
		src := changed(rng, log.String())
		if sameReading(t, src, sig) != nil {
			good++
			onlyJSON(t, src)
		}
	})
	if !t.Failed() && good < 10 {
		t.Errorf("only %d logs could be read", good)
	}
}

// onlyJSON checks that what is read as JSON Lines is JSON.
func onlyJSON(t rapid.TB, src string) {
	t.Helper()
	l := newLines("", src, nil, io.EOF)
	for {
		line, err := l.nextLine()
		if err != nil {
			return
		}
		if ok, err := l.parse(line, new(event)); ok && err == nil && l.isJSON && !json.Valid([]byte(line)) {
			t.Fatalf("read as JSON: %s", line)
		}
	}
}

func TestJSONIsReadAlike(t *testing.T) {
	sig := testSignature(t)
	good, moved := 0, 0
	check(t, func(t *rapid.T, rng source) {
		src := randomJSON(rng)
		onlyJSON(t, src)
		e := sameReading(t, src, sig)
		if e == nil || e.Events < 2 {
			return
		}
		good++
		line := 0
		for _, p := range places(e) {
			if p.Line < line {
				moved++
				break
			}
			line = p.Line
		}
	})
	if !t.Failed() && (good < 5 || moved < 1) {
		t.Fatalf("only %d of the logs have nothing wrong with them, and %d events in another order", good, moved)
	}
	check(t, func(t *rapid.T, rng source) { // whole logs, and logs cut off
		var log bytes.Buffer
		if err := WriteJSON(&log, randomExecution(rng, sig)); err != nil {
			t.Fatal(err)
		}
		sameReading(t, log.String()[:rng.IntN(log.Len()+1)], sig)
	})
}

// places are those of an execution's events in their order.
func places(e *Execution) []Pos {
	ps := make([]Pos, e.Events)
	for i := range e.Ops {
		op := &e.Ops[i]
		ps[op.Call] = op.CallPos
		if op.Completed() {
			ps[op.Return] = op.ReturnPos
		}
	}
	return ps
}

// Lines of JSON that programs write are plain; what is not is left to Reader.
// A line that is cut off is no line, and what has been read of it shows nowhere.
func TestCutJSON(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"call", `{"op":1,"event":"call","method":"add","args":[5],"process":"p1","time":1200}`},
		{"return", `{"op":1,"event":"return"}`},
		{"with blanks", ` { "op": "1", "event": "return", "rets": [ 1, -2.50 , "a b", null ] }`},
		{"other order", `{"time":0.5,"rets":[],"event":"return","op":"x"}`},
		{"method of a return", `{"op":1,"event":"return","method":"add"}`},
		{"19 digits", `{"op":1,"event":"return","time":9223372036854775808}`},
		{"CR", `{"op":1,"event":"return"}` + "\r"},
		{"exponents", `{"op":1,"event":"return","rets":[1e5,-0.5E-10],"time":1.75e+18}`},
		{"outcome", `{"op":1,"event":"return","outcome":"nil"}`},
		{"outcome with values", `{"op":1,"rets":[1,2,3],"event":"return","outcome":"error: no"}`},
		{"escapes", `{"\u006fp":1,"event":"return","rets":["\n","ü"]}`},
		{"many values", `{"op":1,"event":"return","outcome":"full","rets":[1,2,3,4,5]}`},
		{"value and word", `{"op":1,"event":"return","word":"nil"}`},
		{"bytes", `{"op":1,"event":"return","rets":[{"base64":"/w=="}]}`},
		{"tab", `{"op":1,` + "\t" + `"event":"return"} `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var e event
			if ok, err := newLines("", "", nil, nil).parse(tt.line, &e); !ok || err != nil {
				t.Errorf("%s: %v, %v", tt.line, ok, err)
			}
			for cut := range strings.TrimRight(tt.line, " \r") {
				if ok, err := newLines("", "", nil, nil).parse(tt.line[:cut], &e); ok || err == nil && strings.TrimSpace(tt.line[:cut]) != "" {
					t.Errorf("%s: read, although cut off", tt.line[:cut])
				}
			}
		})
	}
}

func TestUnusualLogsAreReadAlike(t *testing.T) {
	sig := testSignature(t)
	many := make([]MethodSig, fewNames+1)
	for i := range many {
		many[i] = MethodSig{Name: "m" + itoa(i), Outcomes: []OutcomeSig{{Outcome: None, Rets: 0}}}
	}
	wide, err := NewSignature(many...)
	if err != nil {
		t.Fatal(err)
	}
	const call = "[1] call add(1)\n"
	for _, tt := range []struct {
		name, src string
		sig       Signature
	}{
		{"JSON after a comment", "# x\n" + `{"op":1,"event":"return","time":1}` + "\n" + `{"op":1,"event":"call","method":"add","args":[1],"time":1}`, sig},
		{"JSON cut off after a comment", "#\n{\"op\":1,", sig},
		{"JSON after an event", call + "{}", sig},
		{"long value", "[1] call add(" + strings.Repeat("x", 10<<20) + ")\n[1] return", sig},
		{"long line", "\n" + call + "[2] call add(" + strings.Repeat("x", maxLine) + ")\n[1] return", sig},
		{"long line that is not plain", call + "# " + strings.Repeat("-", maxLine) + "\n[1] return", sig},
		{"wrong line before a long one", call + call + strings.Repeat("x", maxLine), sig},
		{"NUL and other binary", call + "\x00\x01\x02\xff\n[1] return", sig},
		{"many methods", "[1] call m3\n[1] return\n[2] call m99", wide},
		{"numbers far apart", "[900000000] call add(1)\n[5] call add(2)\n[900000000] return\n[5] return\n[5] return", sig},
		{"two objects", "# @object a\n" + call + "# @object b\n", sig},
		{"nothing returned", "[1] call remove\n[1] return\n", sig},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sameReading(t, tt.src, tt.sig)
		})
	}
}

func TestUnusualJSONIsReadAlike(t *testing.T) {
	sig := testSignature(t)
	const (
		object = `{"object":"q"}` + "\n"
		call   = `{"op":1,"event":"call","method":"add","args":[1],"time":5}` + "\n"
		ret    = `{"op":1,"event":"return","time":5}` + "\n"
		other  = `{"op":2,"event":"call","method":"pop","time":5}` + "\n"
	)
	for _, tt := range []struct{ name, src string }{
		{"long value", strings.ReplaceAll(call, "[1]", `["`+strings.Repeat("x", 10<<20)+`"]`) + ret},
		{"long value later", object + call + ret + `{"op":2,"event":"call","method":"add","args":["` + strings.Repeat("x", 10<<20) + `"]}`},
		{"line too long", call + `{"op":"` + strings.Repeat("x", maxLine) + `"}`},
		{"wrong line before one too long", call + call + strings.Repeat("x", maxLine)},
		{"wrong return held before one too long", ret + other + strings.Repeat("x", maxLine)},
		{"cut off", object + call + ret[:20]},
		{"cut off without a value", object + call + ret[:len(ret)-4]},
		{"no end of line", object + call + ret[:len(ret)-1]},
		{"binary after JSON", call + "\x00\x01\x02\xff\n" + ret},
		{"text after JSON", call + "[1] return\n"},
		{"comments and blank lines at the same time", ret + "# note\n\n" + other + object + call},
		{"returns before its call at the same time", ret + call},
		{"called twice at the same time", ret + call + other + call},
		{"returns twice at the same time", ret + other + call + ret},
		{"wrong line after a wrong return at the same time", ret + "{"},
		{"wrong line after returns at the same time", ret + call + other + "{"},
		{"decreasing after returns", call + ret + `{"op":2,"event":"return","rets":[1],"time":4}` + "\n" + other},
		{"decreasing after no time", call + ret + `{"op":2,"event":"call","method":"pop"}` + "\n" + `{"op":2,"event":"return","rets":[1],"time":4}`},
		{"no time between equal times", call + ret + `{"op":3,"event":"call","method":"pop"}` + "\n" + other},
		{"equal as floating-point numbers only", strings.ReplaceAll(call, "5", "9007199254740992") + strings.ReplaceAll(ret, "5", "9007199254740992.0") + strings.ReplaceAll(other, "5", "9007199254740993")},
		{"different text, equal times", call + strings.ReplaceAll(ret, "5", "5.0") + other},
		{"times beyond 64 bits", strings.ReplaceAll(call+ret, "5", "9223372036854775807") + strings.ReplaceAll(other, "5", "9223372036854775808")},
		{"odd return at the same time", strings.ReplaceAll(ret, "op", `\u006fp`) + other + call},
		{"other process", strings.ReplaceAll(call, "{", `{"process":"a",`) + strings.ReplaceAll(ret, "{", `{"process":"b",`)},
		{"process of the return", call + strings.ReplaceAll(ret, "{", `{"process":"b",`)},
		{"method of another operation", call + strings.ReplaceAll(ret, "{", `{"method":"pop",`)},
		{"unknown method of a return", call + strings.ReplaceAll(ret, "{", `{"method":"po",`)},
		{"two objects", object + call + `{"object":"r"}` + "\n" + ret},
		{"after a byte order mark", "\ufeff" + call + ret},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if len(tt.src) > 1<<20 && testing.Short() {
				t.Skip("long")
			}
			sameReading(t, tt.src, sig)
		})
	}
}

func TestProcesses(t *testing.T) {
	sig := testSignature(t)
	for returns, want := range map[string]bool{"": true, `,"process":1`: true, `,"process":2`: false, `,"method":"push"`: true, `,"method":"pop"`: false, `,"method":"ad"`: false} {
		src := `{"op":1,"event":"call","method":"add","args":[1],"process":1}` + "\n" + `{"op":1,"event":"return"` + returns + "}\n"
		if got := sameReading(t, src, sig) != nil; got != want {
			t.Errorf("%s: read to the end: %v, want %v", src, got, want)
		}
	}
}

// The table for numbers grows; what was put elsewhere before is still found.
func TestOpIndex(t *testing.T) {
	check(t, func(t *rapid.T, rng source) {
		var x opIndex
		want := map[string]int{}
		for i := range rng.IntN(300) {
			id := []string{"", "p"}[rng.IntN(2)] + itoa(rng.IntN(10)*[]int{1, 7, 900, 100_000_000}[rng.IntN(4)]+rng.IntN(400))
			index, ok := x.get(&event{op: id, number: numberOf(id)})
			if was, known := want[id]; known != ok || known && was != index {
				t.Fatalf("get(%s) = %d, %v; want %d, %v", id, index, ok, was, known)
			}
			if !ok {
				want[id] = i
				x.put(&event{op: id, number: numberOf(id)}, i)
			}
		}
	})
}

func TestReadingFails(t *testing.T) {
	broken := errors.New("the disk is on fire")
	src := io.MultiReader(strings.NewReader("[1] call add(1)\n"), iotest.ErrReader(broken))
	if _, err := ReadLog(src, "x.log", testSignature(t)); !errors.Is(err, broken) || !strings.Contains(err.Error(), "reading x.log after line 1") {
		t.Errorf("got %v, want %v", err, broken)
	}
	src = io.MultiReader(strings.NewReader("[1] call ad(1)\n"), iotest.ErrReader(broken))
	if _, err := ReadLog(src, "x.log", testSignature(t)); err == nil || errors.Is(err, broken) {
		t.Errorf("got %v, want what is wrong with line 1", err)
	}
	// What there is of a line that could not be read to its end is not looked at, nor is the log said to end there.
	for _, cut := range []string{"[1] return\n[2] ca", `{"op":2,`} {
		r := NewReader(io.MultiReader(strings.NewReader("[1] call add(1)\n"+cut), iotest.ErrReader(broken)), "x.log")
		r.Growing = true
		if _, err := r.Execution(testSignature(t)); !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want %v", cut, err, broken)
		}
	}
}

// sized is a reader that claims to have so many bytes.
type sized struct {
	io.Reader
	size int
}

func (s sized) Len() int { return s.size }

// A log is read to its end in whatever pieces it comes, also if it is longer or
// shorter than it seemed to be.
func TestLoadInPieces(t *testing.T) {
	for _, n := range []int{1, 100, 64 << 10, 64<<10 + 1, 200_000} {
		log := "[1] call add(" + strings.Repeat("x", n)
		for name, piece := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "end with data": iotest.DataErrReader,
			"bytes": func(r io.Reader) io.Reader { return io.MultiReader(iotest.OneByteReader(io.LimitReader(r, 200)), r) },
		} {
			for _, size := range []int{0, 1, len(log) - 1, len(log), len(log) + 1, 2 * len(log)} {
				r := NewReader(sized{piece(strings.NewReader(log)), size}, "x.log")
				if r.load(); !r.loaded || r.src != log {
					t.Errorf("%s of %d bytes, which seem to be %d: %d bytes, %v", name, len(log), size, len(r.src), r.loaded)
				}
			}
		}
	}
}

// A file takes as much memory as it has bytes.
func TestLoadAllocatesOnce(t *testing.T) {
	log := strings.Repeat("[1] call add(1)\n", 1<<16)
	file := filepath.Join(t.TempDir(), "x.log")
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(5, func() {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := NewReader(f, "x.log")
		if r.load(); r.src != log {
			t.Fatalf("%d bytes", len(r.src))
		}
	})
	if n > 20 {
		t.Errorf("%v allocations", n)
	}
}

// What is no log by its first character is not read further than it takes to say
// so.
func TestLoadNoLog(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("no log\n"), iotest.ErrReader(io.ErrNoProgress))
	_, err := ReadLog(endless, "x.log", testSignature(t))
	if err == nil || !strings.HasPrefix(err.Error(), `x.log:1:1: expected "[ID]`) {
		t.Error(err)
	}
}

// stubborn is a visitor that says no to one event, and then must see no other.
type stubborn struct {
	t     *testing.T
	after int
}

func (s *stubborn) event() bool {
	if s.after--; s.after < -1 {
		s.t.Error("visited after the visitor said no")
	}
	return s.after >= 0
}

func (s *stubborn) Call(int, []string) bool                 { return s.event() }
func (s *stubborn) Return(int, int, Outcome, []string) bool { return s.event() }

func TestVisitorSaysNo(t *testing.T) {
	var log bytes.Buffer
	if err := WriteText(&log, longExecution(20, false)); err != nil {
		t.Fatal(err)
	}
	for n := range 40 {
		if NewReader(strings.NewReader(log.String()), "x.log").Visit(testSignature(t), &stubborn{t, n}) {
			t.Errorf("visited to the end, although the visitor said no after %d events", n)
		}
	}
	if !NewReader(strings.NewReader(log.String()), "x.log").Visit(testSignature(t), &stubborn{t, 41}) {
		t.Error("not visited to the end")
	}
}

func TestFollowForgets(t *testing.T) {
	const log = "[1] call add(1)\n[1] return\n[1] call remove\n[1] return 1\n"
	e, err := followed(NewReader(strings.NewReader(log), "x.log"), testSignature(t))
	if err != nil || e.String() != "add(1); remove => 1" {
		t.Errorf("%v, %v", e, err)
	}
	for src, want := range map[string]string{
		"[1] call add(1)\n[1] call add(2)":       "x.log:2:1: operation 1 is called twice; the first call is on line 1",
		"[1] call add(1)\n[1] return\n[1]return": "x.log:3:1: operation 1 returns, but it was not called, or returned before",
	} {
		if _, err := followed(NewReader(strings.NewReader(src), "x.log"), testSignature(t)); fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A log that is being written may end anywhere, but not in the middle of a line.
func TestGrowing(t *testing.T) {
	sig := testSignature(t)
	grown := func(src string) error {
		r := NewReader(strings.NewReader(src), "x.log")
		r.Growing = true
		_, err := followed(r, sig)
		return err
	}
	const log = "[1] call add(grün)\r\n  [1] return\n# end\n{"
	for n := range len(log) {
		err := grown(log[:n])
		line := log[strings.LastIndexByte(log[:n], '\n')+1 : n]
		whole := strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
		if whole != (err == nil) || !whole && !strings.Contains(err.Error(), "the log ends in the middle of this line") && !strings.Contains(err.Error(), "not UTF-8") {
			t.Errorf("%q: %v", log[:n], err)
		}
	}
	if err := grown("\n  [1] call ä"); err == nil || err.Error() != "x.log:2:13: the log ends in the middle of this line" {
		t.Error(err)
	}
}

// Reading allocates next to nothing for an event.
func TestReadingAllocatesLittle(t *testing.T) {
	var log bytes.Buffer
	if err := WriteText(&log, longExecution(20_000, false)); err != nil {
		t.Fatal(err)
	}
	sig := testSignature(t)
	n := testing.AllocsPerRun(3, func() {
		if _, err := ReadLog(bytes.NewReader(log.Bytes()), "x.log", sig); err != nil {
			t.Fatal(err)
		}
	})
	if n > 40_000/100 {
		t.Errorf("%v allocations for 40,000 events", n)
	}
}

// Reading JSON Lines allocates next to nothing for an event, times or not.
func TestReadingJSONAllocatesLittle(t *testing.T) {
	var log bytes.Buffer
	if err := WriteJSON(&log, longExecution(5_000, false)); err != nil {
		t.Fatal(err)
	}
	sig := testSignature(t)
	for name, src := range map[string]string{"without times": log.String(), "with times": withTimes(log.String())} {
		if n := testing.AllocsPerRun(3, func() {
			if _, err := ReadLog(strings.NewReader(src), "x.log", sig); err != nil {
				t.Fatal(err)
			}
		}); n > 10_000/100 {
			t.Errorf("%s: %v allocations for 10,000 events", name, n)
		}
		if n := testing.AllocsPerRun(3, func() {
			if !NewReader(strings.NewReader(src), "x.log").Visit(sig, nobody{}) {
				t.Fatal("not visited")
			}
		}); n > 100 {
			t.Errorf("%s: %v allocations for a visit of 10,000 events", name, n)
		}
	}
}

// withTimes gives the events of a log times, each two of them the same.
func withTimes(src string) string {
	var b strings.Builder
	for i, line := range strings.SplitAfter(src, "\n") {
		if i > 0 && line != "" { // the first is the object
			line = line[:len(line)-2] + `,"time":` + itoa(1_754_300_000+i/2) + "}\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func FuzzReadingText(f *testing.F) {
	f.Add("[1] call add(1)\n[2] call swap(a, b)\n[1] return\n[2] return full, 5\n[3] call pop()\n[3] return -")
	f.Add("[1] call add(1)\n[2] call swap(a, b)\n[1] return _\n[3] call remove\n[2] return full, _\n[3] return _")
	f.Add("# @object q\r\n  [x:1] call has(a.b)\r\n  [x:1] return true\r\n[007] call remove\n[7] call remove\n[007] return 1:2")
	sig := testSignature(f)
	f.Fuzz(func(t *testing.T, src string) { sameReading(t, src, sig) })
}

func FuzzReadingJSON(f *testing.F) {
	f.Add(`{"op":1,"event":"call","method":"add","args":[1],"time":1}` + "\n" + `{"op":2,"event":"call","method":"swap","args":["a",true]}` + "\n" + `{"op":1,"event":"return","time":1}` + "\n" + `{"op":2,"event":"return","rets":["full",5.0]}`)
	f.Add("# @object q\r\n" + ` { "event": "call", "op": "x:1", "process": "p", "method": "pop" }` + "\r\n" + `{"process":"p","op":"x:1","event":"return","rets":[null],"method":"remove"}`)
	f.Add(`{"time":5,"op":1,"event":"return"}` + "\n" + `{"time":5.0,"op":1,"event":"call","method":"add","args":["\u0031"]}` + "\n" + `{"time":4,"op":2,"event":"call","method":"pop"}`)
	f.Add(`{"format":2}` + "\n" + `{"op":1,"event":"call","method":"remove"}` + "\n" + `{"op":1,"event":"return","outcome":"nil"}`)
	f.Add(`{"op":1,"event":"call","method":"add","args":["empty"]}` + "\n" + `{"op":2,"event":"call","method":"remove"}` + "\n" + `{"op":2,"event":"return","rets":["empty"]}`)
	f.Add(`{"op":-1,"event":"call","method":"has","args":[1e5]}` + "\n" + `{"op":-1,"event":"return","rets":[false]}` + "\n[1] return")
	sig := testSignature(f)
	f.Fuzz(func(t *testing.T, src string) {
		onlyJSON(t, src)
		sameReading(t, src, sig)
	})
}
