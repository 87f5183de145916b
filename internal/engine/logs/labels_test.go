package logs_test

import (
	"fmt"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
)

func TestTable(t *testing.T) {
	table := logs.New([]history.MethodSig{
		{Name: "add", Args: 1, Aliases: []string{"push", "remove"}, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Nil}, {Outcome: history.Some, Rets: 1}}},
	})
	table.Compared = []formula.Term{{Fn: "ret", Index: 1}, {Fn: "arg", Index: 1}}
	for _, tt := range []struct {
		name   string
		args   []history.Value
		method int
		want   string
	}{
		{"add", []history.Value{"1"}, 0, ""},
		{"push", []history.Value{"1"}, 0, ""},
		{"remove", nil, 1, ""}, // a name wins over an alias
		{"remvoe", nil, -1, `the theory has no method "remvoe"; did you mean "remove"?`},
		{"add", nil, -1, "add takes 1 arguments, not 0"},
		{"add", []history.Value{"one"}, 0, `the theory compares values by <, and "one" is no integer`},
	} {
		if method, message := table.Method(tt.name, tt.args); method != tt.method || message != tt.want {
			t.Errorf("%s%v: %d, %q, want %d, %q", tt.name, tt.args, method, message, tt.method, tt.want)
		}
	}
	for _, tt := range []struct {
		outcome history.Outcome
		rets    []history.Value
		n       int
		want    string
	}{
		{history.Nil, nil, 0, ""},
		{history.Some, []history.Value{"1"}, 1, ""},
		{history.Some, nil, -1, "remove with outcome value returns 1 values, not 0"},
		{history.Some, []history.Value{"one"}, 1, `the theory compares values by <, and "one" is no integer`},
		{history.Error, nil, -1, `remove has no outcome "error" in the theory`},
	} {
		if n, message := table.Outcome(1, tt.outcome, tt.rets); n != tt.n || message != tt.want {
			t.Errorf("%s%v: %d, %q, want %d, %q", tt.outcome, tt.rets, n, message, tt.n, tt.want)
		}
	}
}

// TestAppendKey: lists of labels have the same text only if they are the same, also where
// values are empty, or look like parts of texts.
func TestAppendKey(t *testing.T) {
	parts := []string{"", "\x00", "\x01", "a", "\x01a", "a\x00"}
	r := rand.New(rand.NewPCG(1, 9))
	values := func() (vs []history.Value) {
		for range r.IntN(3) {
			vs = append(vs, history.Value(parts[r.IntN(len(parts))]))
		}
		return vs
	}
	seen := map[string]string{}
	for range 20_000 {
		var key []byte
		text := ""
		for range r.IntN(3) {
			l := history.Label{Kind: history.Kind{Method: parts[r.IntN(len(parts))], Outcome: history.Outcome(parts[r.IntN(len(parts))])}, Args: values(), Rets: values()}
			key = logs.AppendKey(key, &l)
			text += fmt.Sprintf("%q", []any{l.Method, l.Outcome, l.Args, l.Rets})
		}
		if was, ok := seen[string(key)]; ok && was != text {
			t.Fatalf("one text for %s and %s", was, text)
		}
		seen[string(key)] = text
	}
}

// TestUnequal: texts that are equal where Go's numbers are not, or the other way round, are refused where floating-point
// numbers are compared by their texts.
func TestUnequal(t *testing.T) {
	float := values.Basic{Kind: values.KindFloat, Bits: 64}
	methods := []history.MethodSig{
		{Name: "set", Args: 1, Params: []values.Basic{float}, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "all", Params: []values.Basic{}, Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}, Results: []values.Basic{{Kind: values.KindList, Elem: &float}}},
		{Name: "say", Args: 1, Params: []values.Basic{{Kind: values.KindString}}, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
	}
	theories, runs := logs.New(methods), logs.New(methods)
	runs.Runs = true
	for text, odd := range map[history.Value]bool{"NaN": true, "-0": true, "0": false, "-0.5": false, "-07": false, "1e-05": false, "[1 -0 2]": true, "[NaN]": true, "[-0]": true, "[1 -0.25]": false, "+Inf": false} {
		_, msg := theories.Method("set", []history.Value{text})
		_, answer := theories.Outcome(1, history.Some, []history.Value{text})
		if (msg != "") != odd || (answer != "") != odd {
			t.Errorf("%s: %q, %q, want %v", text, msg, answer, odd)
		}
		_, msg = runs.Method("set", []history.Value{text})
		if _, other := theories.Method("say", []history.Value{text}); msg != "" || other != "" {
			t.Errorf("%s is refused: %q, %q", text, msg, other)
		}
	}
}
