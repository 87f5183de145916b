package history

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// TestSpellings: a value that a log writes in two ways is refused with both places, unless
// types say that it is one, or quotes that it is a text.
func TestSpellings(t *testing.T) {
	sig, err := NewSignature(MethodSig{Name: "add", Args: 1, Outcomes: []OutcomeSig{{Outcome: None, Rets: 0}}, Named: []Value{"true", "5"}},
		MethodSig{Name: "get", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}}}, MethodSig{Name: "try", Outcomes: []OutcomeSig{{Outcome: True, Rets: 0}, {Outcome: False, Rets: 0}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		values []string // added, | between two lines
		want   string   // in the error; "": none
	}{
		{[]string{"3", "4", "-3"}, ""},
		{[]string{"3.0", "4.0", "3.0"}, ""},
		{[]string{"3", "4.0"}, ""},
		{[]string{"3", "3.0"}, "line:3:14: 3.0 and 3 may be one value or two"},
		{[]string{"3.0", "3"}, "line:3:14: 3 and 3.0 of line 1 may be one value or two"},
		{[]string{"3", `"3.0"`}, ""},
		{[]string{"+3", "3e0"}, "of line 1"},
		{[]string{"0x10", "16"}, "of line 1"},
		{[]string{"0.50", "0.5"}, "of line 1"},
		{[]string{"1.5", "15e-1"}, "15e-1 and 1.5"},
		{[]string{"60s", "1m"}, "of line 1"},
		{[]string{"1ms", "1000000"}, "of line 1"},
		{[]string{"2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"}, "may be one value"},
		{[]string{"007", "7"}, ""},
		{[]string{"False", "false"}, "of line 1"},
		{[]string{"True"}, "True and true may be"},
		{[]string{"5.0"}, "5.0 and 5 may be"},
		{[]string{"alice", "Alice", "{a x}", "[1 2]", "[]", "{}"}, ""},
		{[]string{"{a x}", "{Name:a Email:x}"}, "{Name:a Email:x} and {a x} of line 1"},
		{[]string{"{Name:a Email:x}", `m.Contact{Name:"a", Email:"x"}`}, "of line 1"},
		{[]string{"[1 2]", "[1, 2]"}, "of line 1"},
	} {
		log := ""
		for i, v := range tt.values {
			id := string(rune('a' + i))
			log += "[" + id + "] call add(" + v + ")\n[" + id + "] return\n"
		}
		_, err := NewReader(strings.NewReader(log), "line").Execution(sig)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%v: %v, want %q", tt.values, err, tt.want)
		}
	}
	e, err := NewReader(strings.NewReader("[1] call try\n[1] return True\n[2] call get\n[2] return FALSE\n"), "line").Execution(sig)
	if err != nil || e.Ops[0].Outcome != True || e.Ops[1].Outcome != Some {
		t.Errorf("%v, %v", e, err)
	}
}

