package history

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// collector makes an execution of a visit, without identifiers and places.
type collector struct {
	sig Signature
	e   Execution
}

func valuesOf(texts []string) (vs []Value) {
	for _, s := range texts {
		vs = append(vs, Value(s))
	}
	return vs
}

func (c *collector) Call(method int, args []string) bool {
	l := Label{Kind: Kind{Method: c.sig.Methods()[method].Name}, Args: valuesOf(args)}
	c.e.Ops = append(c.e.Ops, Operation{Label: l, Call: c.e.Events, Return: NoReturn})
	c.e.Events++
	return true
}

func (c *collector) Return(op int, outcome Outcome, rets []string) bool {
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

// sameVisit visits a log, and tells whether that went to the end. If so, what was
// visited is what is read with care.
func sameVisit(t rapid.TB, src string, sig Signature) bool {
	t.Helper()
	c := collector{sig: sig}
	if !Visit(src, sig, &c) {
		return false
	}
	r := NewReader(strings.NewReader(src), "x.log")
	r.careful = true
	want, err := Collect(r, sig)
	if err != nil {
		t.Fatalf("%q: visited, although %v", src, err)
	}
	if len(want.Ops) > 0 && !reflect.DeepEqual(bare(want), c.e) {
		t.Fatalf("%q: visited\n%v\nread\n%v", src, c.e.String(), want)
	}
	return true
}

// afterwards is a comment so long that quick lines may come before it.
var afterwards = "\n" + strings.Repeat("#", quickRoom)

func TestVisit(t *testing.T) {
	sig := testSignature(t)
	visited := 0
	check(t, func(t *rapid.T, rng source) {
		src := randomLog(rng)
		short, long := sameVisit(t, src, sig), sameVisit(t, src+afterwards, sig)
		if short != long {
			t.Fatalf("%q: visited: %v, with a comment after it: %v", src, short, long)
		}
		if long {
			visited++
		}
	})
	if !t.Failed() && visited < 10 {
		t.Errorf("only %d logs were visited", visited)
	}
}

// Most logs that programs write are visited to the end, and none that is wrong.
func TestVisitWritten(t *testing.T) {
	sig := testSignature(t)
	logs, visited := 0, 0
	check(t, func(t *rapid.T, rng source) {
		logs++
		var log bytes.Buffer
		if err := WriteText(&log, longExecution(rng.IntN(40), rng.IntN(2) == 0)); err != nil {
			t.Fatal(err)
		}
		src := []byte(log.String() + afterwards)
		for range rng.IntN(3) { // change something
			from, to, n := rng.IntN(log.Len()), rng.IntN(log.Len()), rng.IntN(3)
			copy(src[to:], src[from:][:n])
		}
		if sameVisit(t, string(src), sig) {
			visited++
		}
	})
	if !t.Failed() && visited < logs/8 {
		t.Errorf("only %d of %d logs were visited", visited, logs)
	}
}

// Event by event, more logs are visited, to the same end.
func TestVisitEvents(t *testing.T) {
	sig := testSignature(t)
	check(t, func(t *rapid.T, rng source) {
		src := randomLog(rng)
		var lines, events collector
		lines.sig, events.sig = sig, sig
		if !VisitEvents(NewReader(strings.NewReader(src), "x.log"), sig, &events) {
			if Visit(src, sig, &lines) {
				t.Fatalf("%q is visited by lines only", src)
			}
			return
		}
		want, err := ReadExecution(strings.NewReader(src), "x.log", sig)
		if err != nil {
			t.Fatalf("%q: visited, although %v", src, err)
		}
		if len(want.Ops) > 0 && !reflect.DeepEqual(bare(want), events.e) {
			t.Fatalf("%q: visited\n%v\nread\n%v", src, events.e.String(), want)
		}
	})
}

func TestVisitEventsOfProcesses(t *testing.T) {
	sig := testSignature(t)
	for returns, want := range map[string]bool{"": true, `,"process":1`: true, `,"process":2`: false, `,"method":"push"`: true, `,"method":"pop"`: false, `,"method":"ad"`: false} {
		src := `{"op":1,"event":"call","method":"add","args":[1],"process":1}` + "\n" + `{"op":1,"event":"return"` + returns + "}\n"
		if got := VisitEvents(NewReader(strings.NewReader(src), "x.log"), sig, &collector{sig: sig}); got != want {
			t.Errorf("%s: visited to the end: %v, want %v", src, got, want)
		}
		if got := Visit(src, sig, &collector{sig: sig}); got != want {
			t.Errorf("%s: visited by lines to the end: %v, want %v", src, got, want)
		}
	}
}

func TestVisitPlain(t *testing.T) {
	sig := testSignature(t)
	const plain = "# @object queue\n\n# comment\n[1] call push(1)\n[a] call pop()\n[1] return\r\n[a] return 1\n"
	c := collector{sig: sig}
	if !Visit(plain, sig, &c) || c.e.String() != "add(1); remove => 1" {
		t.Errorf("visited %s", c.e.String())
	}
	for name, src := range map[string]string{
		"second object": plain + "# @object stack\n", "second return": plain + "[1] return\n", "second call": plain + "[1] call pop\n", "bad comment": "# \xff\n",
		"long line": "[1] call add(" + strings.Repeat("x", maxPlainLine) + ")", "long comment": "#" + strings.Repeat("x", maxPlainLine), "JSON": "{}", "wrong result": "[1] call add(1)\n[1] return 1\n",
	} {
		if Visit(src, sig, &collector{sig: sig}) || Visit(src+afterwards, sig, &collector{sig: sig}) {
			t.Errorf("%s: visited to the end", name)
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
func TestReadTextInPieces(t *testing.T) {
	for _, n := range []int{1, 100, 64 << 10, 64<<10 + 1, 200_000} {
		log := "[1] call add(" + strings.Repeat("x", n)
		for name, piece := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "end with data": iotest.DataErrReader,
			"bytes": func(r io.Reader) io.Reader { return io.MultiReader(iotest.OneByteReader(io.LimitReader(r, 200)), r) },
		} {
			for _, size := range []int{0, 1, len(log) - 1, len(log), len(log) + 1, 2 * len(log)} {
				if src, _, ok := ReadText(sized{piece(strings.NewReader(log)), size}); !ok || src != log {
					t.Errorf("%s of %d bytes, which seem to be %d: %d bytes, %v", name, len(log), size, len(src), ok)
				}
			}
		}
	}
}

// A file takes as much memory as it has bytes.
func TestReadTextAllocatesOnce(t *testing.T) {
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
		if src, _, ok := ReadText(f); !ok || src != log {
			t.Fatalf("%d bytes, %v", len(src), ok)
		}
	})
	if n > 20 {
		t.Errorf("%v allocations", n)
	}
}

func TestReadText(t *testing.T) {
	for _, log := range []string{"[1] call a", "{}"} {
		if src, _, ok := ReadText(strings.NewReader(log)); !ok || src != log {
			t.Errorf("%q, %v", src, ok)
		}
	}
	for name, r := range map[string]io.Reader{"neither": strings.NewReader("\n{}"), "broken": io.MultiReader(strings.NewReader("\n{}"), iotest.ErrReader(io.ErrNoProgress))} {
		src, rest, ok := ReadText(r)
		all, err := io.ReadAll(rest)
		if ok || src != "" || string(all) != "\n{}" || (err == io.ErrNoProgress) != (name == "broken") {
			t.Errorf("%s: %q, %v, rest %q, %v", name, src, ok, all, err)
		}
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

func (s *stubborn) Call(int, []string) bool            { return s.event() }
func (s *stubborn) Return(int, Outcome, []string) bool { return s.event() }

func TestVisitorSaysNo(t *testing.T) {
	var log bytes.Buffer
	if err := WriteText(&log, longExecution(20, false)); err != nil {
		t.Fatal(err)
	}
	for n := range 40 {
		if Visit(log.String()+afterwards, testSignature(t), &stubborn{t, n}) {
			t.Errorf("visited to the end, although the visitor said no after %d events", n)
		}
	}
	if !Visit(log.String(), testSignature(t), &stubborn{t, 40}) {
		t.Error("not visited to the end")
	}
}

func FuzzVisit(f *testing.F) {
	f.Add("# @object q\n[1] call add(1)\n[2] call remove()\n[3] call add(2)\n[3] return\n[1] return\n[2] return 1\n")
	f.Add("[1] call swap(1, 2)\n[x] call has(a)\r\n[2] call has(b)\n[2] return true\n[1] return full, 2\n[2] return false\n")
	sig := testSignature(f)
	f.Fuzz(func(t *testing.T, src string) {
		if sameVisit(t, src, sig) != sameVisit(t, src+afterwards, sig) {
			t.Fatalf("%q: a comment after it makes a difference", src)
		}
	})
}
