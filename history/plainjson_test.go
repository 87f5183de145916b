package history

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// randomLog draws a log in text or in JSON Lines.
func randomLog(rng source) string {
	if rng.IntN(2) == 0 {
		return randomLines(rng)
	}
	return randomJSON(rng)
}

// randomJSON draws a JSON Lines log whose lines are plain or odd, and a few of
// them wrong.
func randomJSON(rng source) string {
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	timed, wrong := rng.IntN(3), rng.IntN(2) == 0
	now := []int{0, 5, 1_754_300_000}[rng.IntN(3)]
	tail := pick("", "", "", "000000001", ".5", "e3")
	var b strings.Builder
	if rng.IntN(3) == 0 {
		b.WriteString(pick("# @object q\n", `{"object":"q"}`+"\n", `{"format":2}`+"\n", `{"format":2,"object":"q"}`+"\n", "\n", "\ufeff"))
	}
	var open [][2]string // running operations with what they may return
	for k := range rng.IntN(12) {
		var fields []string
		if len(open) > 0 && rng.IntN(2) == 0 {
			i := rng.IntN(len(open))
			fields = []string{open[i][0], `"event":"return"`}
			rets := pick(strings.Split(open[i][1], "|")...)
			for mark, field := range map[string]string{"!": `"outcome":"`, "~": `"word":"`} {
				if word, ok := strings.CutPrefix(rets, mark); ok {
					word, rets, _ = strings.Cut(word, ",")
					fields = append(fields, field+word+`"`)
				}
			}
			if rets != "" {
				fields = append(fields, `"rets":[`+rets+"]")
			}
			open = append(open[:i], open[i+1:]...)
		} else {
			call := [][3]string{{"add", "1", ""}, {"push", " 3.0 ", ""}, {"add", "null", ""}, {"add", `"\u0031"`, ""}, {"add", `"-"`, ""}, {"add", `"empty"`, ""}, {"add", "1e5", ""}, {"add", "-1.5E-07", ""}, {"remove", "", `1|null|"-"|"\u002d"|"empty"|!nil|!empty|!value,1|~-|~alice|"\"-\""|"grüß"|"a b"|""|{"a":1}`},
				{"has", `"x, y"`, "true|false|!true|~false"}, {"swap", "-1,false", `"x",2|"full" , 3|!full,3|!full,"full"|~full,3|!error: no|"closed"|"error"|"error: no"`}, {"swap", `"a" , "b"`, `"a",0.50|"full","error"`}}[rng.IntN(12)]
			op := `"op":` + pick("", "", "1", "10000000", "-") + itoa(k+1)
			if rng.IntN(4) == 0 {
				op = `"op":` + pick(`"`, `"p:`, `"x y`) + itoa(k+1) + `"`
			}
			fields = []string{op, `"event":"call"`, `"method":"` + call[0] + `"`}
			if call[1] != "" {
				fields = append(fields, `"args":[`+call[1]+"]")
			}
			open = append(open, [2]string{op, call[2]})
		}
		if rng.IntN(3) == 0 {
			fields = append(fields, `"process":`+pick("1", `"1"`, `"p"`))
		}
		if timed > 0 && rng.IntN(8) > 0 {
			if rng.IntN(timed) == 0 {
				now += rng.IntN(3)
			}
			if wrong && rng.IntN(20) == 0 {
				now--
			}
			fields = append(fields, `"time":`+itoa(now)+tail)
		}
		if wrong && rng.IntN(20) == 0 {
			fields = append(fields, pick(`"op":9`, `"thread":1`, `"args":[1]`, `"rets":[1]`, `"method":"add"`, `"time":"1"`, `"process":""`, `"process":2`, `"rets":null`, `"object":"q"`, `"outcome":"nil"`, `"outcome":"1"`, `"word":"x"`, `"format":2`, `"time":01`, `x`, `"time":1.`, `"rets":[1,2,3,4,5]`, `"args":[]`, `"rets":[]`, `"time":1e`, `"time":1E+x`))
		}
		if wrong && rng.IntN(20) == 0 {
			fields = fields[1:]
		}
		if rng.IntN(2) == 0 {
			order := perm(rng, len(fields))
			for i, f := range append([]string(nil), fields...) {
				fields[order[i]] = f
			}
		}
		line := "{" + pick("", "", " ") + strings.Join(fields, pick(",", ",", ", ", " , ", "\t,")) + pick("", "", " ") + "}"
		switch rng.IntN(12) {
		case 0:
			line = strings.ReplaceAll(line, `":`, pick(`": `, `" :`, `":  `))
		case 1:
			line = strings.ReplaceAll(line, "method", `\u006dethod`)
		}
		if wrong && rng.IntN(25) == 0 {
			line = pick("[1] return", "{}", line+",", line+line, line[:len(line)-1], "[]", line[1:], "\x00\xff", `{"object":"r"}`, `{"format":2}`)
		}
		b.WriteString(pick("", "", "", "", " ", "\t") + line + pick("\n", "\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# note\n", "\n# @object q\n"))
	}
	if rng.IntN(4) == 0 {
		return b.String()[:rng.IntN(b.Len()+1)]
	}
	return b.String()
}

