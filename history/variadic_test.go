package history

import (
	"strings"
	"testing"
)

// TestVariadicLogs: what a method takes any number of is one list, whether a log writes
// it so, or one by one; the rest of its arguments must be there.
func TestVariadicLogs(t *testing.T) {
	sig, err := NewSignature(MethodSig{Name: "add", Args: 2, Variadic: true, Outcomes: []OutcomeSig{{Outcome: None}}})
	if err != nil {
		t.Fatal(err)
	}
	for log, want := range map[string]string{
		"add(x)":                  "x []",
		"add(x, a)":               "x [a]",
		"add(x, a, b)":            "x [a b]",
		"add(x, [a b])":           "x [a b]",
		"add(x, [])":              "x []",
		"add(x, [a b], [c])":      "x [[a b] [c]]",
		`add(x, "[a b]")`:         `x [a b]`,
		`add(x, ["[a b]"])`:       `x ["[a b]"]`,
		`add(x, "two words", -1)`: `x ["two words" -1]`,
		"add(x, {a 1}, {b 2})":    "x [{a 1} {b 2}]",
		`add(x, "")`:              `x [""]`,
		"add()":                   "log:1:11: add takes 2 arguments, not 0",

		`{"op":1,"event":"call","method":"add","args":["x"]}`:             "x []",
		`{"op":1,"event":"call","method":"add","args":["x","a","b c"]}`:   `x [a "b c"]`,
		`{"op":1,"event":"call","method":"add","args":["x",["a","b c"]]}`: `x ["a","b c"]`,
	} {
		if !strings.HasPrefix(log, "{") {
			log = "[1] call " + log
		}
		got := ""
		es, err := NewReader(strings.NewReader(log+"\n"), "log").Execution(sig)
		if err != nil {
			got = err.Error()
		} else {
			var texts []string
			for _, v := range es.Ops[0].Args {
				texts = append(texts, string(v))
			}
			got = strings.Join(texts, " ")
		}
		if got != want && !(want != "" && strings.HasPrefix(want, "log:") && err != nil) {
			t.Errorf("%s: %q, want %q", log, got, want)
		}
	}
}
