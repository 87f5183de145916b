package history

import (
	"strings"
	"testing"
)

// fuzzLog: reading never panics, and what it reads survives writing and
// reading in both formats.
func fuzzLog(f *testing.F) {
	sig := testSignature(f)
	f.Fuzz(func(t *testing.T, src string) {
		e, err := ReadLog(strings.NewReader(src), "x.log", sig)
		if err != nil {
			return
		}
		for i := range e.Ops {
			if strings.ContainsAny(e.Ops[i].ID, "]\r\n") || strings.TrimSpace(e.Ops[i].ID) != e.Ops[i].ID {
				return // has no place in a text log
			}
		}
		if e.Object != "" && !oneWordLine(e.Object) {
			return
		}
		roundTrip(t, e, sig)
		sameCopies(t, src, sig, e)
	})
}

func FuzzReadText(f *testing.F) {
	f.Add("# @object atomic-stack\n[1] call push(a)\n  [2] call pop()\n[1] return\r\n[2] return empty")
	f.Add("[1] call swap(\"a, b\", {x [1]})\n[1] return error: no such \"key\"\n[x y] call has(true)\n[x y] return false")
	f.Add("[1] call swap(1, 2)\n[1] return full, \"\\xff\"")
	f.Add("[1] call swap(_, \"_\")\n[2] call pop\n[2] return _\n[1] return 3, error: a b")
	fuzzLog(f)
}

func FuzzReadJSON(f *testing.F) {
	f.Add(`{"object":"queue"}` + "\n" + `{"op":1,"event":"call","method":"add","args":["x"],"process":"p","time":1}` + "\n" + `{"op":1,"event":"return","time":1}`)
	f.Add(`{"op":"a","event":"call","method":"pop"}` + "\n" + `{"op":"a","event":"return","rets":[null]}`)
	f.Add(`{"op":1,"event":"call","method":"swap","args":[true,1e5]}` + "\n" + `{"op":1,"event":"return","rets":["full","\"full\""]}`)
	f.Add(`{"format":2}` + "\n" + `{"op":1,"event":"call","method":"swap","args":["\"",{"base64":"/w=="}]}` + "\n" + `{"op":1,"event":"return","outcome":"full","rets":["full"]}`)
	f.Add(`{"op":1,"event":"call","method":"add","args":["-"]}` + "\n" + `{"op":2,"event":"call","method":"pop"}` + "\n" + `{"op":2,"event":"return","rets":["-"]}` + "\n" + `{"op":1,"event":"return","outcome":"none"}`)
	f.Add(`{"op":1,"event":"call","method":"pop"}` + "\n" + `{"op":1,"event":"return","outcome":"nil","word":"empty"}`)
	f.Add(`{"format":2,"time":"ms"}` + "\n" + `{"op":1,"event":"return","time":2,"node":{"a":["}",1e5]}}` + "\n" + `{"op":1,"event":"call","method":"add","args":[{"b":[],"a":null}],"time":1.5}`)
	f.Add(`{"format":3}` + "\n" + `{"op":1,"event":"call","method":"pop"}` + "\n" + `{"op":1,"event":"return","unknown":true}` + "\n" + `{"op":2,"event":"call","method":"swap","args":[1,2]}` + "\n" + `{"op":2,"event":"return","rets":[{"unknown":true}],"error":"x"}`)
	f.Add(`{"op":1,"object":"a","event":"call","method":"pop"}` + "\n" + `{"op":1,"object":"b","event":"call","method":"pop"}` + "\n" + `{"op":1,"object":"a","event":"return","rets":[null]}`)
	fuzzLog(f)
}