func TestPlainJSONIsReadAlike(t *testing.T) {
	sig := testSignature(t)
	good, moved := 0, 0
	check(t, func(t *rapid.T, rng source) {
		src := randomJSON(rng)
		sameReading(t, src, sig)
		e, err := ReadExecution(strings.NewReader(src), "x.log", sig)
		if err != nil || e.Events < 2 {
			return
		}
		good++
		line := 0
		for _, p := range places(e) {
			if p.Line < line {
				moved++
				break
			}
			line = p.Line
		}
	})
	if !t.Failed() && (good < 40 || moved < 3) {
		t.Fatalf("only %d of the logs have nothing wrong with them, and %d events in another order", good, moved)
	}
	check(t, func(t *rapid.T, rng source) { // whole logs, and logs cut off
		var log bytes.Buffer
		if err := WriteJSON(&log, randomExecution(rng, sig)); err != nil {
			t.Fatal(err)
		}
		sameReading(t, log.String()[:rng.IntN(log.Len()+1)], sig)
	})
}

// places are those of an execution's events in their order.
func places(e *Execution) []Pos {
	ps := make([]Pos, e.Events)
	for i := range e.Ops {
		op := &e.Ops[i]
		ps[op.Call] = op.CallPos
		if op.Completed() {
			ps[op.Return] = op.ReturnPos
		}
	}
	return ps
}

