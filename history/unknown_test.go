package history_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

func openSignature(t *testing.T) history.Signature {
	t.Helper()
	sig, err := history.NewSignature(
		history.MethodSig{Name: "poll", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
		history.MethodSig{Name: "take", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: "ErrPart", Rets: 1, Error: "partial"}, {Outcome: "ErrShut", Error: "shut"}}},
		history.MethodSig{Name: "pair", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

// TestUnknownKept: what nobody knows, errors beside values and results as in Go survive conversion into every format, and
// what only looks like them does.
func TestUnknownKept(t *testing.T) {
	sig := openSignature(t)
	const src = "[1] call poll(_)\n[1] return _\n[2] call poll(\"_\")\n[2] return \"_\"\n[3] call poll(3)\n[3] return 7, true\n[4] call poll(4)\n[4] return 0, false\n" +
		"[5] call take\n[5] return 3, error: partial\n[6] call take\n[6] return 3, error\n[7] call take\n[7] return error: in 3: shut\n[8] call take\n[8] return ErrPart, _\n" +
		"[9] call pair\n[9] return 1, error\n[10] call pair\n[10] return \"error: x\", \"_\"\n[11] call take\n[12] call take\n[11] return _\n"
	read := func(text string) *history.Execution {
		t.Helper()
		e, err := history.NewReader(strings.NewReader(text), "x").Execution(sig)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range e.Ops {
			e.Ops[i].CallPos, e.Ops[i].ReturnPos = history.Pos{}, history.Pos{}
		}
		if (e.Tail == "") || (e.Rest == "") {
			t.Errorf("tail %q, rest %q", e.Tail, e.Rest)
		}
		e.Tail, e.Rest = "", ""
		return e
	}
	want := read(src)
	if n := len(want.Unknown); n != 2 || want.Unknown[1] != [2]int{10, want.Events} {
		t.Errorf("unknown: %v of %d events", want.Unknown, want.Events)
	}
	formats := map[string]history.Format{"text": history.Text, "JSON": history.JSON, "binary": history.Binary}
	for name, to := range formats {
		var once bytes.Buffer
		if err := history.NewReader(strings.NewReader(src), "x").Convert(context.Background(), &once, to); err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(want, read(once.String())); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, once.String())
		}
		for again, to := range formats {
			var twice bytes.Buffer
			if err := history.NewReader(strings.NewReader(once.String()), "x").Convert(context.Background(), &twice, to); err != nil {
				t.Fatal(name, again, err)
			}
			if diff := cmp.Diff(want, read(twice.String())); diff != "" {
				t.Errorf("%s, %s: %s\n%s", name, again, diff, twice.String())
			}
		}
	}
	var b strings.Builder
	whole, err := history.NewReader(strings.NewReader(src), "x").Execution(sig)
	if err == nil {
		err = history.WriteJSON(&b, whole)
	}
	if got, bad := history.NewReader(strings.NewReader(b.String()), "x").Execution(sig); err != nil || bad != nil || cmp.Diff(whole.Unknown, got.Unknown) != "" {
		t.Errorf("%v, %v: %v, want %v\n%s", err, bad, got.Unknown, whole.Unknown, b.String())
	}
}

// TestOpenFormat reads what is new in format 3 of JSON Lines, and what is refused there.
func TestOpenFormat(t *testing.T) {
	sig := openSignature(t)
	call := func(method string) string { return `{"op":1,"event":"call","method":"` + method + `"}` + "\n" }
	ret := func(fields string) string { return `{"op":1,"event":"return"` + fields + `}` + "\n" }
	for _, tt := range []struct{ log, want string }{
		{`{"format":3}` + "\n" + call("take") + ret(`,"unknown":true`), "take*"},
		{`{"format":3}` + "\n" + call("take") + ret(`,"rets":[{"unknown":true}]`), "take*"},
		{`{"format":3}` + "\n" + call("take") + ret(`,"error":"shut"`), "take => ErrShut"},
		{`{"format":3}` + "\n" + call("take") + ret(`,"rets":[3],"error":"partial"`), "take => ErrPart 3"},
		{`{"format":3}` + "\n" + call("take") + ret(`,"rets":["shut"],"error":null`), "take => shut"},
		{`{"format":2}` + "\n" + call("take") + `{"format":3}` + "\n" + ret(`,"error":"shut"`), "take => ErrShut"},
		{`{"format":2}` + "\n" + call("take") + ret(`,"rets":[{"unknown":true}],"unknown":false`), `take => {"unknown":true}`},
		{`{"format":2}` + "\n" + call("take") + ret(`,"error":"shut"`), "take => ErrShut"},
		{call("take") + `{"format":3}` + "\n", `x:2:2: "format" must come before the first event`},
		{`{"format":3}` + "\n" + call("take") + ret(`,"unknown":false`), `x:3:26: field "unknown" is true, where nobody knows what a call returned`},
		{`{"format":3}` + "\n" + call("take") + ret(`,"unknown":true,"rets":[3]`), `x:3:1: a return has either "unknown", or an "outcome", or an "error" and the values beside it in "rets"`},
		{`{"format":3}` + "\n" + call("take") + ret(`,"outcome":"ErrShut","error":"shut"`), `x:3:1: a return has either "unknown", or an "outcome", or an "error" and the values beside it in "rets"`},
		{`{"format":3}` + "\n" + call("take") + ret(`,"error":7`), `x:3:34: field "error" is the text of an error, or null`},
		{`{"format":3}` + "\n" + `{"op":1,"event":"call","method":"poll","args":[{"unknown":true}]}`, `x:2:40: {"unknown": true} is an answer that nobody knows; arguments are known`},
		{`{"format":3}` + "\n" + `{"op":1,"event":"call","method":"take","error":"x"}`, `x:2:40: a call has no "error"`},
		{`{"format":3}` + "\n" + `{"op":1,"event":"call","method":"take","unknown":true}`, `x:2:40: a call has no "unknown"`},
		{`{"format":3}` + "\n" + `{"error":"x"}`, `x:2:1: field "op" is missing`},
	} {
		e, err := history.NewReader(strings.NewReader(tt.log), "x").Execution(sig)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = e.String()
		}
		if got != tt.want {
			t.Errorf("%sgot  %s\nwant %s", tt.log, got, tt.want)
		}
	}
}
