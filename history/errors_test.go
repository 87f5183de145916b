package history

import (
	"io"
	"strings"
	"testing"
)

func TestErrorTexts(t *testing.T) {
	for _, test := range []struct {
		name      string
		answers   []string
		different bool
	}{
		{"two sentinels", []string{"error: closed", "error: voted twice"}, true},
		{"two of two words", []string{"error: account closed", "error: account locked"}, true},
		{"after others", []string{"error: closed", "error: closed", "error: too low"}, true},
		{"one", []string{"error: closed", "error: closed"}, false},
		{"no words", []string{"error", "error:", "error: closed"}, false},
		{"in quotes", []string{`error: "closed"`, "error: closed"}, false},
		{"numbers", []string{"error: index 9 out of range", "error: index 12 out of range"}, false},
		{"durations", []string{"error: late by 3ms", "error: late by 2.5s"}, false},
		{"texts", []string{`error: no key "ann"`, `error: no key "bob lee"`}, false},
		{"what follows a colon", []string{"error: no such key: ann", "error: no such key: bob lee"}, false},
		{"a name", []string{"error: user ann is unknown", "error: user bob is unknown"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var texts errorTexts
			for _, a := range test.answers {
				texts.add(0, "vote", a)
			}
			if got := texts.clause != ""; got != test.different {
				t.Errorf("%q: different = %v, want %v: %s", test.answers, got, test.different, texts.clause)
			}
		})
	}
}

// TestErrorsWithNames reads what logs have of errors that are outcomes of their own.
func TestErrorsWithNames(t *testing.T) {
	sig, err := NewSignature(
		MethodSig{Name: "put", Args: 1, Outcomes: []OutcomeSig{{Outcome: None}, {Outcome: "ErrFull", Error: "full"}, {Outcome: "ErrShut", Error: "queue: shut"}, {Outcome: "errFullQueue", Error: "queue: full"}}},
		MethodSig{Name: "get", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}, {Outcome: "ErrNone", Rets: 1, Error: "none"}, {Outcome: Error, Rets: 1}}},
		MethodSig{Name: "end", Outcomes: []OutcomeSig{{Outcome: None}, {Outcome: "ErrTwice", Error: "twice"}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ call, answer, want string }{
		{"put(1)", "", "put(1)"},
		{"put(1)", "ErrFull", "put(1) => ErrFull"},
		{"put(1)", "error: full", "put(1) => ErrFull"},
		{"put(1)", `error: "full"`, "put(1) => ErrFull"},
		{"put(1)", "error:  put 1: full", "put(1) => ErrFull"},
		{"put(1)", "error: put 1: queue: full", "put(1) => errFullQueue"},
		{"put(1)", "error: queue: shut", "put(1) => ErrShut"},
		{"put(1)", "error: shut", "put(1)*"},
		{"put(1)", "error: careful", "put(1)*"},
		{"put(1)", "error", "put(1)*"},
		{"put(1)", "error:", "put(1)*"},
		{"get", "7", "get => 7"},
		{"get", "7, nil", "get => 7"},
		{"get", "ErrNone, 3", "get => ErrNone 3"},
		{"get", "ErrNone", "get*"},
		{"get", "error: none", "get*"},
		{"get", "error", "get*"},
		{"get", "3, error: none", "get => ErrNone 3"},
		{"get", "3, error: other", "get => error 3"},
		{"get", "3, error", "get*"},
		{"get", "error, 3", "get*"},
		{"get", "_", "get*"},
		{"get", "_, nil", "get*"},
		{"get", "ErrNone, _", "get*"},
		{"get", `"_"`, "get => _"},
		{"end", "error", "end => ErrTwice"},
		{"end", "error: once", "end*"},
	} {
		log := "[1] call " + test.call + "\n[1] return " + test.answer + "\n"
		r := NewReader(strings.NewReader(log), "log")
		e, err := r.Execution(sig)
		if err != nil {
			t.Errorf("%s => %s: %v", test.call, test.answer, err)
			continue
		}
		unknown := strings.HasSuffix(test.want, "*")
		if got := e.Ops[0].Label.String(); got != test.want || e.Ops[0].Completed() == unknown || (e.Tail != "") != unknown {
			t.Errorf("%s => %s: %s, tail %q, want %s", test.call, test.answer, got, e.Tail, test.want)
		}
		var followed []string
		for op, err := range NewReader(strings.NewReader(log), "log").Follow(sig) {
			if err != nil {
				t.Fatal(err)
			}
			followed = append(followed, op.Label.String())
		}
		if got := followed[len(followed)-1]; got != test.want {
			t.Errorf("%s => %s: followed, it is %s, want %s", test.call, test.answer, got, test.want)
		}
	}
}

// TestUnknownIsNoText: what is written of the text _ is read as that.
func TestUnknownIsNoText(t *testing.T) {
	sig, err := NewSignature(MethodSig{Name: "put", Args: 1, Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	want := Sequential(Label{Kind: Kind{Method: "put", Outcome: Some}, Args: []Value{"_"}, Rets: []Value{"_"}})
	for name, write := range map[string]func(io.Writer, *Execution) error{"text": WriteText, "JSON": WriteJSON} {
		var b strings.Builder
		if err := write(&b, want); err != nil {
			t.Fatal(err)
		}
		got, err := ReadLog(strings.NewReader(b.String()), "log", sig)
		if err != nil || got.Ops[0].Label.String() != want.Ops[0].Label.String() || got.Tail != "" {
			t.Errorf("%s: %v, %v\n%s", name, got, err, b.String())
		}
	}
}

// TestErrorsOfJSON: an outcome in a field of its own is that outcome, if the method has it.
func TestErrorsOfJSON(t *testing.T) {
	sig, err := NewSignature(
		MethodSig{Name: "mixed", Outcomes: []OutcomeSig{{Outcome: Error}, {Outcome: "ErrNone", Error: "none"}}},
		MethodSig{Name: "one", Outcomes: []OutcomeSig{{Outcome: None}, {Outcome: "ErrNone", Error: "none"}}},
		MethodSig{Name: "two", Outcomes: []OutcomeSig{{Outcome: "ErrNone", Error: "none"}, {Outcome: "ErrLate", Error: "late"}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ method, outcome, want string }{
		{"mixed", "error", "mixed => error"},
		{"mixed", "error: none", "mixed => ErrNone"},
		{"mixed", "error: other", "mixed => error"},
		{"one", "error", "one => ErrNone"},
		{"one", "error: other", "one*"},
		{"two", "error", "two*"},
		{"two", "ErrLate", "two => ErrLate"},
	} {
		log := `{"format":2}` + "\n" + `{"op":1,"event":"call","method":"` + test.method + `"}` + "\n" + `{"op":1,"event":"return","outcome":"` + test.outcome + `"}` + "\n"
		e, err := ReadLog(strings.NewReader(log), "log", sig)
		if err != nil || e.Ops[0].Label.String() != test.want {
			t.Errorf("%s => %s: %v, %v, want %s", test.method, test.outcome, e, err, test.want)
		}
	}
}
