package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// jsonLog is a log of operations 1, 2, ... one after the other, each a call and
// the rest of its return.
func jsonLog(head string, ops ...[2]string) string {
	var b strings.Builder
	b.WriteString(head)
	for i, op := range ops {
		fmt.Fprintf(&b, `{"op":%d,"event":"call",%s}`+"\n", i+1, op[0])
		fmt.Fprintf(&b, `{"op":%d,"event":"return"%s}`+"\n", i+1, op[1])
	}
	return b.String()
}

const (
	formatLine = `{"format":2}` + "\n"
	jsonRemove = `"method":"remove"`
)

func jsonAdd(value string) [2]string { return [2]string{`"method":"add","args":[` + value + `]`, ""} }

// In JSON a string is a value, and outcomes have a field; in text quotes make a
// value.
func TestWordsAndValues(t *testing.T) {
	returns := func(s string) [2]string { return [2]string{jsonRemove, s} }
	for _, tt := range []struct{ name, src, want string }{
		{"a queue that carries words", jsonLog("", jsonAdd(`"empty"`), returns(`,"rets":["empty"]`), jsonAdd(`"-"`), returns(`,"rets":["-"]`), jsonAdd(`"nil"`), returns(`,"rets":["nil"]`), returns(`,"outcome":"nil"`)),
			"add(empty); remove => empty; add(-); remove => -; add(nil); remove => nil; remove => nil"},
		{"a word from nowhere", jsonLog(formatLine, returns(`,"rets":["empty"]`)), "remove => empty"},
		{"nil in many ways", jsonLog("", returns(`,"outcome":"nil"`), returns(`,"outcome":null`), returns(`,"rets":[null]`), returns(`,"outcome":"empty"`), returns(`,"word":"-"`), returns(`,"outcome":"nil","word":"empty"`)),
			strings.Repeat("remove => nil; ", 5) + "remove => nil"},
		{"outcome value", jsonLog("", returns(`,"outcome":"value","rets":["empty"]`), returns(`,"rets":[7],"outcome":"value"`)), "remove => empty; remove => 7"},
		{"outcome none", jsonLog("", [2]string{`"method":"add","args":[1]`, `,"outcome":"none"`}), "add(1)"},
		{"booleans", jsonLog("", [2]string{`"method":"has","args":[true]`, `,"rets":[true]`}, [2]string{`"method":"has","args":["true"]`, `,"outcome":"false"`}), "has(true) => true; has(true) => false"},
		{"named outcomes", jsonLog("", [2]string{`"method":"swap","args":[1,2]`, `,"outcome":"full","rets":["closed"]`}, [2]string{`"method":"swap","args":["full",2]`, `,"outcome":"error: no"`}), "swap(1, 2) => full closed; swap(full, 2) => error"},
		{"a word that is a value", jsonLog("", returns(`,"word":"alice"`), returns(`,"word":"full"`)), "remove => alice; remove => full"},
		{"bytes", jsonLog("", jsonAdd(`{"base64":"/w=="}`), returns(`,"rets":[{"base64":"/w=="}]`)), "add(\xff); remove => \xff"},
		{"quotes are part of a value", jsonLog("", jsonAdd(`"\"a\""`), returns(`,"rets":["\"a\""]`)), `add("a"); remove => "a"`},
		{"a name that a call passed", jsonLog("", [2]string{`"method":"swap","args":["full",1]`, `,"rets":["full",3]`}), "swap(full, 1) => full, 3"},
		{"a quote", jsonLog("", jsonAdd(`"\""`), returns(`,"rets":["\""]`)), `add("); remove => "`},
		{"object and format", `{"object":"q","format":2}` + "\n" + jsonLog("", returns(`,"rets":["empty"]`)), "remove => empty"},
		{"text", "[1] call remove\n[1] return \"empty\"\n[2] call remove\n[2] return empty\n[3] call add({a b})\n[3] return\n", "remove => empty; remove => nil; add({a b})"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := read(t, tt.src)
			if err != nil || e.String() != tt.want {
				t.Fatalf("read %v, %v; want %s", e, err, tt.want)
			}
			sameReading(t, tt.src, testSignature(t))
			sameCopies(t, tt.src, testSignature(t), e)
		})
	}
}

