package history

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Numbers as logs write them, compared and rounded as big.Rat does.
func TestDecimals(t *testing.T) {
	check(t, func(t *rapid.T, rng source) {
		number := func() string {
			s := []string{"", "-"}[rng.IntN(2)] + itoa([]int{0, 7, 100, 1754300000, math.MaxInt64, 120}[rng.IntN(6)])
			s += []string{"", "", ".0", ".50", ".000125"}[rng.IntN(5)]
			return s + []string{"", "", "e3", "E-2", "e+0", "e-20"}[rng.IntN(6)]
		}
		a, b := number(), number()
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got := compareTimes(a, b); got != x.Cmp(y) {
			t.Fatalf("%s against %s: %d", a, b, got)
		}
		scale := rng.IntN(10)
		x.Mul(x, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
		want := new(big.Int).Div(x.Num(), x.Denom())
		n, ok := newDecimal(a).floor(scale)
		if fits := want.CmpAbs(big.NewInt(math.MaxInt64)) <= 0; ok && n != want.Int64() || !ok && fits {
			t.Fatalf("%s, in 10^%d: %d, %v, want %v", a, scale, n, ok, want)
		}
	})
}

func TestDecimalsOutOfRange(t *testing.T) {
	for _, order := range [][2]string{{"1e99999999999999999999", "1e5"}, {"0", "1e-99999999999999999999"}, {"-1e400", "-1e308"}} {
		a, b := order[0], order[1]
		if got := compareTimes(a, b); got == 0 || got != -compareTimes(b, a) || got != compareTimes(strings.ToUpper(a), b) {
			t.Errorf("%s against %s: %d", a, b, got)
		}
	}
	if _, ok := newDecimal("1e99999999999999999999").floor(0); ok {
		t.Error("infinity in nanoseconds")
	}
}

// timed is an event with its time.
type timed struct {
	op   int
	call bool
	at   int // in tenths of a unit
	line int
}

// randomTimed draws events, of each operation its call and perhaps a return, in any
// order, and the log that has them.
func randomTimed(rng source, unit string) (events []timed, src string) {
	for op := range rng.IntN(7) {
		call := rng.IntN(40)
		events = append(events, timed{op: op, call: true, at: call})
		if rng.IntN(5) > 0 {
			events = append(events, timed{op: op, at: call + rng.IntN(12)})
		}
	}
	var b strings.Builder
	if unit != "" {
		fmt.Fprintf(&b, "{\"time\":%q}\n", unit)
	}
	order := perm(rng, len(events))
	shuffled := make([]timed, len(events))
	for i, e := range events {
		shuffled[order[i]] = e
	}
	for i, e := range shuffled {
		shuffled[i].line = strings.Count(b.String(), "\n") + 1
		what := `"call","method":"add","args":[1]`
		if !e.call {
			what = `"return"`
		}
		fmt.Fprintf(&b, `{"op":%d,"time":%d.%d,"event":%s}`+"\n", e.op, e.at/10, e.at%10, what)
	}
	return shuffled, b.String()
}

// lines are where the events of an execution are.
func lineNumbers(e *Execution) []int {
	var ns []int
	for _, p := range places(e) {
		ns = append(ns, p.Line)
	}
	return ns
}

// A log in any order is that of its events sorted by time, calls first, and else as in
// the file.
func TestUnsortedLogs(t *testing.T) {
	sig := testSignature(t)
	check(t, func(t *rapid.T, rng source) {
		events, src := randomTimed(rng, "")
		var want []int
		for at := range 60 {
			for _, call := range []bool{true, false} {
				for _, e := range events {
					if e.at == at && e.call == call {
						want = append(want, e.line)
					}
				}
			}
		}
		e, err := ReadLog(strings.NewReader(src), "x.jsonl", sig)
		if err != nil {
			t.Fatalf("%s%v", src, err)
		}
		if d := cmp.Diff(want, lineNumbers(e)); len(want) > 0 && d != "" {
			t.Fatalf("%s%s", src, d)
		}
		r := NewReader(strings.NewReader(src), "x.jsonl")
		r.Sort = true
		var text strings.Builder
		if err := r.Convert(t.Context(), &text, Text); err != nil {
			t.Fatal(err)
		}
		copied, err := ReadLog(strings.NewReader(text.String()), "x.log", sig)
		if d := cmp.Diff(e, copied, noPlaces); err != nil || d != "" {
			t.Fatalf("%s%v%s", src, err, d)
		}
	})
}

// With a skew one operation happens before another one if so much time is between
// them that it is so by all clocks.
func TestSkew(t *testing.T) {
	sig := testSignature(t)
	fewer := 0
	check(t, func(t *rapid.T, rng source) {
		unit := []string{"s", "ms", "us"}[rng.IntN(3)]
		tenth := map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond}[unit] / 10
		events, src := randomTimed(rng, unit)
		skew := rng.IntN(8)
		r := NewReader(strings.NewReader(src), "x.jsonl")
		r.Skew = time.Duration(skew) * tenth
		e, err := r.Execution(sig)
		if err != nil {
			t.Fatal(err)
		}
		calls, returns := map[string]int{}, map[string]int{}
		for _, ev := range events {
			if ev.call {
				calls[itoa(ev.op)] = ev.at
			} else {
				returns[itoa(ev.op)] = ev.at
			}
		}
		for i := range e.Ops {
			for j := range e.Ops {
				s, returned := returns[e.Ops[i].ID]
				want := returned && s+skew < calls[e.Ops[j].ID]-skew
				if got := e.Before(i, j); got != want && (i != j) {
					t.Fatalf("%swith %v: %s before %s: %v", src, r.Skew, e.Ops[i].ID, e.Ops[j].ID, got)
				}
				if returned && s < calls[e.Ops[j].ID] && !want {
					fewer++
				}
			}
		}
	})
	if !t.Failed() && fewer == 0 {
		t.Error("the skew never mattered")
	}
}

