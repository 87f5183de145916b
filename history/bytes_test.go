package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// TestBytes: bytes are what a string says, and in base64 within what has parts; a log with a
// string that may be base64, too, is refused where there is a sign that it is.
func TestBytes(t *testing.T) {
	body := values.Basic{Kind: values.KindBytes}
	doc := values.Basic{Kind: values.KindStruct, Fields: []values.Field{
		{Name: "n", GoName: "N", Basic: values.Basic{Kind: values.KindInt, Bits: 64}}, {Name: "body", GoName: "Body", Basic: body}}}
	sig, err := NewSignature(
		MethodSig{Name: "put", Args: 1, Params: []values.Basic{body}, Outcomes: []OutcomeSig{{Outcome: None}}},
		MethodSig{Name: "get", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}}, Results: []values.Basic{body}},
		MethodSig{Name: "all", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 1}}, Results: []values.Basic{{Kind: values.KindList, Elem: &body}}},
		MethodSig{Name: "doc", Outcomes: []OutcomeSig{{Outcome: Some, Rets: 2}}, Results: []values.Basic{doc.Fields[0].Basic, body}, Structs: []values.Basic{doc}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(log string) (string, error) {
		x, err := NewReader(strings.NewReader(log), "log").Execution(sig)
		if err != nil {
			return "", err
		}
		var all []string
		for i := range x.Ops {
			all = append(all, fmt.Sprint(x.Ops[i].Args, x.Ops[i].Rets))
		}
		return strings.Join(all, "; "), nil
	}
	put := `{"op":1,"event":"call","method":"put","args":[%s]}` + "\n" + `{"op":1,"event":"return"}` + "\n"
	answers := `{"op":2,"event":"call","method":"%s"}` + "\n" + `{"op":2,"event":"return","rets":[%s]}` + "\n"
	for _, tt := range []struct{ arg, method, ret, want string }{
		{`"abc"`, "get", `"abc"`, "[abc] []; [] [abc]"},
		{`"abcd"`, "get", `"abcd"`, "[abcd] []; [] [abcd]"},
		{`"ab"`, "doc", `{"n":1,"body":"YWI="}`, "[ab] []; [] [1 ab]"},
		{`{"base64":"YWI="}`, "doc", `{"body":"YWI=","n":1}`, "[ab] []; [] [1 ab]"},
		{`{"base64":"WVdJPQ=="}`, "get", `{"base64":"WVdJPQ=="}`, "[YWI=] []; [] [YWI=]"},
		{`"YWI="`, "get", `"YWI="`, `log:1:39: the string "YWI=" may be these bytes, or what encoding/json writes for others: write {"base64": "YWI="} for those, and {"base64":"WVdJPQ=="} for these`},
		{`"ab"`, "get", `"YWI="`, `log:4:26: the string "YWI=" may be these bytes`},
		{`"YWJj"`, "doc", `{"n":1,"body":"YWJj"}`, "log:4:26: lines 1 and 4 have bytes in two ways: in base64"},
		{`"abcd"`, "all", `[]`, "[abcd] []; [] [[]]"},
		{`"abcd"`, "all", `["two words"]`, `[abcd] []; [] [["two words"]]`},
		{`"ab"`, "all", `["YWJj"]`, "[ab] []; [] [[abc]]"},
		{`"abcd"`, "all", `["YWJj"]`, "log:4:26: lines 1 and 4 have bytes in two ways"},
	} {
		got, err := read(fmt.Sprintf(put, tt.arg) + fmt.Sprintf(answers, tt.method, tt.ret))
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && !(err != nil && strings.HasPrefix(got, tt.want)) {
			t.Errorf("put(%s), %s => %s: %s, want %s", tt.arg, tt.method, tt.ret, got, tt.want)
		}
	}

	// What package encoding/json writes for bytes by themselves is refused, unless nothing is padded; what this package
	// writes is read as it was.
	for n := range 26 * 7 {
		text := bytes.Repeat([]byte{byte('a' + n%26)}, 1+n%7)
		j, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(fmt.Sprintf(put, j)); err == nil && len(text)%3 != 0 {
			t.Errorf("%s is read as %s", j, got)
		}
		for _, text := range []string{string(text), string(j[1 : len(j)-1])} {
			if got, err := read(fmt.Sprintf(put, jsonValue(rawValues([]Value{Value(text)})[0]))); err != nil || got != "["+text+"] []" {
				t.Errorf("%s is read as %s: %v", text, got, err)
			}
		}
	}
}
