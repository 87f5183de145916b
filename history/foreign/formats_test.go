package foreign

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
)

// A file's format is told by its beginning, and a log of ours is never taken for another's.
func TestRecognize(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want Format
	}{
		{`{:process 0, :type :invoke, :f :read}`, Jepsen},
		{"; comment\n , \n[{:type :invoke, :process 0}]", Jepsen},
		{"({ ,:type :invoke})", Jepsen},
		{"[\n{:type :invoke}\n]", Jepsen},
		{"\ufeff{:type :invoke}", Jepsen},
		{"#jepsen.history.Op{:index 0, :type :invoke}", Jepsen},
		{"[#jepsen.history.Op{:index 0, :type :invoke}]", Jepsen},
		{`{:process 0, :type :invoke, :f :append, :key "0", :value "x"}`, Porcupine},
		{"INFO  jepsen.util - 2\t:invoke\t:write\t4", Jepsen},
		{"2016-01-02 INFO [jepsen worker 1] jepsen.util: 2 :invoke :write 4", Jepsen},
		{"INFO jepsen.core - Setting up\nINFO  jepsen.util - 2 :invoke :write 4", Jepsen},
		{"0\t:invoke\t:read\tnil", Jepsen},
		{":nemesis\t:info\t:start\tnil\n0\t:invoke\t:read\tnil", Jepsen},
		{`[{"type": "invoke", "f": "read", "process": 0}]`, ElleCLI},
		{`[{"type": "invoke", "f": "read"}]`, ElleCLI},
		{"\n [ \n{\"index\": 0, \"x\": [{}], \"process\": 0, \"type\": \"invoke\", \"f\": \"read\"}", ElleCLI},
		{`{"type": "invoke", "f": "read", "process": 0, "value": [1, {"op": 2}]}`, ElleCLI},
		{"# @object atomic-stack\n[1] call push 1\n", LiMo},
		{"[1] call pop\n[2] call push x", LiMo},
		{"# stack\n0 1 5 PUSH 1", FPTLin},
		{"# set\n\n  0 1 5 CONTAINS 1 0", FPTLin},

		{"[]", Jepsen},
		{" ()\n", Jepsen},

		// Ours.
		{"", ""},
		{"# stack\n", ""},
		{"# stack\n[1] call add(1)", ""},
		{"# @object atomic-stack\n[1] call push(1)\n[1] return", ""},
		{"[{:type] call add(1)", ""},
		{`[{"type": "invoke", "f": 1, "process": 0}] call add`, ""},
		{"[:invoke] call add", ""},
		{"[1] call add(5)\n[a :ok :b] return", ""},
		{"# INFO jepsen.util - 2 :invoke :write 4\n[1] call add(5)", ""},
		{"[1] call pop\n[1] return 1\n[2] call push(1 2)", ""},
		{`{"format": 2, "type": 1, "f": 1, "process": 0}`, ""},
		{`{"op": 1, "event": "call", "method": "add", "args": ["{:type"], "process": "p1", "type": 1, "f": 2}`, ""},
		{`{"op": 1, "event": "call", "method": "add"}`, ""},
		{`{"type": "invoke"}`, ""},

		// Nobody's.
		{"0 1 5 PUSH 1", ""},
		{"# heap\n0 1 5 PUSH 1", ""},
		{"hello", ""},
		{"{", ""},
		{"[", ""},
		{"[[{:type :invoke}]]", ""},
		{"\x00\x01ALOG", ""},
	} {
		if got := Recognize(tt.src); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.src, got, tt.want)
		}
	}
}

