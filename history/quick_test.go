package history

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// longNames are methods of which some begin alike, and some are long.
func longNames(t testing.TB) Signature {
	var ms []MethodSig
	for _, name := range []string{"a", "add", "addAll", "removeAll", "removeAny", "removeAn", strings.Repeat("x", longName), strings.Repeat("x", longName+1)} {
		ms = append(ms, MethodSig{Name: name, Args: len(ms) % 2, Outcomes: []OutcomeSig{{None, 0}, {Some, 1}, {Nil, 0}, {Error, 0}, {"full", 0}}})
	}
	sig, err := NewSignature(ms...)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func knowing(sig Signature) (q quickLines) {
	for i, m := range sig.methods {
		q.learn(m.Name, i)
	}
	return q
}

// sameLine takes the first line of src the quick way, and tells whether it could.
// If so, it must have made of it what reading with care does.
func sameLine(t rapid.TB, q *quickLines, sig Signature, src string) bool {
	t.Helper()
	number, method, value, next := q.read(src, 0)
	if next == 0 {
		return false
	}
	line, ended := strings.CutSuffix(src[:next], "\n")
	if !ended || strings.Contains(line, "\n") {
		t.Fatalf("%q: %q is no line", src, src[:next])
	}
	got := Event{Op: itoa(number), Call: method != returned}
	if got.Call {
		got.Method = sig.methods[method].Name
	}
	if value != "" && got.Call {
		got.Args = []Raw{{Text: value}}
	} else if value != "" {
		got.Rets = []Raw{{Text: value}}
	}
	careful := Reader{careful: true, format: textFormat}
	want, ok, err := careful.parse([]byte(line))
	want.Pos, want.methodCol, want.valuesCol = Pos{}, 0, 0
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Event{})); d != "" || !ok || err != nil {
		t.Fatalf("%q: with care (-, %v, %v), quick (+):\n%s", line, ok, err, d)
	}
	return true
}

func TestQuickLines(t *testing.T) {
	sig := longNames(t)
	q := knowing(sig)
	lines, taken := 0, 0
	check(t, func(t *rapid.T, rng source) {
		lines++
		pick := func(from ...string) string { return from[rng.IntN(len(from))] }
		var line string
		id := pick("1", "7", "12", "12", "345", "1234567", "1234567", []string{"12345678", "123456789", "0", "01", "x", ""}[rng.IntN(6)])
		value := pick("1", "22", "22", "12345678", "123456789", "x", "a-b:c", "error:x", "-", "full", "1.5", "5x", strings.Repeat("7", rng.IntN(60)), "a b", "\xff", "[1]", "\x00")
		if rng.IntN(2) == 0 {
			line = "[" + id + "] call " + sig.methods[rng.IntN(len(sig.methods))].Name + pick("", "()", "("+value+")", "("+value+")", "( )", "(", "x(1)", "\r(1)")
		} else {
			line = "[" + id + "] return" + pick("", "", " "+value, " "+value, " ", "s", "\t1")
		}
		line += pick("\n", "\n", "\n", "\r\n", " \n", ")\n", "") + strings.Repeat("#", min(rng.IntN(4), 1)*quickRoom)
		if rng.IntN(4) == 0 {
			i := rng.IntN(len(line))
			line = line[:i] + pick("", " ", "]", "\n", "0", "a", "(", "\xe9") + line[i+rng.IntN(2):]
		}
		if sameLine(t, &q, sig, line) {
			taken++
		}
	})
	if !t.Failed() && taken < lines/20 {
		t.Errorf("only %d of %d lines were quick", taken, lines)
	}
}

// Nearly all lines that programs write are quick, whatever their values are.
func TestMostLinesAreQuick(t *testing.T) {
	var log bytes.Buffer
	if err := WriteText(&log, longExecution(1000, false)); err != nil {
		t.Fatal(err)
	}
	sig := testSignature(t)
	q := knowing(sig)
	for name, src := range map[string]string{"numbers": log.String(), "words": strings.ReplaceAll(strings.ReplaceAll(log.String(), "add(", "add(v"), "return ", "return v")} {
		taken := 0
		for rest := src; rest != ""; _, rest, _ = strings.Cut(rest, "\n") {
			if sameLine(t, &q, sig, rest) {
				taken++
			}
		}
		if taken < 1990 {
			t.Errorf("%s: %d lines of 2000 are quick", name, taken)
		}
	}
}

func FuzzQuickLine(f *testing.F) {
	sig := longNames(f)
	room := strings.Repeat("#", quickRoom)
	for _, line := range []string{"[1] call add(1)\n", "[1234567] return 1234\n", "[12] return error:x\n", "[12] call removeAll()\n", "[9] call a\n"} {
		f.Add(line+room, uint8(7), uint8(4))
	}
	f.Fuzz(func(t *testing.T, src string, op, value uint8) {
		q := knowing(sig)
		q.opDigits, q.valueDigits = int(op%8), int(value%9)
		sameLine(t, &q, sig, src)
		if opDigits := q.opDigits; opDigits > 7 {
			t.Fatalf("%d digits", opDigits)
		}
	})
}
