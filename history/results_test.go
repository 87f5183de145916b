package history

import (
	"strings"
	"testing"
)

// TestResultsInAllFormats: what a text has of results is read alike from copies of it.
func TestResultsInAllFormats(t *testing.T) {
	sig, err := NewSignature(
		MethodSig{Name: "get", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil}}},
		MethodSig{Name: "find", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: Nil}, {Outcome: Error}}},
		MethodSig{Name: "pop", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: "ErrEmpty", Rets: 1, Error: "empty"}}},
		MethodSig{Name: "put", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: "errFull", Error: "full"}}},
		MethodSig{Name: "add", Outcomes: []OutcomeSig{{Outcome: None}, {Outcome: Error}}},
		MethodSig{Name: "has", Outcomes: []OutcomeSig{{Outcome: True}, {Outcome: False}, {Outcome: Error}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, answer, want string }{
		{"get", "7, true", "get => 7"}, {"get", "0, false", "get => nil"}, {"get", "<nil>", "get => nil"}, {"get", "_", "get*"}, {"get", `"_"`, "get => _"}, {"get", "_, true", "get*"},
		{"find", "7, nil", "find => 7"}, {"find", "nil, nil", "find => nil"}, {"find", "<nil>, error: gone", "find => error"}, {"find", "null, error: gone", "find => error"}, {"find", "-, error: gone", "find => error"}, {"get", "null, false", "get => nil"},
		{"pop", "red, error: empty", "pop => ErrEmpty red"}, {"pop", "7, error", "pop => ErrEmpty 7"}, {"pop", "7, _", "pop*"}, {"pop", "red, nil", "pop => red"},
		{"put", "0, errFull", "put => errFull"}, {"put", "0, error: full", "put => errFull"}, {"put", "full", "put => full"},
		{"add", "nil", "add"}, {"add", "<nil>", "add"}, {"has", "true, nil", "has => true"}, {"has", "false, error: gone", "has => error"},
	} {
		logs := map[string]string{"text": "[1] call " + tt.method + "\n[1] return " + tt.answer + "\n"}
		for name, f := range map[string]Format{"text again": Text, "JSON": JSON, "binary": Binary} {
			var b strings.Builder
			if err := NewReader(strings.NewReader(logs["text"]), "log").Convert(t.Context(), &b, f); err != nil {
				t.Fatalf("%s %s: %v", tt.answer, name, err)
			}
			logs[name] = b.String()
		}
		for name, log := range logs {
			e, err := ReadLog(strings.NewReader(log), "log", sig)
			if err != nil || e.Ops[0].Label.String() != tt.want {
				t.Errorf("%s %s, %s: %v, %v, want %s\n%s", tt.method, tt.answer, name, e, err, tt.want, log)
			}
		}
	}
	for _, tt := range []struct{ method, rest, want string }{
		{"pop", `"rets":[7],"error":"empty"`, "pop => ErrEmpty 7"}, {"pop", `"rets":[7],"error":null`, "pop => 7"}, {"add", `"error":"gone"`, "add => error"},
		{"pop", `"unknown":true`, "pop*"}, {"pop", `"rets":[{"unknown":true}]`, "pop*"}, {"get", `"rets":[7,true]`, "get => 7"}, {"find", `"rets":[null,null]`, "find => nil"},
	} {
		log := `{"format":3}` + "\n" + `{"op":1,"event":"call","method":"` + tt.method + `"}` + "\n" + `{"op":1,"event":"return",` + tt.rest + "}\n"
		if e, err := ReadLog(strings.NewReader(log), "log", sig); err != nil || e.Ops[0].Label.String() != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.rest, e, err, tt.want)
		}
	}
}

// TestErrorsWithoutTheWord: where the error of a call belongs, its mere text is refused with how to write it. It may be a value; and
// empty, if that is what an error says, may be no error at all.
func TestErrorsWithoutTheWord(t *testing.T) {
	sig, err := NewSignature(
		MethodSig{Name: "put", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: "errFull", Error: "full"}}},
		MethodSig{Name: "pop", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: "ErrEmpty", Rets: 1, Error: "empty"}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for log, want := range map[string]string{
		"[1] call put\n[1] return 0, full":     "error: full",
		"[1] call put\n[1] return 0, \"full\"": "error: full",
		"[1] call pop\n[1] return 0, empty":    "error: empty",
		`{"op":1,"event":"call","method":"put"}` + "\n" + `{"op":1,"event":"return","rets":[0,"full"]}`: "error: full",
	} {
		if e, err := ReadLog(strings.NewReader(log), "log", sig); err == nil || !strings.HasSuffix(err.Error(), "; an error among the results is written "+want+", and in JSON in the field error") {
			t.Errorf("%s: %v, %v", log, e, err)
		}
	}
}