// Lines of JSON that programs write are plain; what is not is left to Reader.
func TestReadJSONLine(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		plain      bool
	}{
		{"call", `{"op":1,"event":"call","method":"add","args":[5],"process":"p1","time":1200}`, true},
		{"return", `{"op":1,"event":"return"}`, true},
		{"with blanks", ` { "op": "1", "event": "return", "rets": [ 1, -2.50 , "a b", null ] }`, true},
		{"other order", `{"time":0.5,"rets":[],"event":"return","op":"x"}`, true},
		{"method of a return", `{"op":1,"event":"return","method":"add"}`, true},
		{"19 digits", `{"op":1,"event":"return","time":9223372036854775808}`, true},
		{"CR", `{"op":1,"event":"return"}` + "\r", true},
		{"escape in a value", `{"op":1,"event":"return","rets":["\n"]}`, false},
		{"escape in a name", `{"\u006fp":1,"event":"return"}`, false},
		{"beyond ASCII", `{"op":1,"event":"return","rets":["ü"]}`, false},
		{"exponents", `{"op":1,"event":"return","rets":[1e5,-0.5E-10],"time":1.75e+18}`, true},
		{"no exponent", `{"op":1,"event":"return","rets":[1e]}`, false},
		{"sign without an exponent", `{"op":1,"event":"return","rets":[1e+]}`, false},
		{"letter after a number", `{"op":1,"event":"return","rets":[1f]}`, false},
		{"five values", `{"op":1,"event":"return","rets":[1,2,3,4,5]}`, false},
		{"outcome", `{"op":1,"event":"return","outcome":"nil"}`, true},
		{"outcome with values", `{"op":1,"rets":[1,2,3],"event":"return","outcome":"error: no"}`, true},
		{"outcome with many values", `{"op":1,"event":"return","outcome":"full","rets":[1,2,3,4]}`, false},
		{"outcome null", `{"op":1,"event":"return","outcome":null}`, false},
		{"outcome value", `{"op":1,"event":"return","outcome":"value","rets":[1]}`, false},
		{"outcome of a call", `{"op":1,"event":"call","method":"add","outcome":"nil"}`, false},
		{"word", `{"op":1,"event":"return","word":"nil"}`, false},
		{"nested value", `{"op":1,"event":"return","rets":[[1]]}`, false},
		{"tab", `{"op":1,` + "\t" + `"event":"return"}`, false},
		{"blank at the end", `{"op":1,"event":"return"} `, false},
		{"unknown field", `{"op":1,"event":"return","x":1}`, false},
		{"repeated field", `{"op":1,"event":"return","op":1}`, false},
		{"no op", `{"event":"return"}`, false},
		{"no event", `{"op":1}`, false},
		{"no method", `{"op":1,"event":"call"}`, false},
		{"other event", `{"op":1,"event":"cal","method":"add"}`, false},
		{"values of the other event", `{"op":1,"event":"call","method":"add","rets":[]}`, false},
		{"empty name", `{"op":"","event":"return"}`, false},
		{"leading zero", `{"op":01,"event":"return"}`, false},
		{"no digits", `{"op":-,"event":"return"}`, false},
		{"no fraction", `{"op":1.,"event":"return"}`, false},
		{"comma too many", `{"op":1,"event":"return",}`, false},
		{"comma too many in an array", `{"op":1,"event":"return","rets":[1,]}`, false},
		{"object", `{"object":"q"}`, false},
		{"empty", `{}`, false},
		{"two objects", `{"op":1,"event":"return"}{}`, false},
		{"text", "[1] return", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p plainEvent
			if end := p.readJSON(tt.line, 0); end == len(tt.line) != tt.plain {
				t.Errorf("%s: read up to %d", tt.line, end)
			}
			for cut := range tt.line {
				if end := p.readJSON(tt.line[:cut], 0); tt.plain && end >= 0 && tt.line[cut:] != "\r" {
					t.Errorf("%s: plain, although cut off", tt.line[:cut])
				}
			}
		})
	}
}

func TestUnusualJSONIsReadAlike(t *testing.T) {
	sig := testSignature(t)
	const (
		object = `{"object":"q"}` + "\n"
		call   = `{"op":1,"event":"call","method":"add","args":[1],"time":5}` + "\n"
		ret    = `{"op":1,"event":"return","time":5}` + "\n"
		other  = `{"op":2,"event":"call","method":"pop","time":5}` + "\n"
	)
	for _, tt := range []struct{ name, src string }{
		{"long value", strings.ReplaceAll(call, "[1]", `["`+strings.Repeat("x", 10<<20)+`"]`) + ret},
		{"long value later", object + call + ret + `{"op":2,"event":"call","method":"add","args":["` + strings.Repeat("x", 10<<20) + `"]}`},
		{"line too long", call + `{"op":"` + strings.Repeat("x", maxLine) + `"}`},
		{"wrong line before one too long", call + call + strings.Repeat("x", maxLine)},
		{"wrong return held before one too long", ret + other + strings.Repeat("x", maxLine)},
		{"cut off", object + call + ret[:20]},
		{"cut off without a value", object + call + ret[:len(ret)-4]},
		{"no end of line", object + call + ret[:len(ret)-1]},
		{"binary after JSON", call + "\x00\x01\x02\xff\n" + ret},
		{"text after JSON", call + "[1] return\n"},
		{"comments and blank lines at the same time", ret + "# note\n\n" + other + object + call},
		{"returns before its call at the same time", ret + call},
		{"called twice at the same time", ret + call + other + call},
		{"returns twice at the same time", ret + other + call + ret},
		{"wrong line after a wrong return at the same time", ret + "{"},
		{"wrong line after returns at the same time", ret + call + other + "{"},
		{"decreasing after returns", call + ret + `{"op":2,"event":"return","rets":[1],"time":4}` + "\n" + other},
		{"decreasing after no time", call + ret + `{"op":2,"event":"call","method":"pop"}` + "\n" + `{"op":2,"event":"return","rets":[1],"time":4}`},
		{"no time between equal times", call + ret + `{"op":3,"event":"call","method":"pop"}` + "\n" + other},
		{"equal as floating-point numbers only", strings.ReplaceAll(call, "5", "9007199254740992") + strings.ReplaceAll(ret, "5", "9007199254740992.0") + strings.ReplaceAll(other, "5", "9007199254740993")},
		{"different text, equal times", call + strings.ReplaceAll(ret, "5", "5.0") + other},
		{"times beyond 64 bits", strings.ReplaceAll(call+ret, "5", "9223372036854775807") + strings.ReplaceAll(other, "5", "9223372036854775808")},
		{"odd return at the same time", strings.ReplaceAll(ret, "op", `\u006fp`) + other + call},
		{"other process", strings.ReplaceAll(call, "{", `{"process":"a",`) + strings.ReplaceAll(ret, "{", `{"process":"b",`)},
		{"process of the return", call + strings.ReplaceAll(ret, "{", `{"process":"b",`)},
		{"method of another operation", call + strings.ReplaceAll(ret, "{", `{"method":"pop",`)},
		{"unknown method of a return", call + strings.ReplaceAll(ret, "{", `{"method":"po",`)},
		{"two objects", object + call + `{"object":"r"}` + "\n" + ret},
		{"after a byte order mark", "\ufeff" + call + ret},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if len(tt.src) > 1<<20 && testing.Short() {
				t.Skip("long")
			}
			sameReading(t, tt.src, sig)
		})
	}
}