// Histories of each format as text logs, with a theory's methods and without.
func TestFormats(t *testing.T) {
	for _, tt := range []struct {
		name, src, want, guessed string
		o                        Options
	}{
		{name: "LiMo", o: Options{Format: LiMo}, src: "# @object atomic-stack\n\n[1] call push 7\n  [2] call pop\n[1] return\n[2] return 7\n[2] call pop\n[2] return\n[1] call pop()\n[1] return empty\n[3] call push(8)",
			want: "[1] call push(7); [2] call pop; [1] return; [2] return 7; [5] call pop; [5] return -; [7] call pop; [7] return -; [9] call push(8)"},
		{name: "LiMo, answers in calls", src: "[1] call write(a)\n[1] return \n[1] call read(a)\n[1] return", o: Options{Format: LiMo},
			want: "[1] call write(a); [1] return; [3] call read; [3] return a"},
		{name: "FPTLin", src: "# stack\n0 4 5 POP -1\n2 1 3 PUSH 2\n0 2 2 POP 2\n",
			want: "[2] call push(2); [3] call pop; [3] return 2; [2] return; [1] call pop; [1] return -"},
		{name: "FPTLin, same times", src: "# stack\n0 1 5 PUSH 1\n0 5 6 PUSH 2\n",
			want: "[1] call push(1); [2] call push(2); [1] return; [2] return"},
		{name: "FPTLin, a set", src: "# set\n0 1 2 INSERT 7 1\n0 3 4 CONTAINS 7 1\n0 5 6 REMOVE 8 0", o: Options{Format: FPTLin},
			guessed: "[1] call insert(7); [1] return true; [2] call contains(7); [2] return true; [3] call remove(8); [3] return false"},
		{name: "FPTLin, a register", src: "# rmw\n0 1 2 READ_MODIFY_WRITE 0 2", guessed: "[1] call read_modify_write(2); [1] return 0"},
		{name: "FPTLin, a semaphore", src: "# semaphore\n0 1 2 INCR 1\n0 3 4 DECR 0", guessed: "[1] call incr; [1] return true; [2] call decr; [2] return false"},
		{name: "elle-cli", src: `[{"process": 0, "type": "invoke", "f": "write", "value": 7, "x": {"y": [1, null]}},
			{"process": 0, "type": "ok", "f": "write", "value": 7}, {"process": "nemesis", "type": "info", "f": "kill", "value": null},
			{"process": 1, "type": "invoke", "f": "read", "value": null}, {"process": 1, "type": "ok", "f": "read", "value": 7}]`,
			want: "[1] call write(7); [1] return; [3] call read; [3] return 7"},
		{name: "elle-cli, a line each", src: `{"process": 0, "type": "invoke", "f": "write", "value": "é \" [", "time": 9}` + "\n" +
			`{"process": 1, "type": "invoke", "f": "write", "value": [1, "a"], "time": 5}` + "\n" + `{"process": 1, "type": "ok", "f": "write", "value": [1, "a"], "time": 6}`,
			want: `[1] call write("[1 \"a\"]"); [1] return; [3] call write("é \" [")`},
		{name: "elle-cli, failed", src: `[{"process": 0, "type": "invoke", "f": "write", "value": 7},{"process": 0, "type": "fail", "f": "write", "value": 7}]`, want: ""},
		{name: "elle-cli, keys", src: `[{"process": 0, "type": "invoke", "f": "write", "key": 3, "value": 7},{"process": 0, "type": "ok", "f": "write", "key": 3, "value": 7}]`,
			guessed: "[1] call write(3, 7); [1] return"},
		{name: "jepsen.util", src: "INFO  jepsen.core - Go\r\nINFO  jepsen.util - 2\t:invoke\t:write\t4\r\nINFO  jepsen.util - 2  :ok :write 4\r\nINFO  jepsen.util - :nemesis :info :start nil\r\n" +
			"INFO  jepsen.util - 12 :invoke :read\tnil\r\nINFO  jepsen.util - 1 :invoke :read nil\r\nINFO  jepsen.util - 12 :ok :read 4\r\nINFO  jepsen.util - 1 :info :read :timed-out \"late\" [x]\r\n",
			want: "[1] call write(4); [1] return; [3] call read; [3] return 4"},
		{name: "jepsen.log", src: "2024-03-07 01:33:20,141{GMT}\tINFO\t[main] jepsen.core: Running test:\n {:name \"r\"\n  :concurrency 5 :nodes [\"n1\"\n  :generator ({:type :invoke :f :read})\n" +
			"2024-03-07 01:33:24,999{GMT}\tINFO\t[jepsen node n1] jepsen.util: Waiting for n1\n2024-03-07 01:33:24,999{GMT}\tINFO\t[jepsen node n1] jepsen.util: 4 of 5 nodes\n" +
			"2024-03-07 01:33:25,141{GMT}\tINFO\t[jepsen worker 4] jepsen.util: 4\t:invoke\t:write\t3\n2024-03-07 01:33:25,151{GMT}\tINFO\t[jepsen nemesis] jepsen.util: :nemesis\t:info\t:start\tnil\n" +
			"2024-03-07 01:33:25,241{GMT}\tINFO\t[jepsen worker 4] jepsen.util: 4\t:ok\t:write\t3\n2024-03-07 01:33:29,241{GMT}\tINFO\t[main] jepsen.core: {:stats {:ok 1 :fail 5}\n :valid? true, :ok 3 :count 7}\n :op {:type :ok\n :f :read}",
			want: "[1] call write(3); [1] return"},
		{name: "jepsen.log, older", src: "INFO [2025-08-25 15:51:26,663] jepsen worker 4 - jepsen.util 4\t:invoke\t:write\t3\nINFO [2025-08-25 15:51:26,663] jepsen test runner - jepsen.core Everything :ok now\n",
			want: "[1] call write(3)"},
		{name: "clients with names", src: `{:process "7" :type :invoke :f :write :value 1}{:process 7 :type :ok :f :write :value 1}{:process :a :type :invoke :f :write :value 2}{:process :nemesis :type :info :f :start}` +
			`{:process :a :type :info :f :write :value 2}{:process "b" :type :invoke :f :write :value 3}{:process :b :type :ok :f :write}`,
			want: "[1] call write(1); [1] return; [3] call write(2); [5] call write(3); [5] return"},
		{name: "clients with names, in JSON", src: `{"process": "7", "type": "invoke", "f": "write", "value": 1}{"process": 7, "type": "ok", "f": "write", "value": 1}{"process": "a", "type": "invoke", "f": "write", "value": 2}{"process": "a", "type": "info", "f": "write", "value": 2}`,
			want: "[1] call write(1); [1] return; [3] call write(2)"},
		{name: "indexes", src: `[{"index": 7, "process": 0, "type": "invoke", "f": "write", "value": 1}, {"index": 8, "process": 0, "type": "ok", "f": "write", "value": 1}, {"index": 9, "process": 0, "type": "invoke", "f": "write", "value": 2}]`,
			want: "[7] call write(1); [7] return; [9] call write(2)"},
		{name: "jepsen.util, bare", src: "2 :invoke :cas [0 2]\n2 :fail :cas [0 2]\n3 :invoke :write 1", o: Options{Format: Jepsen, FailedIsFalse: true},
			guessed: "[1] call cas(0, 2); [1] return false; [3] call write(1)"},
		{name: "Violin", src: "# @object atomic-stack\n[1] call push(1)\n[1] return\n[2] call pop\n[2] return empty\n", o: Options{Format: Violin},
			want: "[1] call push(1); [1] return; [2] call pop; [2] return -", guessed: "[1] call push(1); [1] return; [2] call pop; [2] return empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := text(tt.src, tt.o, anyMethod(t)); tt.want != "" && got != tt.want && got != strings.ReplaceAll(tt.want, "return -", "return empty") {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if got := text(tt.src, tt.o, history.Signature{}); tt.guessed != "" && got != tt.guessed {
				t.Errorf("without methods: got %s\nwant %s", got, tt.guessed)
			}
		})
	}
}

