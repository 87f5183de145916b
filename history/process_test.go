package history

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestTextProcesses: what stands behind @ is the process, in calls, returns or both.
func TestTextProcesses(t *testing.T) {
	sig := testSignature(t)
	for _, tt := range []struct{ name, src, want string }{
		{"both", "[7@3] call add(1)\n[7@3] return", "7 of 3"},
		{"the call", "[7@3] call add(1)\n[7] return", "7 of 3"},
		{"the return", "[7] call add(1)\n[7@3] return", "7 of 3"},
		{"words", "[a 1@client b] call add(1)\n[a 1@client b] return", "a 1 of client b"},
		{"a host", "[7@me@host] call add(1)\n[7@me@host] return", "7 of me@host"},
		{"two at once", "[1@a] call add(1)\n[2@a] call add(2)\n[1@a] return\n[2@a] return", "1 of a, 2 of a"}, // as in JSON Lines
		{"numbers of their own", "[1@a] call add(1)\n[1@b] call add(2)\n[1@b] return\n[1@a] return", "1 of a, 1@b of b"},
		{"nobody", "[7@] call add(1)\n[7@] return\n[@7] call add(2)\n[@7] return", "7@ of , @7 of "},
		{"another returns", "[7@3] call add(1)\n[7@4] return", "x.log:2:1: process 4 returns from operation 7, which process 3 called"},
		{"called twice", "[7@3] call add(1)\n[7@3] call add(2)", "x.log:2:1: operation 7 is called twice; the first call is on line 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := sameReading(t, tt.src, sig)
			var got []string
			if e == nil {
				_, err := ReadLog(strings.NewReader(tt.src), "x.log", sig)
				got = append(got, err.Error())
			} else {
				for _, o := range e.Ops {
					got = append(got, o.ID+" of "+o.Process)
				}
			}
			if d := cmp.Diff(tt.want, strings.Join(got, ", ")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestAtInIdentifiers: logs whose identifiers have an @ say what they say with other identifiers, and their operations keep
// identifiers of their own.
func TestAtInIdentifiers(t *testing.T) {
	sig := testSignature(t)
	check(t, func(t *rapid.T, rng source) {
		e := randomExecution(rng, sig)
		e.Object = ""
		spelled := map[string]bool{}
		var pairs []string
		for i := range e.Ops {
			e.Ops[i].ID, e.Ops[i].Process = itoa(i+1), ""
			id := ""
			for id == "" || spelled[id] {
				id = []string{"", "@", "op ", "@@"}[rng.IntN(4)] + itoa(rng.IntN(9)) + []string{"@a", "@b", "@1", "x", "@a@b"}[rng.IntN(5)]
			}
			spelled[id] = true
			pairs = append(pairs, "["+itoa(i+1)+"]", "["+id+"]")
		}
		var plain bytes.Buffer
		if err := WriteText(&plain, e); err != nil {
			t.Fatal(err)
		}
		var src strings.Builder
		replace := strings.NewReplacer(pairs...)
		for line := range strings.Lines(plain.String()) {
			id, rest, _ := strings.Cut(line, " ")
			src.WriteString(replace.Replace(id) + " " + rest)
		}
		got, err := streamed(src.String(), sig)
		if err != nil {
			t.Fatalf("%s: %v", src.String(), err)
		}
		again, err := followed(NewReader(strings.NewReader(src.String()), "x.log"), sig)
		if err != nil {
			t.Fatalf("%s: %v", src.String(), err)
		}
		ids := map[string]bool{}
		for i := range got.Ops {
			ids[got.Ops[i].ID] = true
		}
		if len(ids) < len(got.Ops) {
			t.Fatalf("%s: identifiers %v of %d operations", src.String(), ids, len(got.Ops))
		}
		for _, got := range []*Execution{got, again} {
			if d := cmp.Diff(e, got, ignoring("ID", "Process")); d != "" {
				t.Fatalf("%s: %s", src.String(), d)
			}
		}
	})
}

// TestNoPlaceForProcesses: a text log refuses what it would read as something else.
func TestNoPlaceForProcesses(t *testing.T) {
	for _, tt := range []struct{ id, process, want string }{
		{"7", "3", "[7@3]"},
		{"1@b", "b", "[1@b]"},
		{"7", "me@host", "[7@me@host]"},
		{"7@3", "", "would be operation 7 of process 3"},
		{"7@", "3", "no place in a text log"},
		{"7", "a]b", `process "a]b" has no place in a text log`},
		{"7", " a", `process " a" has no place in a text log`},
	} {
		e := Sequential(labelOf("add", None, "1", ""))
		e.Ops[0].ID, e.Ops[0].Process = tt.id, tt.process
		var out strings.Builder
		err := WriteText(&out, e)
		if got := out.String() + fmt.Sprint(err); !strings.Contains(got, tt.want) || (err == nil) != (tt.want[0] == '[') {
			t.Errorf("%s of %s: %s", tt.id, tt.process, got)
		}
	}
}
