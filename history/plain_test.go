package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameReading reads a log as a whole, event by event, and that without the fast
// way, which must give the same execution, or the same error.
func sameReading(t rapid.TB, src string, sig Signature) {
	t.Helper()
	got, gotErr := ReadExecution(strings.NewReader(src), "x.log", sig)
	careful := NewReader(strings.NewReader(src), "x.log")
	careful.careful = true
	want, wantErr := Collect(careful, sig)
	again, againErr := Collect(NewReader(strings.NewReader(src), "x.log"), sig)
	if fmt.Sprint(againErr) != fmt.Sprint(wantErr) {
		t.Fatalf("%q:\n%v, but with care\n%v", src, againErr, wantErr)
	}
	if d := cmp.Diff(want, again); d != "" {
		t.Fatalf("%q: with care (-), without (+):\n%s", src, d)
	}
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Fatalf("%q:\n%v, but event by event\n%v", src, gotErr, wantErr)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%q: event by event (-), as a whole (+):\n%s", src, d)
	}
}

// randomLines draws a log whose lines are plain or odd, and a few of them wrong.
func randomLines(rng source) string {
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	var b strings.Builder
	var open [][2]string // running operations with what they may return
	for k := range rng.IntN(12) {
		var line string
		switch {
		case rng.IntN(25) == 0:
			line = pick("[1] return", "[01] call add(1)", "[9] cal add(1)", "[] call pop", "[x] call swap(1, 2, 3, 4, 5)", "[y] call add(a#)", "[z] call ad(1)", "1 return")
		case len(open) > 0 && rng.IntN(2) == 0:
			i := rng.IntN(len(open))
			line = "[" + open[i][0] + pick("] return", "] return", "] return", "]return", "]  return")
			switch ret := pick(strings.Split(open[i][1], "|")...); {
			case rng.IntN(25) == 0:
				line += pick(" #", " 1,", " 1, 2, 3", " [", " 5 6")
			case ret != "":
				line += pick(" ", " ", "  ") + ret
			}
			open = append(open[:i], open[i+1:]...)
		default:
			call := [][2]string{{"add(1)", ""}, {"push( 3 )", ""}, {"add({x [1, 2]})", ""}, {"remove", "1|-|empty|null|5:6|\"-\"|gr\u00fc\u00df|error: 1"}, {"pop()", "2|-"},
				{"has(x)", "true|false"}, {"has(true)", "true"}, {"swap(1, 2)", "1, 2|full, 3|closed|error|error: no"}, {"swap(1,2)", "a,b|full,closed"}, {`swap("a", b)`, "1, \"x\""}}[rng.IntN(10)]
			id := pick("", "", "", "0", "p:", "x y", "10000000") + itoa(k)
			line = "[" + id + pick("] call ", "] call ", "] call ", "]call ", "] call  ") + call[0]
			open = append(open, [2]string{id, call[1]})
		}
		b.WriteString(pick("", "", "", "", " ", "\t") + line + pick("\n", "\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# note\n", "\n# @object q\n"))
	}
	if rng.IntN(4) == 0 {
		return b.String()[:rng.IntN(b.Len()+1)]
	}
	return b.String()
}

func TestPlainLinesAreReadAlike(t *testing.T) {
	sig := testSignature(t)
	good := 0
	check(t, func(t *rapid.T, rng source) {
		src := randomLines(rng)
		sameReading(t, src, sig)
		if e, err := ReadExecution(strings.NewReader(src), "x.log", sig); err == nil && e.Events > 1 {
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

func TestUnusualLogsAreReadAlike(t *testing.T) {
	sig := testSignature(t)
	many := make([]MethodSig, fewNames+1)
	for i := range many {
		many[i] = MethodSig{Name: "m" + itoa(i), Outcomes: []OutcomeSig{{None, 0}}}
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
			sameVisit(t, tt.src, tt.sig)
			sameVisit(t, tt.src+afterwards, tt.sig)
		})
	}
}

// The table for numbers grows; what was put elsewhere before is still found.
func TestOpIndex(t *testing.T) {
	check(t, func(t *rapid.T, rng source) {
		var x opIndex
		want := map[string]int{}
		for i := range rng.IntN(300) {
			id := []string{"", "p"}[rng.IntN(2)] + itoa(rng.IntN(10)*[]int{1, 7, 900, 100_000_000}[rng.IntN(4)]+rng.IntN(400))
			index, ok := x.get(id, numberOf(id))
			if was, known := want[id]; known != ok || known && was != index {
				t.Fatalf("get(%s) = %d, %v; want %d, %v", id, index, ok, was, known)
			}
			if !ok {
				want[id] = i
				x.put(id, numberOf(id), i)
			}
		}
	})
}

func TestReadingFails(t *testing.T) {
	broken := errors.New("the disk is on fire")
	src := io.MultiReader(strings.NewReader("[1] call add(1)\n"), iotest.ErrReader(broken))
	if _, err := ReadExecution(src, "x.log", testSignature(t)); !errors.Is(err, broken) || !strings.Contains(err.Error(), "reading x.log after line 1") {
		t.Errorf("got %v, want %v", err, broken)
	}
	src = io.MultiReader(strings.NewReader("[1] call ad(1)\n"), iotest.ErrReader(broken))
	if _, err := ReadExecution(src, "x.log", testSignature(t)); err == nil || errors.Is(err, broken) {
		t.Errorf("got %v, want what is wrong with line 1", err)
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
		if _, err := ReadExecution(bytes.NewReader(log.Bytes()), "x.log", sig); err != nil {
			t.Fatal(err)
		}
	})
	if n > 40_000/100 {
		t.Errorf("%v allocations for 40,000 events", n)
	}
}

func FuzzPlainText(f *testing.F) {
	f.Add("[1] call add(1)\n[2] call swap(a, b)\n[1] return\n[2] return full, 5\n[3] call pop()\n[3] return -")
	f.Add("# @object q\r\n  [x:1] call has(a.b)\r\n  [x:1] return true\r\n[007] call remove\n[7] call remove\n[007] return 1:2")
	sig := testSignature(f)
	f.Fuzz(func(t *testing.T, src string) { sameReading(t, src, sig) })
}