// happening is an event of a random history.
type happening struct {
	op, process int
	call        bool
	pop         bool
	value       int // 0 of a pop: there was nothing
}

// random is a history of a stack, with events in any order that processes allow.
func random(r *rand.Rand, complete bool) (all []happening) {
	open := map[int]happening{}
	n := 1 + r.IntN(12)
	for ops := 0; ops < n || complete && len(open) > 0; {
		p := r.IntN(4)
		h, busy := open[p]
		switch {
		case busy:
			h.call = false
			if h.pop {
				h.value = r.IntN(3)
			}
			delete(open, p)
			all = append(all, h)
		case ops < n:
			ops++
			open[p] = happening{op: ops, process: p, call: true, pop: r.IntN(2) == 0, value: 1 + r.IntN(3)}
			all = append(all, open[p])
		}
	}
	return all
}

// ours is a history as a text log.
func ours(all []happening) string {
	var lines []string
	for _, h := range all {
		lines = append(lines, fmt.Sprintf("[%d] %s", h.op, h.plain("call push(%d)", "call pop", "return", "return %d", "return -")))
	}
	return strings.Join(lines, "; ")
}

// plain is what a format says of an event.
func (h happening) plain(push, pop, pushed, popped, nothing string) string {
	switch {
	case h.call && h.pop:
		return pop
	case h.call:
		return fmt.Sprintf(push, h.value)
	case !h.pop:
		return pushed
	case h.value == 0:
		return nothing
	}
	return fmt.Sprintf(popped, h.value)
}

