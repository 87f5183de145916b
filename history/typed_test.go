package history

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestAnyInJSON: a log in which a text and another value have one text is refused, others
// are read: as Go tells values of an any apart, so does what was read.
func TestAnyInJSON(t *testing.T) {
	sig, err := NewSignature(MethodSig{Name: "put", Args: 1, Params: []values.Basic{{Kind: values.KindAny}}, Outcomes: []OutcomeSig{{Outcome: None}}})
	if err != nil {
		t.Fatal(err)
	}
	few := []any{3, "3", nil, "nil", "null", true, "true", 1.5, "1.5", "a", "", []int{1}, "[1]", map[string]int{"X": 3}, `{"X":3}`}
	read, refused := 0, 0
	for seed := range testsize.Samples(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		given := []any{few[r.IntN(len(few))], few[r.IntN(len(few))]}
		log := `{"format":2}` + "\n"
		var texts []string
		for i, v := range given {
			text, _ := json.Marshal(v)
			texts = append(texts, string(text))
			op := string(rune('1' + i))
			log += `{"op":` + op + `,"event":"call","method":"put","args":[` + string(text) + "]}\n" + `{"op":` + op + `,"event":"return"}` + "\n"
		}
		e, err := ReadLog(strings.NewReader(log), "log", sig)
		if err != nil {
			refused++
			if texts[0] == texts[1] && texts[0] == `"a"` {
				t.Errorf("%v is refused: %v", texts, err)
			}
			continue
		}
		if read++; (e.Ops[0].Args[0] == e.Ops[1].Args[0]) != (texts[0] == texts[1]) {
			t.Errorf("%v is read as %v, %v", texts, e.Ops[0].Args, e.Ops[1].Args)
		}
	}
	if read < refused || refused == 0 {
		t.Errorf("%d logs are read, and %d refused", read, refused)
	}
}

// TestTypedForms: values whose text is not enough.
func TestTypedForms(t *testing.T) {
	bytes, number := values.Basic{Kind: values.KindBytes}, values.Basic{Kind: values.KindInt, Bits: 64}
	list := values.Basic{Kind: values.KindList, Elem: &number}
	nilable := values.Basic{Kind: values.KindList, Elem: &values.Basic{Kind: values.KindPointer, Elem: &number}}
	method := func(name string, of values.Basic) MethodSig {
		return MethodSig{Name: name, Args: 1, Params: []values.Basic{of}, Results: []values.Basic{of}, Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}}, Variadic: of.Kind == values.KindList}
	}
	sig, err := NewSignature(method("raw", bytes), method("sum", list), method("all", nilable), method("any", values.Basic{Kind: values.KindAny}),
		method("ptr", values.Basic{Kind: values.KindPointer, Elem: &number}))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ method, arg, ret, want string }{
		{"raw", "[97,98]", `"a"`, "raw(ab) => a"}, {"raw", "[]", "[]", `raw("") => ""`}, {"raw", `"[1,2]"`, `"a"`, "raw([1,2]) => a"},
		{"raw", "[256]", `"a"`, "raw has bytes"}, {"raw", `["a"]`, `"a"`, "raw has bytes"}, {"raw", `{"a":1}`, `"a"`, "raw has bytes"},
		{"raw", "null", `"a"`, "do not tell nil from empty"}, {"raw", `"nil"`, `"a"`, "raw(nil) => a"}, {"raw", `"a"`, "null", `raw(a) => ""`}, {"raw", `"a"`, "[97,98]", "raw(a) => ab"},
		{"sum", "null", "[1]", "sum([]) => [1]"}, {"sum", "1", "[]", "sum([1]) => []"}, {"all", "null", "[]", "may be none or one that is nil"}, {"all", "[null]", "[]", "all([nil]) => []"},
		{"any", "3", "3", "any(3) => 3"}, {"any", `"3"`, "3", "not told from the value 3"}, {"any", "3", `"3"`, "not told from the value 3"},
		{"any", "[1]", "[1]", "any([1]) => [1]"}, {"any", "3", `{"X":3}`, "cannot be compared"}, {"any", "[1]", `"[1]"`, "the text as well"},
		{"ptr", "7", "7", "ptr(&7) => &7"}, {"ptr", "null", "7", "ptr(nil) => &7"}, {"ptr", `"0xc000012345"`, "7", "ptr takes"},
	} {
		log := `{"format":2}` + "\n" + `{"op":1,"event":"call","method":"` + tt.method + `","args":[` + tt.arg + "]}\n" + `{"op":1,"event":"return","rets":[` + tt.ret + "]}\n"
		got, err := firstLabel(log, sig)
		if err != nil {
			got = err.Error()
		}
		if err != nil && !strings.Contains(got, tt.want) || err == nil && got != tt.want {
			t.Errorf("%s(%s) => %s: %s, want %s", tt.method, tt.arg, tt.ret, got, tt.want)
		}
	}
}