func TestWordErrors(t *testing.T) {
	const call = `{"op":1,"event":"call","method":"remove"}` + "\n"
	ret := func(s string) string { return call + `{"op":1,"event":"return",` + s + "}" }
	for _, tt := range []struct{ name, src, want string }{
		{"a word from nowhere", ret(`"rets":["empty"]`), `2:26: the string "empty" is a value, but may be meant as an outcome: if so, write "outcome":"empty"; if "empty" is a value, begin the log with {"format":2}`},
		{"a word beside an outcome", call + `{"op":1,"event":"return","outcome":"nil"}` + "\n" + strings.ReplaceAll(ret(`"rets":["-"]`), `"op":1`, `"op":2`), `4:26: the string "-" is a value, but may be meant as an outcome`},
		{"a string for a boolean, no format", `{"op":1,"event":"call","method":"has","args":["x"]}` + "\n" + `{"op":1,"event":"return","rets":["true"]}`, `2:26: the string "true" is a value, but`},
		{"the name of an outcome", `{"op":1,"event":"call","method":"swap","args":["x",1]}` + "\n" + `{"op":1,"event":"return","rets":["full",3]}`, `2:26: the string "full" is a value, but`},
		{"blanks", "[1] call remove\n[1] return 1 2", "2:14: commas separate values, and a value with blanks is in quotes: write \"1 2\" if it is one value"},
		{"an error without a colon", "[1] call remove\n[1] return error closed", `2:18: an error that says more has a colon: write error: closed; a value with blanks is in quotes: "error closed"`},
		{"blanks in arguments", "[1] call swap(1, a  b)", "1:21: commas separate values"},
		{"a string for a boolean", formatLine + `{"op":1,"event":"call","method":"has","args":[1]}` + "\n" + `{"op":1,"event":"return","rets":["true"]}`, `3:26: method has cannot return "true"`},
		{"an outcome that the method lacks", `{"op":1,"event":"call","method":"swap","args":[1,2]}` + "\n" + `{"op":1,"event":"return","outcome":"nil","rets":[3]}`, `2:26: method swap cannot return nil, 3: it returns 2 values`},
		{"an outcome with values it lacks", ret(`"outcome":"nil","rets":[1,2]`), `2:26: method remove cannot return nil, 1, 2`},
		{"outcome of a call", `{"op":1,"event":"call","method":"remove","outcome":"nil"}`, `1:42: a call has no "outcome"`},
		{"word of a call", `{"op":1,"event":"call","method":"remove","word":"nil"}`, `1:42: a call has no "word"`},
		{"arguments of a return", ret(`"args":["x"]`), `2:26: a return has no "args"`},
		{"outcome is no word", ret(`"outcome":"1"`), `2:36: field "outcome" is the name of an outcome`},
		{"outcome is a number", ret(`"outcome":1`), `2:36: field "outcome" is the name of an outcome`},
		{"word is no word", ret(`"word":"a b"`), `2:26: field "word" is what may name an outcome`},
		{"word and outcome differ", ret(`"word":"full","outcome":"nil"`), `2:26: "word" and "outcome" say different things`},
		{"none with values", ret(`"outcome":"none","rets":[1]`), `2:26: outcome "none" has no "rets"`},
		{"value without values", ret(`"outcome":"value"`), `2:26: outcome "value" has its values in "rets"`},
		{"other format", `{"format":4}`, "1:2: the log has format 4, but this version reads formats 2 and 3"},
		{"late format", call + formatLine, `2:2: "format" must come before the first event`},
		{"late format after an odd event", `{"op":"\u0031","event":"call","method":"remove"}` + "\n" + formatLine, `2:2: "format" must come before the first event`},
		{"format of an event", `{"op":1,"format":2}`, `1:9: "format" stands on a line of its own`},
		{"no base64", ret(`"rets":[{"base64":"?"}]`), `2:34: {"base64": "..."} is a text, and this cannot be decoded`},
		{"base64 of a number", ret(`"rets":[{"base64":1}]`), `2:34: {"base64": "..."} is a text, and this cannot be decoded`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read(t, tt.src)
			var parseErr *ParseError
			if !errors.As(err, &parseErr) || !strings.HasPrefix(err.Error(), "x.log:"+tt.want) {
				t.Errorf("got  %v\nwant x.log:%s", err, tt.want)
			}
			sameReading(t, tt.src, testSignature(t))
		})
	}
}