// writers write a history in a format.
var writers = map[Format]func(all []happening) string{
	LiMo: func(all []happening) string {
		src := "# @object atomic-stack\n"
		for _, h := range all {
			src += fmt.Sprintf("[%d] %s\n", h.process, h.plain("call push %d", "call pop", "return", "return %d", "return"))
		}
		return src
	},
	FPTLin: func(all []happening) string {
		lines := make([]string, len(all)+1)
		for at, h := range all {
			if h.call {
				continue
			}
			start := 0
			for i, c := range all {
				if c.op == h.op && c.call {
					start = i
				}
			}
			value := h.value
			if value == 0 {
				value = -1
			}
			lines[len(lines)-1-at] = fmt.Sprintf("%d %d %d %s %d\n", h.process, start, at, map[bool]string{true: "POP", false: "PUSH"}[h.pop], value)
		}
		return "# stack\n" + strings.Join(lines, "")
	},
	ElleCLI: func(all []happening) string {
		var parts []string
		for i, h := range all {
			parts = append(parts, fmt.Sprintf(`{"index":%d,"process":%d,"ext":["x"],%s}`, i, h.process, h.plain(
				`"type":"invoke","f":"push","value":%d`, `"type":"invoke","f":"pop","value":null`,
				`"type":"ok","f":"push"`, `"f":"pop","type":"ok","value":%d`, `"type":"ok","f":"pop","value":null`)))
		}
		return "[" + strings.Join(parts, ",\n") + "]"
	},
	Jepsen: func(all []happening) string {
		src := ""
		for _, h := range all {
			src += fmt.Sprintf("INFO  jepsen.util - %d\t%s\n", h.process, h.plain(":invoke\t:push\t%d", ":invoke :pop nil", ":ok  :push", ":ok\t:pop\t%d", ":ok :pop nil"))
		}
		return src
	},
	Violin: func(all []happening) string { return strings.ReplaceAll(ours(all), "; ", "\n") },
}

// A file may be one line: positions are not counted from its beginning each time.
func TestOneLongLine(t *testing.T) {
	const operation = `{"process": 0, "type": "invoke", "f": "write", "value": "é"}, {"process": 0, "type": "ok", "f": "write"}, `
	src := "[" + strings.Repeat(operation, 50000) + `{"process": 0, "type": "ok", "f": "write"}]`
	want := fmt.Sprintf("f:1:%d: process 0 completes write without having invoked it", 2+50000*utf8.RuneCountInString(operation))
	if got := text(src, Options{}, anyMethod(t)); !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is written in a format is read as what it was.
func TestRoundTrips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	identifier := regexp.MustCompile(`\[\d+\]`)
	for range 300 {
		for format, write := range writers {
			all := random(r, format == FPTLin)
			src := write(all)
			// The importers number operations as they like.
			numbers := map[string]string{}
			got := identifier.ReplaceAllStringFunc(text(src, Options{Format: format}, anyMethod(t)), func(id string) string {
				if numbers[id] == "" {
					numbers[id] = fmt.Sprintf("[%d]", len(numbers)+1)
				}
				return numbers[id]
			})
			if want := ours(all); got != want {
				t.Fatalf("%s:\n%s\nread as %s\nwant %s", format, src, got, want)
			}
			if told := Recognize(src); told != "" && told != format {
				t.Errorf("%s is taken for %s:\n%s", format, told, src)
			}
		}
	}
}

// No input panics, and each is refused with a place in it; what is recognized is so by its own parser.
func fuzz(f *testing.F, format Format, parse parser) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		f.Add(writers[format](random(r, true)))
	}
	f.Fuzz(func(t *testing.T, src string) {
		Recognize(src)
		check := func(err error) {
			var wrong *history.ParseError
			if err == nil {
				return
			}
			lines := strings.Split(src, "\n")
			if !errors.As(err, &wrong) || wrong.Pos.Line < 1 || wrong.Pos.Line > len(lines) || wrong.Pos.Col < 1 || wrong.Pos.Col > len(lines[wrong.Pos.Line-1])+1 {
				t.Errorf("%q: %v", src, err)
			}
		}
		check(parse(src, "f", func(r *record) error {
			if r.pos.Line < 1 || r.pos.Col < 1 || r.method == "" && r.process != "" {
				t.Errorf("%q: record %+v", src, r)
			}
			return nil
		}))
		a := newAssembler("f", Options{Format: format}, anyMethod(t))
		err := parse(src, "f", a.add)
		if err == nil {
			err = a.pair()
		}
		for err == nil {
			_, err = a.next()
		}
		if err.Error() != "EOF" {
			check(err)
		}
	})
}

func FuzzLines(f *testing.F)   { fuzz(f, Jepsen, parseLines) }
func FuzzElleCLI(f *testing.F) { fuzz(f, ElleCLI, parseElleCLI) }
func FuzzLiMo(f *testing.F)    { fuzz(f, LiMo, parseLiMo) }
func FuzzFPTLin(f *testing.F)  { fuzz(f, FPTLin, parseFPTLin) }
