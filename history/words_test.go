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

	"github.com/adtinfer/adtinfer/internal/testsize"
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
		{"quotes are part of a value", jsonLog(formatLine, jsonAdd(`"\"a\""`), returns(`,"rets":["\"a\""]`)), `add("a"); remove => "a"`},
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
	const convert = "if this is an old log, convert it with `adtinfer convert --words x.log x.new.jsonl`"
	for _, tt := range []struct {
		name, src, want string
		old             bool
	}{
		{"an old outcome", ret(`"rets":["empty"]`), `2:26: the string "empty" is a value, but before format 2 it was an outcome: ` + convert + `; if "empty" is a value, begin the log with {"format":2}`, true},
		{"a mix", call + `{"op":1,"event":"return","outcome":"nil"}` + "\n" + strings.ReplaceAll(ret(`"rets":["-"]`), `"op":1`, `"op":2`), `4:26: the log mixes old and new words: the string "-" was an outcome before format 2, but line 2 has its outcome in a field`, true},
		{"an old boolean", `{"op":1,"event":"call","method":"has","args":["true"]}` + "\n" + `{"op":1,"event":"return","rets":["true"]}`, `2:26: the string "true" is a value, but`, true},
		{"an old named outcome", `{"op":1,"event":"call","method":"swap","args":["full",1]}` + "\n" + `{"op":1,"event":"return","rets":["full",3]}`, `2:26: the string "full" is a value, but`, true},
		{"old quotes", ret(`"rets":["\"empty\""]`), `2:34: the string "empty" has quotes, which before format 2 were not part of a value: ` + convert + `; if they are part of the value, begin the log with {"format":2}`, true},
		{"quotes in an argument", `{"op":1,"event":"call","method":"add","args":["\"a b\""]}`, `1:47: the string "a b" has quotes`, true},
		{"blanks", "[1] call remove\n[1] return 1 2", "2:14: commas separate values, and a value with blanks is in quotes: write \"1 2\" if it is one value; if this is an old log, convert it with `adtinfer convert --words x.log x.new.log`", true},
		{"an error without a colon", "[1] call remove\n[1] return error closed", `2:18: an error that says more has a colon: write error: closed; a value with blanks is in quotes: "error closed"`, true},
		{"blanks in arguments", "[1] call swap(1, a  b)", "1:21: commas separate values", true},
		{"a string for a boolean", formatLine + `{"op":1,"event":"call","method":"has","args":[1]}` + "\n" + `{"op":1,"event":"return","rets":["true"]}`, `3:26: method has cannot return "true"`, false},
		{"an outcome that the method lacks", `{"op":1,"event":"call","method":"swap","args":[1,2]}` + "\n" + `{"op":1,"event":"return","outcome":"nil","rets":[3]}`, `2:26: method swap cannot return nil, 3: it returns 2 values`, false},
		{"an outcome with values it lacks", ret(`"outcome":"nil","rets":[1,2]`), `2:26: method remove cannot return nil, 1, 2`, false},
		{"outcome of a call", `{"op":1,"event":"call","method":"remove","outcome":"nil"}`, `1:42: a call has no "outcome"`, false},
		{"word of a call", `{"op":1,"event":"call","method":"remove","word":"nil"}`, `1:42: a call has no "word"`, false},
		{"arguments of a return", ret(`"args":["x"]`), `2:26: a return has no "args"`, false},
		{"outcome is no word", ret(`"outcome":"1"`), `2:36: field "outcome" is the name of an outcome`, false},
		{"outcome is a number", ret(`"outcome":1`), `2:36: field "outcome" is the name of an outcome`, false},
		{"word is no word", ret(`"word":"a b"`), `2:26: field "word" is what may name an outcome`, false},
		{"word and outcome differ", ret(`"word":"full","outcome":"nil"`), `2:26: "word" and "outcome" say different things`, false},
		{"none with values", ret(`"outcome":"none","rets":[1]`), `2:26: outcome "none" has no "rets"`, false},
		{"value without values", ret(`"outcome":"value"`), `2:26: outcome "value" has its values in "rets"`, false},
		{"other format", `{"format":4}`, "1:2: the log has format 4, but this version reads formats 2 and 3", false},
		{"late format", call + formatLine, `2:2: "format" must come before the first event`, false},
		{"late format after an odd event", `{"op":"\u0031","event":"call","method":"remove"}` + "\n" + formatLine, `2:2: "format" must come before the first event`, false},
		{"format of an event", `{"op":1,"format":2}`, `1:9: "format" stands on a line of its own`, false},
		{"no base64", ret(`"rets":[{"base64":"?"}]`), `2:34: {"base64": "..."} is a text, and this cannot be decoded`, false},
		{"base64 of a number", ret(`"rets":[{"base64":1}]`), `2:34: {"base64": "..."} is a text, and this cannot be decoded`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read(t, tt.src)
			var parseErr *ParseError
			if !errors.As(err, &parseErr) || !strings.HasPrefix(err.Error(), "x.log:"+tt.want) || parseErr.Old != tt.old {
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

// What old logs do not have is refused in a log that is read as one.
func TestOldWordsRefuseNewOnes(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{formatLine, `x.log:1:2: "format" is new in format 2, but --words reads the log as an older one: leave --words out; a log cannot mix old and new words`},
		{jsonLog("", [2]string{jsonRemove, `,"outcome":"nil"`}), `x.log:2:26: "outcome" is new in format 2`},
		{jsonLog("", [2]string{jsonRemove, `,"word":"nil"`}), `x.log:2:26: "word" is new in format 2`},
		{jsonLog("", jsonAdd(`{"base64":""}`)), `x.log:1:47: a value is a string`},
	} {
		r := NewReader(strings.NewReader(tt.src), "x.log")
		r.OldWords = true
		if _, err := r.Execution(testSignature(t)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.src, err, tt.want)
		}
	}
}

// The command in a message is one that a shell takes.
func TestConvertCommand(t *testing.T) {
	for file, want := range map[string]string{
		"run.json":       "run.json run.new.json",
		"dir.x/run":      "dir.x/run dir.x/run.new.jsonl",
		"it's mine.log":  `'it'\''s mine.log' 'it'\''s mine.new.jsonl'`,
		"standard input": "- new.jsonl",
	} {
		if got := convertJSON(file); got != "convert it with `adtinfer convert --words "+want+"`" {
			t.Errorf("%s: %s", file, got)
		}
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
			if d := cmp.Diff(e, got, ignoring("Process")); d != "" {
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
	var parseErr *ParseError
	if isUnsorted(err) {
		out.Reset()
		r := NewReader(strings.NewReader(src), "x.log")
		r.Sort = true
		err = r.Convert(context.Background(), &out, format)
	}
	if err != nil && !strings.Contains(err.Error(), "no place") && !(errors.As(err, &parseErr) && parseErr.Old) {
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

// oldJSON writes an execution as earlier versions did.
func oldJSON(e *Execution) string {
	value := func(r raw, quoted bool) string {
		if quoted || strings.HasPrefix(r.text, `"`) || strings.Contains(r.text, "\xff") {
			return string(jsonText(strconv.Quote(r.text)))
		}
		return string(jsonText(r.text))
	}
	var b strings.Builder
	if e.Object != "" {
		fmt.Fprintf(&b, "{\"object\":%s}\n", jsonText(e.Object))
	}
	events, _ := e.endpoints()
	for _, p := range events {
		var vs []string
		if p.call {
			for _, v := range p.op.Args {
				vs = append(vs, value(raw{text: string(v)}, false))
			}
			fmt.Fprintf(&b, `{"op":%s,"event":"call","method":%q,"args":[%s]}`+"\n", jsonText(p.op.ID), p.op.Method, strings.Join(vs, ","))
			continue
		}
		switch o := p.op.Outcome; o {
		case None, Some:
		case Nil:
			vs = append(vs, "null")
		case True, False:
			vs = append(vs, string(o))
		default:
			vs = append(vs, strconv.Quote(string(o)))
		}
		for i, v := range p.op.Rets {
			quoted := i == 0 && p.op.Outcome == Some && (!isBare(string(v)) || couldName(string(v)))
			vs = append(vs, value(raw{text: string(v)}, quoted))
		}
		fmt.Fprintf(&b, `{"op":%s,"event":"return","rets":[%s]}`+"\n", jsonText(p.op.ID), strings.Join(vs, ","))
	}
	return b.String()
}

// Logs of earlier versions are read as they were with OldWords, and so are their
// copies; without, they are refused, or read as they were.
func TestOldLogsAreReadOrRefused(t *testing.T) {
	testsize.NeedsLong(t)
	sig := testSignature(t)
	refused, same := 0, 0
	check(t, func(t *rapid.T, rng source) {
		e := randomExecution(rng, sig)
		src := oldJSON(e)
		old := func() *Reader {
			r := NewReader(strings.NewReader(src), "x.jsonl")
			r.OldWords = true
			return r
		}
		got, err := old().Execution(sig)
		if err != nil || cmp.Diff(e, got, ignoring("Process")) != "" {
			t.Fatalf("%s\nas an old log: %v, %s", src, err, cmp.Diff(e, got, ignoring("Process")))
		}
		var now bytes.Buffer
		if err := old().Convert(context.Background(), &now, JSON); err != nil {
			t.Fatal(err)
		}
		got, err = ReadLog(strings.NewReader(now.String()), "y.jsonl", sig)
		if err != nil || cmp.Diff(e, got, ignoring("Process")) != "" {
			t.Fatalf("%s\nconverted:\n%s%v, %s", src, now.String(), err, cmp.Diff(e, got, ignoring("Process")))
		}
		got, err = ReadLog(strings.NewReader(src), "x.jsonl", sig)
		var parseErr *ParseError
		switch {
		case err == nil && cmp.Diff(e, got, ignoring("Process")) == "":
			same++
		case err == nil:
			t.Fatalf("%s\nis read as something else: %s", src, cmp.Diff(e, got, ignoring("Process")))
		case !errors.As(err, &parseErr) || !parseErr.Old || !strings.Contains(err.Error(), "adtinfer convert --words x.jsonl x.new.jsonl"):
			t.Fatalf("%s\n%v", src, err)
		default:
			refused++
		}
	})
	if !t.Failed() && (refused == 0 || same == 0) {
		t.Errorf("%d logs refused, %d read", refused, same)
	}
}
