package table_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign/table"
)

var update = flag.Bool("update", false, "rewrite what malformed tables are refused with")

// read reads a table, and gives its events in words.
func read(t testing.TB, src, columns string) ([]string, error) {
	t.Helper()
	c, err := table.ParseColumns(columns)
	if err != nil {
		return nil, err
	}
	events, err := table.Read(src, "x.csv", c)
	var all []string
	for _, x := range events {
		text := fmt.Sprintf("%s return %q", x.Op, x.Values)
		if x.Call {
			text = fmt.Sprintf("%s call %s %q", x.Op, x.Method, x.Values)
		}
		if x.Timed {
			text += fmt.Sprintf(" at %d", x.Time)
		}
		if !x.Call && x.Quoted != 0 {
			text += fmt.Sprintf(" quoted %b", x.Quoted)
		}
		all = append(all, text+strings.TrimRight(" "+x.Process+" "+x.Object+" "+string(x.Outcome), " "))
	}
	return all, err
}

// TestRead: what tables mean.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, src, columns, want string }{
		{"plain", "call,return,method,arguments,answer\n1,3,put,\"k, 1\",\n2,5,get,k,1\n", "", `1 call put ["k" "1"]|2 call get ["k"]|1 return []|2 return ["1"]`},
		{"equal times overlap", "call,return,method\n1,2,a\n2,3,b\n", "", `1 call a []|2 call b []|1 return []|2 return []`},
		{"at one time", "call,return,method\n1,1,a\n1,1,b\n", "", `1 call a []|2 call b []|1 return []|2 return []`},
		{"any order of rows", "call,return,method\n5,6,b\n1,2,a\n", "", `2 call a []|2 return []|1 call b []|1 return []`},
		{"pending", "call,return,method,answer\n1,,a,\n2,3,b,x\n", "", `1 call a []|2 call b []|2 return ["x"]`},
		{"units", "call_ms,return (ms),method\n1,2.5,a\n", "", `1 call a [] at 1000000|1 return [] at 2500000`},
		{"dates", "start,end,op\n2026-01-01T00:00:00Z,2026-01-01T02:00:00.5+02:00,a\n", "", `1 call a [] at 1767225600000000000|1 return [] at 1767225600500000000`},
		{"negative decimals", "call,return,method\n-1.5,-1.25,a\n-1.3,2,b\n", "", `1 call a []|2 call b []|1 return []|2 return []`},
		{"ruled", "| thread | call | return | method | answer |\n|---|:--|---|---|---|\n| t1 | 1 | 2 | a | x\\|y |\n", "", `1 call a [] t1|1 return ["x|y"] t1`},
		{"framed", "+--+--+\n| call | return | method |\n+--+--+\n| 1 | 2 | a |\n+--+--+\n", "", `1 call a []|1 return []`},
		{"a call in one cell", "call;return;op;result\n1;2;add(1, [2, 3]);\n", "", `1 call add ["1" "[2, 3]"]|1 return []`},
		{"ids and objects", "id,object,call,return,op\nx7,q1,1,2,a\n", "", `x7 call a []  q1|x7 return []  q1`},
		{"several arguments", "call,return,op,arg1,arg2,answer\n1,2,put,k,v,\n3,4,get,k,,v\n", "", `1 call put ["k" "v"]|1 return []|2 call get ["k"]|2 return ["v"]`},
		{"quotes", "call,return,op,args,answer\n1,2,put,\"\"\"a, b\"\", c\",\"\"\"nil\"\"\"\n", "", `1 call put ["a, b" "c"]|1 return ["nil"] quoted 1`},
		{"an error's words", "call,return,op,answer\n1,2,put,\"error: no, such key\"\n", "", `1 call put []|1 return ["error: no, such key"]`},
		{"named", "t0,t1,what,cost\n1,2,a,9\n", "t0=call:us,t1=return:us,what=method,cost=-", `1 call a [] at 1000|1 return [] at 2000`},
		{"no header", "1\t2\ta\n", "call,return,method", `1 call a []|1 return []`},
		{"comments", "\ufeff# made by hand\n\ncall,return,method\n# none\n1,2,a\n", "", `1 call a []|1 return []`},
	} {
		got, err := read(t, tt.src, tt.columns)
		if diff := cmp.Diff(strings.Split(tt.want, "|"), strings.Split(strings.ReplaceAll(strings.Join(got, "\x00"), "\x00", "|"), "|")); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

// Each line of testdata/malformed.txt is a table, in which \n is a new line and \t a tab, perhaps after --columns and a blank, and what
// it is refused with.
func TestMalformed(t *testing.T) {
	file := filepath.Join("testdata", "malformed.txt")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	n := 0
	for line := range strings.Lines(string(want)) {
		input, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  =>  ")
		src, columns := input, ""
		if rest, is := strings.CutPrefix(input, "--columns "); is {
			columns, src, _ = strings.Cut(rest, " ")
		}
		_, err := read(t, strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\xff`, "\xff").Replace(src), columns)
		if err == nil {
			t.Fatalf("%s is read", input)
		}
		if wrong := (*history.ParseError)(nil); !strings.HasPrefix(err.Error(), "--columns") && (!errors.As(err, &wrong) || wrong.Pos.Line == 0 || wrong.Pos.Col == 0) {
			t.Errorf("%s: %v has no place", input, err)
		}
		got.WriteString(input + "  =>  " + err.Error() + "\n")
		n++
	}
	if n < 30 {
		t.Errorf("%d inputs, want 30", n)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}

// TestRecognize: tables whose columns are named, and nothing else.
func TestRecognize(t *testing.T) {
	for src, want := range map[string]bool{
		"process,call,return,method,arguments,answer\n": true,
		"op;start_ns;end_ns\n":                          true,
		"# x\n| call | return | method |\n":             true,
		"+----+\n| call | return | method |\n":          true,
		"| Thread 1 | Thread 2 |\n":                     true, // to be refused
		"call,return\n":                                 false,
		"[1] call add(1)\n":                             false,
		`{"op":1,"event":"call","method":"add"}` + "\n": false,
		"a,b,c\n": false,
		"":        false,
	} {
		if got := table.Recognize(src); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

// FuzzRead: whatever is read has as many returns as there may be, in the order of time.
func FuzzRead(f *testing.F) {
	f.Add("call,return,method\n1,2,a\n", "")
	f.Add("| call_ms | return_ms | op |\n|--|--|--|\n| 1.5 | | a(1, {2}) |\n", "")
	f.Add("1;2;a;\"b\"\"\"\n", "call,return,method,answer")
	f.Fuzz(func(t *testing.T, src, columns string) {
		c, err := table.ParseColumns(columns)
		if err != nil {
			return
		}
		events, err := table.Read(src, "x", c)
		if err != nil {
			return
		}
		var open []string
		for _, x := range events {
			at := slices.Index(open, x.Op)
			switch {
			case x.Call:
				open = append(open, x.Op)
			case at < 0:
				t.Fatalf("%q returns before it is called", x.Op)
			default:
				open = slices.Delete(open, at, at+1)
			}
		}
	})
}