func TestTimesThatCannotBeSorted(t *testing.T) {
	const call, ret = `{"op":1,"event":"call","method":"add","args":[1]`, `{"op":1,"event":"return"`
	for _, tt := range []struct {
		name, src string
		skew      time.Duration
		want      string
	}{
		{"returns before its call", ret + `,"time":3}` + "\n" + call + `,"time":7}`, 0,
			"x.jsonl:1:1: operation 1 returns, but it was not called; its call comes later, at x.jsonl:2:1, at time 7, and this is time 3"},
		{"unsorted, returns before its call", call + `,"time":7}` + "\n" + ret + `,"time":3}`, 0,
			"x.jsonl:2:1: operation 1 returns, but it was not called; its call comes later, at x.jsonl:1:1, at time 7, and this is time 3"},
		{"some without", call + `,"time":7}` + "\n" + ret + "}\n" + strings.Replace(call, "1", "2", 1) + `,"time":3}`, 0,
			"x.jsonl:2:1: the event has no time, and those of other lines go back"},
		{"skew and no unit", call + `,"time":7}`, 1, "x.jsonl:1:1: the unit of times is not known, which a clock skew needs"},
		{"skew and some without", `{"time":"s"}` + "\n" + call + `,"time":7}` + "\n" + ret + "}", 1, "x.jsonl:3:1: the event has no time, and a clock skew is about the times of all events"},
		{"skew and text", "[1] call add(1)", 1, "x.jsonl:1:1: the event has no time, and a clock skew"},
		{"skew and large times", `{"time":"s"}` + "\n" + call + `,"time":17543000000000}`, 1, "x.jsonl:2:1: time 17543000000000 is more than"},
		{"negative", call + `,"time":7}`, -1, "history: the clock skew is -1ns, but must not be negative"},
		{"malformed", call + `,"time":7}` + "\n" + ret + `,"time":3}` + "\n{", 0, "x.jsonl:3:2: the JSON object is not complete"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(tt.src), "x.jsonl")
			r.Skew = tt.skew
			_, err := r.Execution(testSignature(t))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if tt.skew != 0 {
				if _, err := followed(NewReader(strings.NewReader(tt.src), "x.jsonl"), testSignature(t)); isUnsorted(err) {
					t.Errorf("followed: %v", err)
				}
			}
		})
	}
}

// Times at the ends of what there is stay there, and a log with a skew cannot be followed.
func TestSkewAtTheEnds(t *testing.T) {
	events := fmt.Sprintf(`{"time":"ns"}
{"op":1,"event":"call","method":"add","args":[1],"time":%d}
{"op":1,"event":"return","time":%d}
`, math.MinInt64+1, math.MaxInt64)
	r := NewReader(strings.NewReader(events), "x.jsonl")
	r.Skew = math.MaxInt64
	e, err := r.Execution(testSignature(t))
	if err != nil || !slices.Equal(lineNumbers(e), []int{2, 3}) {
		t.Errorf("%v, %v", e, err)
	}
	if _, err := followed(r, testSignature(t)); err == nil || !strings.Contains(err.Error(), "cannot be followed") {
		t.Errorf("followed: %v", err)
	}
}