// Memory does not grow with the words that calls have as arguments, and a word for
// nil is known to be a value nevertheless.
func TestManyWords(t *testing.T) {
	word := func(i int) string {
		return strings.Map(func(r rune) rune { return r - '0' + 'a' }, strconv.Itoa(i+100))
	}
	var b strings.Builder
	for i := range maxWords + 10 {
		fmt.Fprintf(&b, `{"op":%d,"event":"call","method":"add","args":[%q]}`+"\n", i, word(i))
	}
	b.WriteString(`{"op":"n","event":"call","method":"add","args":["empty"]}` + "\n" + `{"op":"r","event":"call","method":"remove"}` + "\n" + `{"op":"r","event":"return","rets":["empty"]}`)
	r := NewReader(strings.NewReader(b.String()), "x.jsonl")
	e, err := r.Execution(testSignature(t))
	if err != nil || e.Ops[len(e.Ops)-1].Outcome != Some {
		t.Errorf("a queue with many words: %v", err)
	}
	if n := len(r.events.(*timeOrder).known); n > maxWords+4 {
		t.Errorf("%d words are remembered", n)
	}
}

// sameCopies copies a log, which reads as e, into both formats and further, and
// reads the copies.
func sameCopies(t rapid.TB, src string, sig Signature, e *Execution) {
	t.Helper()
	for first, format := range formats {
		once, ok := copied(t, format, src)
		if !ok {
			continue
		}
		for second, format := range formats {
			twice, ok := copied(t, format, once)
			if !ok {
				continue
			}
			got, err := ReadLog(strings.NewReader(twice), "y.log", sig)
			if err != nil {
				t.Fatalf("%q as %s, then as %s, %q: %v", src, first, second, twice, err)
			}
			if d := cmp.Diff(e, got, ignoring()); d != "" {
				t.Fatalf("%q as %s, then as %s, %q, reads differently:\n%s", src, first, second, twice, d)
			}
		}
	}
}

var formats = map[string]Format{"text": Text, "JSON": JSON, "binary": Binary}

// copied is a log in another format, if that has a place for it.
func copied(t rapid.TB, format Format, src string) (string, bool) {
	t.Helper()
	var out bytes.Buffer
	err := NewReader(strings.NewReader(src), "x.log").Convert(context.Background(), &out, format)
	if isUnsorted(err) {
		out.Reset()
		r := NewReader(strings.NewReader(src), "x.log")
		r.Sort = true
		err = r.Convert(context.Background(), &out, format)
	}
	if err != nil && !strings.Contains(err.Error(), "no place") && !strings.Contains(err.Error(), "may be meant as an outcome") {
		t.Fatalf("%q: %v", src, err)
	}
	return out.String(), err == nil
}

// Copies of whatever log can be read say the same.
func TestCopiesSayTheSame(t *testing.T) {
	sig := testSignature(t)
	n := 0
	check(t, func(t *rapid.T, rng source) {
		src := randomLog(rng)
		if e, err := ReadLog(strings.NewReader(src), "x.log", sig); err == nil && e.Events > 1 {
			sameCopies(t, src, sig, e)
			n++
		}
	})
	if !t.Failed() && n < 10 {
		t.Errorf("only %d logs could be read", n)
	}
}

// TestTextInAny: a text that reads like another value is refused where values may be any.
func TestTextInAny(t *testing.T) {
	sig, err := NewSignature(MethodSig{Name: "put", Args: 1, Outcomes: []OutcomeSig{{Outcome: None}}, Params: []values.Basic{{Kind: values.KindAny}}})
	if err != nil {
		t.Fatal(err)
	}
	for arg, refused := range map[string]bool{`nil`: false, `"nil"`: true, `7`: false, `"7"`: true, `"<nil>"`: true, `"a b"`: false, `"07"`: false, `nils`: false} {
		_, err := ReadLog(strings.NewReader("[1] call put("+arg+")\n[1] return\n"), "log", sig)
		if (err != nil) != refused {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
