package history

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// testSignature has a method of every kind.
func testSignature(t testing.TB) Signature {
	t.Helper()
	sig, err := NewSignature(
		MethodSig{Name: "add", Args: 1, Outcomes: []OutcomeSig{{Outcome: None, Rets: 0}}, Aliases: []string{"push", "enqueue"}},
		MethodSig{Name: "remove", Outcomes: []OutcomeSig{{Outcome: Nil, Rets: 0}, {Outcome: Some, Rets: 1}}, Aliases: []string{"pop", "dequeue"}},
		MethodSig{Name: "has", Args: 1, Outcomes: []OutcomeSig{{Outcome: True, Rets: 0}, {Outcome: False, Rets: 0}}},
		MethodSig{Name: "swap", Args: 2, Outcomes: []OutcomeSig{{Outcome: Some, Rets: 2}, {Outcome: Error, Rets: 0}, {Outcome: "full", Rets: 1}, {Outcome: "closed", Rets: 0}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func TestNewSignatureErrors(t *testing.T) {
	tests := []struct {
		name    string
		methods []MethodSig
		want    string
	}{
		{"two names", []MethodSig{{Name: "add"}, {Name: "add"}}, `"add" names two methods, add and add`},
		{"two aliases", []MethodSig{{Name: "add", Aliases: []string{"x"}}, {Name: "del", Aliases: []string{"x"}}}, `"x" names two methods, add and del`},
		{"alias and name", []MethodSig{{Name: "add", Aliases: []string{"del"}}, {Name: "del"}}, `"del" names two methods`},
		{"outcome like a value", []MethodSig{{Name: "add", Outcomes: []OutcomeSig{{Outcome: "v1", Rets: 0}}}}, `method add: outcome "v1" is not a word`},
		{"outcome empty", []MethodSig{{Name: "add", Outcomes: []OutcomeSig{{Outcome: "empty", Rets: 0}}}}, `outcome "empty" goes by the name nil`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewSignature(tt.methods...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("NewSignature = %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := NewSignature(MethodSig{Name: "add", Aliases: []string{"add"}}); err != nil {
		t.Errorf("a method may have its own name as an alias: %v", err)
	}
}

func read(t testing.TB, src string) (*Execution, error) {
	t.Helper()
	return ReadLog(strings.NewReader(src), "x.log", testSignature(t))
}

func TestReadLog(t *testing.T) {
	const stack = "add(1); remove => 1; remove*"
	tests := []struct{ name, src, want string }{
		{"empty", "", ""},
		{"comments only", "# nothing\n\n#more", ""},
		{"plain", "[1] call add(1)\n[2] call remove\n[1] return\n[2] return 1\n[3] call remove\n", stack},
		{"indented, CRLF, no last newline", "\ufeff\r\n  [1] call add(1)\r\n\t[2] call remove()\r\n[1] return\r\n\r\n[2] return 1  \r\n [3] call remove", stack},
		{"aliases", "[a] call push( 1 )\n[b c] call pop\n[a] return\n[b c] return 1\n[3] call dequeue", stack},
		{"nil words", "[1] call remove\n[1] return empty\n[2] call remove\n[2] return -\n[3]call remove\n[3] return nil\n[4] call remove\n[4] return null",
			"remove => nil; remove => nil; remove => nil; remove => nil"},
		{"quoted is a value", `[1] call remove` + "\n" + `[1] return "empty"`, "remove => empty"},
		{"booleans", "[1] call has(x)\n[2] call has(true)\n[1] return true\n[2] return false", "has(x) => true; has(true) => false"},
		{"errors and named outcomes", "[1] call swap(a, b)\n[1] return error: no, not \"here\n[2] call swap(a,b)\n[2] return full, 3\n[3] call swap(a,b)\n[3] return closed\n" +
			"[4] call swap(a,b)\n[4] return closed, d\n[5] call swap(a,b)\n[5] return error",
			"swap(a, b) => error; swap(a, b) => full 3; swap(a, b) => closed; swap(a, b) => closed, d; swap(a, b) => error"},
		{"brackets and quotes in values", `[1] call swap({x [1, 2]}, "a, \"b\"")`, `swap({x [1, 2]}, a, "b")*`},
		{"json", `{"op": 1, "event": "call", "method": "add", "args": [1]}
			# a comment
			{"op": "2", "event": "call", "method": "pop", "process": "p"}
			{"event": "return", "op": "1", "rets": []}

			{"op": 2, "event": "return", "rets": ["1"], "process": "p"}
			{"op": 3, "event": "call", "method": "remove", "args": []}`, stack},
		{"json values", `{"op":1,"event":"call","method":"swap","args":[true,null]}
			{"op":1,"event":"return","rets":[1.50,"a b"]}
			{"op":2,"event":"call","method":"remove","args":null}
			{"op":2,"event":"return","rets":[null]}
			{"op":3,"event":"call","method":"has","args":["x"]}
			{"op":3,"event":"return","rets":[false],"method":"has"}
			{"op":4,"event":"call","method":"remove"}
			{"op":4,"event":"return","outcome":"value","rets":["empty"]}`,
			"swap(true, nil) => 1.50, a b; remove => nil; has(x) => false; remove => empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := read(t, tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, e.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadLogPlaces(t *testing.T) {
	e, err := read(t, "# @object atomic-stack  \n[1] call push(a)\n  [2] call pop\n[1] return\n")
	if err != nil {
		t.Fatal(err)
	}
	want := &Execution{Object: "atomic-stack", Events: 3, Ops: []Operation{
		{ID: "1", Label: labelOf("add", None, "a", ""), Call: 0, Return: 2, CallPos: Pos{"x.log", 2, 1}, ReturnPos: Pos{"x.log", 4, 1}},
		{ID: "2", Label: labelOf("remove", Pending, "", ""), Call: 1, Return: NoReturn, CallPos: Pos{"x.log", 3, 3}},
	}}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Error(diff)
	}
}

func TestTimes(t *testing.T) {
	event := func(op, event, time string) string {
		s := `{"op":` + op + `,"event":"` + event + `","time":` + time
		if event == "call" {
			s += `,"method":"remove"`
		} else {
			s += `,"rets":[null]`
		}
		return s + "}\n"
	}
	src := event("1", "call", "0") + event("1", "return", "1754300000000000001") +
		event("2", "return", "1754300000000000002") + event("3", "call", "1754300000000000002") + event("2", "call", "1754300000000000002") +
		event("3", "return", "2e18")
	e, err := read(t, src)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, op := range e.Ops {
		got = append(got, op.Call, op.Return)
	}
	// Operations 3 and 2 overlap; both come after 1.
	if diff := cmp.Diff([]int{0, 1, 2, 5, 3, 4}, got); diff != "" || e.Ops[1].ID != "3" {
		t.Errorf("%+v\n%s", e.Ops, diff)
	}
	_, err = streamed(event("1", "call", "5")+"\n"+event("2", "call", "4.5"), testSignature(t))
	if want := "x.log:3:1: time 4.5 is before time 5 of line 1: sort the log by time"; err == nil || err.Error() != want {
		t.Errorf("times out of order: %v, want %s", err, want)
	}
}

func TestReadErrors(t *testing.T) {
	const call, ret = "[1] call remove\n", `{"op":1,"event":"call","method":"remove"}` + "\n"
	tests := []struct{ name, src, want string }{
		{"return without call", "[1] return", "1:1: operation 1 returns, but it was not called"},
		{"second return", call + "[1] return 1\n  [1] return 1", "3:3: operation 1 returns a second time; the first return is on line 2"},
		{"called twice", call + "[1] call remove", "2:1: operation 1 is called twice; the first call is on line 1"},
		{"called again", call + "[1] return 1\n[1] call remove", "3:1: operation 1 is called twice"},
		{"misspelt method", "[1] call remoev", `1:10: unknown method "remoev"; did you mean "remove"?`},
		{"unknown method", "[1] call frobnicate(1)", `1:10: unknown method "frobnicate"; the methods are add (or push, enqueue), remove (or pop, dequeue), has, swap`},
		{"too few arguments", "[1] call swap(1)", "1:15: swap takes 2 arguments, not 1"},
		{"too many arguments", "[1] call pop(1)", "1:14: remove takes no arguments, not 1"},
		{"no argument", "[1] call add", "1:1: add takes 1 argument, not 0"},
		{"value for none", "[1] call add(1)\n[1] return 7", "2:12: method add cannot return 7: it returns nothing"},
		{"nothing for a value", call + "[1] return", `2:1: method remove cannot return nothing: it returns "-" or 1 value`},
		{"too many values", call + "[1] return 1, 2", `2:12: method remove cannot return 1, 2: it returns "-" or 1 value`},
		{"no such outcome", "[1] call has(1)\n[1] return maybe", `2:12: method has cannot return maybe: it returns "true" or "false"`},
		{"many outcomes", "[1] call swap(1,2)\n[1] return true", `2:12: method swap cannot return true: it returns 2 values or "error" or "full" and 1 value or "closed"`},
		{"no bracket", "1 call add(1)", `1:1: expected "[ID] call METHOD(VALUES)"`},
		{"bracket open", "[1 call add(1)", `1:1: expected "[ID] call METHOD(VALUES)"`},
		{"empty id", "[ ] call add(1)", "1:1: the operation's identifier"},
		{"misspelt event", "[1] cal add(1)", `1:5: expected "call" or "return" after [1], not "cal"; did you mean "call"?`},
		{"no event", "[1]", `1:4: expected "call" or "return" after [1], not ""`},
		{"no method", "[1] call", "1:9: the method is missing"},
		{"no parentheses", "[1] call add 5", `1:14: arguments stand in parentheses: write "add(5)"`},
		{"parenthesis open", "[1] call add(5", `1:15: the arguments of add lack a ")"`},
		{"empty argument", "[1] call swap(5,)", "1:17: a value is missing"},
		{"after the call", "[1] call add(5) 6", `1:17: unexpected "6" after the call`},
		{"comment after a call", "[1] call add(5 # five", `1:16: a comment stands on a line of its own`},
		{"comment after a return", call + "[1] return 5 # five", `2:14: a comment stands on a line of its own`},
		{"quote open", `[1] call add("5)`, "1:14: a quoted value ends with a quote"},
		{"quote inside", `[1] call add(a"5")`, "1:15: quotes stand around a whole value"},
		{"bracket in a value", call + "[1] return a)", `2:13: unexpected ")" after the returned values`},
		{"bracket missing in a value", "[1] call add([a)", `1:16: brackets in a value come in pairs`},
		{"columns are characters", `[1] call add("grüß" 1)`, `1:21: the arguments of add lack a ")"`},
		{"json columns are characters", `{"op":"grüß","evnt":1}`, `1:14: unknown field "evnt"`},
		{"not UTF-8", "[1] call add(\xff)", "1:1: the line is not UTF-8 text"},
		{"UTF-16", "\xff\xfe[\x001\x00]\x00", "1:1: the file is UTF-16; logs are UTF-8"},
		{"two objects", "# @object a\n# @object b", `2:1: the log is of object "a" and of object "b"`},
		{"json in text", call + `{"op":1}`, `2:1: expected "[ID] call METHOD(VALUES)"`},
		{"text in json", ret + call, "2:1: expected a JSON object"},
		{"json cut off", ret + `{"op":1,"event":"re`, "2:17: the JSON object is not complete"},
		{"json cut off early", ret + `{`, "2:2: the JSON object is not complete"},
		{"json broken", `{"op":1,,"event":"return"}`, "1:9: not JSON: invalid character ','"},
		{"json twice", ret + `  {"op":1,"event":"return"} {}`, "2:29: a line has one JSON object"},
		{"json misspelt field", `{"op":1, "evnt":"call"}`, `1:10: unknown field "evnt"; did you mean "event"?`},
		{"json unknown fields", `{"colour":"red"}`, `1:1: field "op" is missing; the fields are op, event, method, args, rets, outcome, word, process, time, object, format, error`},
		{"json misspelt in an event", ret + `{"op":1,"event":"return","retrs":[1]}`, `2:26: unknown field "retrs"; did you mean "rets"?`},
		{"json unknown field cut off", ret + `{"op":1,"event":"return","x":{"a":[1,2}`, `2:39: not JSON: invalid character '}'`},
		{"json unknown field broken", ret + `{"op":1,"event":"return","x":nul}`, `2:30: not JSON`},
		{"json unknown field nested", `{"op":1,"event":"call","x":` + strings.Repeat("[", 1001), `1:1028: objects and arrays are nested deeper than 1000`},
		{"json field twice", `{"op":1, "op":2}`, `1:10: field "op" comes twice`},
		{"json no op", `{"event":"call"}`, `1:1: field "op" is missing`},
		{"json no event", `{"op":1}`, `1:1: field "event" is missing`},
		{"json no method", `{"op":1,"event":"call"}`, `1:1: field "method" is missing`},
		{"json bad event", `{"op":1,"event":"Return"}`, `1:9: "event" is "call" or "return", not "Return"; did you mean "return"?`},
		{"json bad op", `{"op":[1]}`, `1:7: field "op" is a string that is not empty, or a number`},
		{"json empty op", `{"op":""}`, `1:7: field "op" is a string that is not empty`},
		{"json bad time", `{"op":1,"event":"call","method":"pop","time":"noon"}`, `1:39: field "time" is a number; on the first line, its unit`},
		{"json bad unit", `{"time":"min"}`, `1:2: times are in "s", "ms", "us" or "ns", not "min"`},
		{"json late unit", ret + `{"time":"ms"}`, `2:2: the unit of times must come before the first event`},
		{"json unit is a number", `{"time":1}`, `1:2: "time" on a line without an event is the unit of times: "s", "ms", "us" or "ns"`},
		{"json object of some", ret + `{"op":1,"event":"return","object":"q","rets":[1]}`, `2:1: the event names an object, but that on line 1 does not`},
		{"json no object of some", `{"op":1,"event":"call","method":"remove","object":"q"}` + "\n" + `{"op":1,"event":"return"}`, `2:1: the event names no object, but that on line 1 does`},
		{"json several objects", `{"op":1,"event":"call","method":"remove","object":"q"}` + "\n" + `{"op":1,"event":"call","method":"remove","object":"r"}`, `2:1: the log is of several objects, "q" and here "r": split it`},
		{"json another object than the head's", `{"object":"q"}` + "\n" + ret + `{"op":1,"event":"call","method":"remove","object":"r"}`, `3:1: the log is of several objects, "q" and here "r": split it`},
		{"json head after objects", `{"op":1,"event":"call","method":"remove","object":"q"}` + "\n" + `{"object":"r"}`, `2:2: events name their objects, so the log's must come before them`},
		{"returns before its call", "[1] return\n" + call, "1:1: operation 1 returns, but it was not called; its call comes later, at x.log:2:1"},
		{"json bad args", `{"op":1,"args":1}`, `1:16: field "args" is an array of values`},
		{"json rets on a call", `{"op":1,"event":"call","method":"pop","rets":[]}`, `1:39: a call has no "rets"`},
		{"json args on a return", ret + `{"op":1,"event":"return","args":[]}`, `2:26: a return has no "args"`},
		{"json other method", ret + `{"op":1,"event":"return","method":"add","rets":[1]}`, `2:26: operation 1 is a call of remove, not of add`},
		{"json wrong result", ret + `{"op":1,"event":"return","rets":[1,2]}`, `2:26: method remove cannot return 1, 2`},
		{"json object with more", `{"object":"queue","method":"add"}`, `1:1: field "op" is missing`},
		{"json other process", `{"op":1,"event":"call","method":"pop","process":1}` + "\n" + `{"op":1,"event":"return","process":2,"rets":[1]}`,
			"2:1: process 2 returns from operation 1, which process 1 called"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read(t, tt.src)
			if err == nil || !strings.HasPrefix(err.Error(), "x.log:"+tt.want) {
				t.Errorf("got  %v\nwant x.log:%s", err, tt.want)
			}
			var parseErr *ParseError
			if !errors.As(err, &parseErr) {
				t.Errorf("%T is not a *ParseError", err)
			}
		})
	}
}

func TestReaderFailures(t *testing.T) {
	broken := errors.New("the disk is on fire")
	r := NewReader(io.MultiReader(strings.NewReader("[1] call add(1)\n"), iotest.ErrReader(broken)), "x.log")
	r.open()
	if _, err := r.events.next(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // an error stays
		if _, err := r.events.next(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "reading x.log after line 1") {
			t.Errorf("got %v, want %v", err, broken)
		}
	}
	for n := range 3 {
		src := "\n[1] call add(" + strings.Repeat("x", maxLine-13-n)
		_, err := streamed(src, testSignature(t))
		_, again := read(t, src)
		tooLong := err != nil && err.Error() == "x.log:2:1: the line is longer than 16777216 bytes"
		if tooLong != (n == 0) || err == nil || err.Error() != again.Error() {
			t.Errorf("a line of %d bytes: %v, %v", maxLine-n, err, again)
		}
	}
	// What came before a malformed line is passed on first, times or not.
	timed := NewReader(strings.NewReader(`{"op":1,"event":"call","method":"a","time":1}`+"\n{"), "x.log")
	timed.open()
	if e, err := timed.events.next(); err != nil || e.op != "1" {
		t.Errorf("next: %+v, %v", e, err)
	}
	if _, err := timed.events.next(); err == nil || err == io.EOF {
		t.Errorf("the malformed line: %v", err)
	}
}

// ignoring compares executions apart from places and, if asked, processes.
func ignoring(fields ...string) cmp.Option {
	return cmp.Options{cmpopts.IgnoreFields(Operation{}, append(fields, "CallPos", "ReturnPos")...), cmpopts.IgnoreFields(Execution{}, "Tail", "Rest"), cmpopts.EquateEmpty()}
}

// randomExecution draws an execution of the test signature, with nasty values.
func randomExecution(rng source, sig Signature) *Execution {
	texts := []Value{"1", "-7", "1e5", "01", "a", "empty", "-", "null", "true", "full", "error: x", "error", "a, b", `"q"`, `"`, "#", "x#y",
		"(0)", "a)", "[x", " ", "", "{1 [2]}", "line\nbreak", "\xff", "grü\u00df", "\ufeff", "\ufffd", "\\", "<&>", "value", "closed", "none", "_"}
	pick := func(n int) (vs []Value) {
		for range n {
			vs = append(vs, texts[rng.IntN(len(texts))])
		}
		return vs
	}
	e := &Execution{Object: []string{"", "atomic-queue", "two words"}[rng.IntN(3)]}
	var open []int
	for range rng.IntN(20) {
		if len(open) > 0 && rng.IntN(2) == 0 {
			k := rng.IntN(len(open))
			op := &e.Ops[open[k]]
			open = append(open[:k], open[k+1:]...)
			m, _ := sig.Method(op.Method)
			o := m.Outcomes[rng.IntN(len(m.Outcomes))]
			op.Return, op.Outcome, op.Rets = e.Events, o.Outcome, pick(o.Rets)
		} else {
			m := sig.Methods()[rng.IntN(len(sig.Methods()))]
			open = append(open, len(e.Ops))
			e.Ops = append(e.Ops, Operation{
				ID: []string{"", "op ", "0", "\u00e4:"}[rng.IntN(4)] + itoa(len(e.Ops)+1), Process: []string{"", "7", "p 1"}[rng.IntN(3)],
				Label: Label{Kind: Kind{Method: m.Name}, Args: pick(m.Args)}, Call: e.Events, Return: NoReturn,
			})
		}
		e.Events++
	}
	return e
}

func TestLogRoundTrip(t *testing.T) {
	sig := testSignature(t)
	check(t, func(t *rapid.T, rng source) { roundTrip(t, randomExecution(rng, sig), sig) })
}

// roundTrip writes and reads e in both formats.
func roundTrip(t rapid.TB, e *Execution, sig Signature) {
	t.Helper()
	var text, lines bytes.Buffer
	if err := WriteText(&text, e); err != nil {
		t.Fatalf("WriteText: %v", err)
	}
	if err := WriteJSON(&lines, e); err != nil {
		t.Fatalf("WriteJSON: %v", err)
	}
	for _, src := range []string{text.String(), lines.String()} {
		got, err := ReadLog(strings.NewReader(src), "x.log", sig)
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		if diff := cmp.Diff(e, got, ignoring()); diff != "" {
			t.Fatalf("%s\nreads differently:\n%s", src, diff)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	with := func(edit func(*Execution)) *Execution {
		e := Sequential(labelOf("add", None, "1", ""), labelOf("remove", Some, "", "1"))
		edit(e)
		return e
	}
	tests := []struct {
		name       string
		e          *Execution
		text, json string // "" writes well
	}{
		{"good", with(func(*Execution) {}), "", ""},
		{"bracket in id", with(func(e *Execution) { e.Ops[0].ID = "a]" }), `history: operation "a]": identifier "a]" has no place in a text log`, ""},
		{"empty id", with(func(e *Execution) { e.Ops[1].ID = "" }), `operation "": identifier "" has no place`, `operation "": the identifier is empty`},
		{"blank in method", with(func(e *Execution) { e.Ops[0].Method = "a b" }), `operation "1": method "a b" has no place`, ""},
		{"method not UTF-8", with(func(e *Execution) { e.Ops[0].Method = "\xff" }), `operation "1": method "\xff" has no place`, `operation "1": "\xff" is not UTF-8`},
		{"object", with(func(e *Execution) { e.Object = "a\nb" }), `history: object "a\nb" has no place`, ""},
		{"too many events", with(func(e *Execution) { e.Events = 5 }), "event 4 of 5 belongs to no operation", "event 4 of 5 belongs to no operation"},
		{"too few events", with(func(e *Execution) { e.Events = 3 }), `operation "2": event 3 of 3 is out of range or taken`, "event 3 of 3"},
		{"same place", with(func(e *Execution) { e.Ops[1].Call = 0 }), "event 0 of 4 is out of range or taken", "event 0 of 4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check := func(format string, err error, want string) {
				if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s: %v, want %q", format, err, want)
				}
			}
			check("text", WriteText(io.Discard, tt.e), tt.text)
			check("json", WriteJSON(io.Discard, tt.e), tt.json)
		})
	}
	if err := WriteText(brokenWriter{}, with(func(*Execution) {})); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("WriteText to a broken writer: %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// A line as long as lines may be, of many short values, takes no longer than
// others of its length.
func TestReadManyValues(t *testing.T) {
	testsize.NeedsLong(t)
	const values = 2_000_000
	for _, line := range []string{
		`{"op":"1","event":"call","method":"add","args":[` + strings.Repeat("1,", values) + "1]}\n",
		"[1] call add(" + strings.Repeat("1,", values) + "1)\n",
	} {
		_, err := ReadLog(strings.NewReader(line), "x.log", testSignature(t))
		if err == nil || !strings.Contains(err.Error(), "not 2000001") {
			t.Errorf("%.20s...: error is %v", line, err)
		}
	}
}
