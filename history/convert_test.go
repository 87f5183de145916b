package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Logs that are copied from any format to any are read as the same execution.
func TestConvertKeepsExecutions(t *testing.T) {
	sig := testSignature(t)
	testsize.Check(t, 1, func(t *rapid.T) {
		e := randomExecution(rapidSource{t}, sig)
		for i := range e.Ops {
			if o := &e.Ops[i]; !o.Completed() && rapid.IntRange(0, 2).Draw(t, "unknown") > 0 {
				e.Unknown = append(e.Unknown, [2]int{i, e.Events})
			}
		}
		for from, write := range map[string]func(io.Writer, *Execution) error{"text": WriteText, "json": WriteJSON} {
			var log bytes.Buffer
			if err := write(&log, e); err != nil {
				t.Fatal(err)
			}
			for to, format := range map[string]Format{"text": Text, "json": JSON} {
				var copied bytes.Buffer
				if err := NewReader(strings.NewReader(log.String()), "x.log").Convert(context.Background(), &copied, format); err != nil {
					t.Fatal(err)
				}
				got, err := ReadLog(&copied, "y.log", sig)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(e, got, ignoring()); d != "" {
					t.Fatalf("from %s to %s:\n%s%s", from, to, log.String(), d)
				}
			}
		}
	})
}

// Strings of JSON are texts in every format, however they look: none is another way to write a value of the log.
func TestConvertKeepsTexts(t *testing.T) {
	sig := testSignature(t)
	texts := []string{`{"x":1}`, "{x}", "{x:1}", "T{1}", "map[a:1]", "[1,2]", "[1]", "{}", "3.0", "3", "True", "_", "x"}
	var log strings.Builder
	log.WriteString("{\"format\":2}\n")
	for i, text := range texts {
		fmt.Fprintf(&log, `{"op":%d,"event":"call","method":"add","args":[%q]}`+"\n", i, text)
		fmt.Fprintf(&log, `{"op":%d,"event":"return"}`+"\n", i)
		fmt.Fprintf(&log, `{"op":"r%d","event":"call","method":"remove"}`+"\n", i)
		fmt.Fprintf(&log, `{"op":"r%d","event":"return","rets":[%q]}`+"\n", i, text)
	}
	want, err := ReadLog(strings.NewReader(log.String()), "x.jsonl", sig)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range formats {
		var copied bytes.Buffer
		if err := NewReader(strings.NewReader(log.String()), "x.jsonl").Convert(t.Context(), &copied, format); err != nil {
			t.Fatal(err)
		}
		got, err := ReadLog(&copied, "y", sig)
		if err != nil {
			t.Errorf("%v: %v", format, err)
		} else if d := cmp.Diff(want, got, ignoring()); d != "" {
			t.Errorf("%v: %s", format, d)
		}
	}
}

// What a log says beyond its execution is kept as well.
func TestConvertText(t *testing.T) {
	const log = "# @object q\n[1] call any({x [1, 2]}, \"a b\")\n[1] return error: no such \"key\"\n[2] call m\n[2] return \"empty\", -\n"
	var text, lines bytes.Buffer
	if err := NewReader(strings.NewReader(log), "x.log").Convert(t.Context(), &text, Text); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Replace(log, "{x [1, 2]}", `"{x [1, 2]}"`, 1), text.String()); d != "" {
		t.Error(d)
	}
	if err := NewReader(strings.NewReader(log), "x.log").Convert(t.Context(), &lines, JSON); err != nil {
		t.Fatal(err)
	}
	want := `{"format":2,"object":"q"}
{"op":1,"event":"call","method":"any","args":["{x [1, 2]}","a b"]}
{"op":1,"event":"return","word":"error: no such \"key\""}
{"op":2,"event":"call","method":"m"}
{"op":2,"event":"return","rets":["empty","-"]}
`
	if d := cmp.Diff(want, lines.String()); d != "" {
		t.Error(d)
	}
}

func TestConvertErrors(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"called twice", "[1] call a\n[1] call a", "x.log:2:1: operation 1 is called twice; the first call is on line 1"},
		{"not called", "[1] return", "x.log:1:1: operation 1 returns, but it was not called"},
		{"returned twice", "[1] call a\n[1] return\n[1] return", "x.log:3:1: operation 1 returns, but it was not called, or returned before"},
		{"syntax", "[1] call a\n[1] retrun", "x.log:2:5: "},
		{"identifier", `{"op":"a]","event":"call","method":"m"}`, `x.log:1:1: identifier "a]" has no place in a text log`},
		{"method", `{"op":1,"event":"call","method":"m n"}`, `x.log:1:1: method "m n" has no place in a text log`},
		{"object", `{"object":"a\nb"}`, `history: object "a\nb" has no place in a text log`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := NewReader(strings.NewReader(tt.src), "x.log").Convert(t.Context(), io.Discard, Text)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	for _, f := range formats {
		if err := NewReader(strings.NewReader("[1] call a"), "x.log").Convert(t.Context(), brokenWriter{}, f); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("a broken writer: %v", err)
		}
	}
}