// Reading JSON Lines allocates next to nothing for an event, times or not.
func TestReadingJSONAllocatesLittle(t *testing.T) {
	var log bytes.Buffer
	if err := WriteJSON(&log, longExecution(5_000, false)); err != nil {
		t.Fatal(err)
	}
	sig := testSignature(t)
	for name, src := range map[string]string{"without times": log.String(), "with times": withTimes(log.String())} {
		if n := testing.AllocsPerRun(3, func() {
			if _, err := ReadExecution(strings.NewReader(src), "x.log", sig); err != nil {
				t.Fatal(err)
			}
		}); n > 10_000/100 {
			t.Errorf("%s: %v allocations for 10,000 events", name, n)
		}
		if n := testing.AllocsPerRun(3, func() {
			if !Visit(src, sig, nobody{}) {
				t.Fatal("not plain")
			}
		}); n > 100 {
			t.Errorf("%s: %v allocations for a visit of 10,000 events", name, n)
		}
	}
}

// withTimes gives the events of a log times, each two of them the same.
func withTimes(src string) string {
	var b strings.Builder
	for i, line := range strings.SplitAfter(src, "\n") {
		if i > 0 && line != "" { // the first is the object
			line = line[:len(line)-2] + `,"time":` + itoa(1_754_300_000+i/2) + "}\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func FuzzPlainJSON(f *testing.F) {
	f.Add(`{"op":1,"event":"call","method":"add","args":[1],"time":1}` + "\n" + `{"op":2,"event":"call","method":"swap","args":["a",true]}` + "\n" + `{"op":1,"event":"return","time":1}` + "\n" + `{"op":2,"event":"return","rets":["full",5.0]}`)
	f.Add("# @object q\r\n" + ` { "event": "call", "op": "x:1", "process": "p", "method": "pop" }` + "\r\n" + `{"process":"p","op":"x:1","event":"return","rets":[null],"method":"remove"}`)
	f.Add(`{"time":5,"op":1,"event":"return"}` + "\n" + `{"time":5.0,"op":1,"event":"call","method":"add","args":["\u0031"]}` + "\n" + `{"time":4,"op":2,"event":"call","method":"pop"}`)
	f.Add(`{"format":2}` + "\n" + `{"op":1,"event":"call","method":"remove"}` + "\n" + `{"op":1,"event":"return","outcome":"nil"}`)
	f.Add(`{"op":1,"event":"call","method":"add","args":["empty"]}` + "\n" + `{"op":2,"event":"call","method":"remove"}` + "\n" + `{"op":2,"event":"return","rets":["empty"]}`)
	f.Add(`{"op":-1,"event":"call","method":"has","args":[1e5]}` + "\n" + `{"op":-1,"event":"return","rets":[false]}` + "\n[1] return")
	sig := testSignature(f)
	f.Fuzz(func(t *testing.T, src string) { sameReading(t, src, sig) })
}