// TestAsInGo: all results of a call, a bool or an error last.
func TestAsInGo(t *testing.T) {
	text, number := values.Basic{Kind: values.KindString}, values.Basic{Kind: values.KindInt, Bits: 64}
	sig, err := NewSignature(MethodSig{Name: "remove", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil, Rets: 0}}},
		MethodSig{Name: "swap", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil, Rets: 1}}}, MethodSig{Name: "pop", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Error, Rets: 0}}},
		MethodSig{Name: "pair", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 2}, {Outcome: Nil, Rets: 0}}},
		MethodSig{Name: "index", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: "ErrNone", Error: "none", Beside: []string{"-1"}}}},
		MethodSig{Name: "receive", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil}, {Outcome: "ErrEmpty", Error: "empty", Beside: []string{"", "true"}}}},
		MethodSig{Name: "stat", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 2}, {Outcome: Nil}, {Outcome: "ErrNone", Error: "none", Beside: []string{"{- -1}"}}}, Results: []values.Basic{text, number},
			Structs: []values.Basic{{Kind: values.KindStruct, Fields: []values.Field{{GoName: "Name", Basic: text}, {GoName: "N", Basic: number}}}}},
		MethodSig{Name: "lock", Outcomes: []OutcomeSig{{Outcome: None}, {Outcome: Error}}}, MethodSig{Name: "vote", Outcomes: []OutcomeSig{{Outcome: True}, {Outcome: False}, {Outcome: Error}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, answer, want string }{
		{"remove", "7, true", "remove => 7"}, {"remove", "7, nil", "remove => 7"}, {"remove", "7, empty", "cannot return"}, {"remove", "7, true, nil", "remove => 7"}, {"remove", "0, false, nil", "remove => nil"}, {"remove", "0, false", "remove => nil"}, {"remove", "7, false", "remove => nil 7"},
		{"remove", `"", False`, "remove => nil"}, {"remove", "7, maybe", "cannot return 7, maybe"}, {"remove", `7, "true"`, "cannot return"},
		{"swap", "7, true", "swap => 7"}, {"swap", "7, false", "swap => nil 7"}, {"swap", "-, 7", "swap => nil 7"},
		{"pop", "7, nil", "pop => 7"}, {"pop", "0, error", "pop => error"}, {"pop", "7, error", "pop => error 7"}, {"pop", "7, true", "cannot return"},
		{"pair", "7, true", "pair => 7, true"}, {"pair", "7, 8, true", "pair => 7, 8"}, {"pair", "0, 0, false", "pair => nil"},
		{"index", "3, nil", "index => 3"}, {"index", "-1, error: none", "index => ErrNone"}, {"index", "-1, ErrNone", "index => ErrNone"}, {"index", "0, ErrNone", "index => ErrNone 0"},
		{"receive", "a, true, nil", "receive => a"}, {"receive", `"", false, nil`, "receive => nil"}, {"receive", `"", true, error: empty`, "receive => ErrEmpty"},
		{"receive", "ErrEmpty", "receive => ErrEmpty"}, {"receive", `"", false, ErrEmpty`, `receive => ErrEmpty "", false`}, {"receive", `"", True, ErrEmpty`, "receive => ErrEmpty"}, {"receive", "a, false, nil", "receive => nil a"}, {"receive", "a, true", "cannot return"},
		{"stat", "{a 1}", "stat => a, 1"}, {"stat", "a, 1", "stat => a, 1"}, {"stat", "{a 1}, true, nil", "stat => a, 1"}, {"stat", `{"" 0}, false, nil`, "stat => nil"},
		{"stat", "{- -1}, true, error: none", "stat => ErrNone -, -1, true"}, {"stat", "{- -1}, ErrNone", "stat => ErrNone"}, {"stat", "{- 0}, error: none", "stat => ErrNone -, 0"}, {"stat", "{- x}, error: none", "where stat answers with int"},
		{"stat", "{a}", "cannot return {a}"}, {"stat", "{a b}", `cannot return "{a b}"`},
		// By the outcome's name, as our writers have it.
		{"remove", "-, 7", "remove => nil 7"}, {"remove", "-, 0", "cannot return"}, {"remove", `-, "true"`, "remove => nil true"}, {"remove", "-, 7, 8", "cannot return"}, {"remove", "-, true", "remove => -"},
		{"index", "ErrNone, 0", "index => ErrNone 0"}, {"index", "ErrNone, -1", "cannot return"}, {"receive", "ErrEmpty, a, false", "receive => ErrEmpty a, false"},
		// Without types it is not known how zero is written.
		{"remove", "0.0, false", "remove => nil"}, {"remove", "0s, false", "remove => nil"}, {"remove", "map[], false", "remove => nil"}, {"remove", "{a 0}, false", "without types"},
		{"remove", "map[a:1], false", "without types"}, {"index", "-1.0, ErrNone", "index => ErrNone"}, {"vote", "true, error: twice", "vote => error true"},
		{"lock", "nil", "lock"}, {"lock", "error: held", "lock => error"}, {"vote", "true, nil", "vote => true"}, {"vote", "false, nil", "vote => false"}, {"vote", "false, error: twice", "vote => error"},
	} {
		e, err := NewReader(strings.NewReader("[1] call "+tt.method+"\n[1] return "+tt.answer+"\n"), "line").Execution(sig)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = e.Ops[0].Label.String()
		}
		if !strings.Contains(got, tt.want) || err == nil && got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.method, tt.answer, got, tt.want)
		}
	}
}
