package history_test

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

// TestImportedGrows: what reading an imported log allocates grows with its length, and
// not with the square of it.
func TestImportedGrows(t *testing.T) {
	allocated := func(ops int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := &history.Event{}
		n := 0
		r := history.NewImported(func() (*history.Event, error) {
			if n++; n > 2*ops {
				return nil, io.EOF
			}
			*e = history.Event{Call: n%2 == 1, Op: strconv.Itoa((n + 1) / 2), Method: "add", Values: e.Values[:0]}
			if e.Call {
				e.Values = append(e.Values, "x")
			}
			return e, nil
		})
		sig, err := history.NewSignature(history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}})
		if err != nil {
			t.Fatal(err)
		}
		es, err := r.Executions(sig)
		if err != nil || len(es) != 1 || len(es[0].Ops) != ops {
			t.Fatal(len(es), err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if small, large := allocated(20_000), allocated(160_000); large > 12*small {
		t.Errorf("8 times the operations take %.1f times the bytes", large/small)
	}
}

// TestEvents: a log in two parts, cut anywhere, has the events of the whole.
func TestEvents(t *testing.T) {
	sig, err := history.NewSignature(
		history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		history.MethodSig{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}})
	if err != nil {
		t.Fatal(err)
	}
	events := func(text string, lines int) (all []string) {
		for e, err := range history.NewReader(strings.NewReader(text), "x.log").Events(sig) {
			if err != nil {
				return append(all, err.Error())
			}
			all = append(all, fmt.Sprintf("%s %t %s %v %s %d %t %d", e.Op, e.Call, e.Method, e.Values, e.Object, e.Time, e.Timed, e.Pos.Line+lines))
		}
		return all
	}
	const head = `{"format": 2}` + "\n"
	for name, tt := range map[string]struct {
		head, log string
		want      []string
	}{
		"text": {"", "[a] call add(x)\n\n[b] call remove\n# and\n[a] return\n[b] return x\n", []string{
			"a true add [x]  0 false 1", "b true remove []  0 false 3", "a false  []  0 false 5", "b false  []  0 false 6"}},
		"JSON": {head, `{"op":1,"object":"q","event":"call","method":"add","args":["x"],"time":7}
{"op":1,"object":"r","event":"return","time":8}
{"op":1,"object":"r","event":"call","method":"remove","time":8}
`, []string{"1 true add [x] q 7 true 2", "1 true remove [] r 8 true 4", "1 false  [] r 8 true 3"}},
		"a method that nobody knows": {"", "[a] call push(x)\n", []string{`x.log:1:10: unknown method "push"; the methods are add, remove`}},
		"an argument too many":       {"", "[a] call remove(x)\n", []string{"x.log:1:17: remove takes no arguments, not 1"}},
		"a time with a point":        {head, `{"op":1,"event":"return","time":1.5}`, []string{"x.log:2:1: time 1.5 is no whole number, by which parts of a log could be ordered"}},
	} {
		if diff := cmp.Diff(tt.want, events(tt.head+tt.log, 0)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(tt.want) == 1 || tt.head != "" {
			continue
		}
		lines := strings.SplitAfter(tt.log, "\n")
		for i := range lines {
			parts := append(events(tt.head+strings.Join(lines[:i], ""), 0), events(tt.head+strings.Join(lines[i:], ""), i)...)
			if diff := cmp.Diff(tt.want, parts); diff != "" {
				t.Errorf("%s, cut after line %d: %s", name, i, diff)
			}
		}
	}
}
