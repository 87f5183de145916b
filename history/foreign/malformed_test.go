package foreign

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

var update = flag.Bool("update", false, "rewrite what malformed inputs are refused with")

// good is a history of each format, before what is malformed.
var good = map[Format]string{
	"lines": "INFO  jepsen.util - 0\t:invoke\t:write\t1\n",
	ElleCLI: `{"type":"invoke","f":"write","value":1,"process":0}` + "\n",
	LiMo:    "[1] call push 1\n",
	FPTLin:  "0 1 5 PUSH 1\n",
	Violin:  "[1] call add(1)\n",
}

// Each file of testdata/malformed has inputs, a line each in which \n is a new line, and what they are refused
// with; they come after a good line. The line number is therefore one more than in the input.
func TestMalformed(t *testing.T) {
	for format, first := range good {
		t.Run(string(format), func(t *testing.T) {
			file := filepath.Join("testdata", "malformed", string(format)+".txt")
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			n := 0
			for line := range strings.Lines(string(want)) {
				input, _, isCase := strings.Cut(line, "  =>  ")
				if !isCase {
					t.Fatalf("no => in %q", line)
				}
				n++
				src := first + strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\xff`, "\xff").Replace(input)
				message := refused(t, format, src)
				got.WriteString(input + "  =>  " + message + "\n")
			}
			if n < 30 {
				t.Errorf("%d inputs, want 30", n)
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != string(want) {
				t.Errorf("got\n%s", got.String())
			}
		})
	}
}

// refused is the message that an input is refused with, after checking its position.
func refused(t *testing.T, format Format, src string) string {
	t.Helper()
	o := Options{Format: format}
	if format == "lines" {
		o.Format = Jepsen
	}
	_, err := New(strings.NewReader(src), "f", o, anyMethod(t)).Execution(anyMethod(t))
	var wrong *history.ParseError
	if !errors.As(err, &wrong) {
		t.Errorf("%q: %v, want an error with a position", src, err)
		return "?"
	}
	lines := strings.Split(src, "\n")
	if wrong.Pos.Line < 1 || wrong.Pos.Line > len(lines) || wrong.Pos.Col < 1 || wrong.Pos.Col > len(lines[wrong.Pos.Line-1])+1 {
		t.Errorf("%q: no such place: %v", src, err)
	}
	return strings.TrimPrefix(err.Error(), "f:")
}

// anyMethod is a signature of the methods that the histories here have.
func anyMethod(t testing.TB) history.Signature {
	t.Helper()
	none, some, null := history.OutcomeSig{Outcome: history.None}, history.OutcomeSig{Outcome: history.Some, Rets: 1}, history.OutcomeSig{Outcome: history.Nil}
	s, err := history.NewSignature(
		history.MethodSig{Name: "write", Args: 1, Outcomes: []history.OutcomeSig{none}},
		history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{none}},
		history.MethodSig{Name: "push", Args: 1, Outcomes: []history.OutcomeSig{none}},
		history.MethodSig{Name: "pop", Outcomes: []history.OutcomeSig{some, null}},
		history.MethodSig{Name: "read", Outcomes: []history.OutcomeSig{some}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
