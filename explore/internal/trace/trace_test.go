package trace

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func randomRecord(r *rand.Rand) *Record {
	rec := &Record{Bounds: [3]int{1 + r.IntN(4), r.IntN(9), r.IntN(300)}}
	for i := range rec.Program {
		rec.Program[i] = byte(r.Uint32())
	}
	for range r.IntN(4) {
		rec.Written = append(rec.Written, r.Uint64()>>r.IntN(64))
	}
	rec.Kind, rec.Lost = uint8(r.IntN(4)), r.IntN(40)
	for range r.IntN(30) {
		m := machine.Move{Thread: r.IntN(6), Call: int32(r.IntN(12)) - 1}
		for range r.IntN(8) / 5 * r.IntN(4) {
			m.Choices = append(m.Choices, int32(r.IntN(1000)))
		}
		rec.Moves = append(rec.Moves, m)
	}
	rec.Cycle = r.IntN(len(rec.Moves) + 1)
	return rec
}

// TestRecord writes records, reads them back, and damages them.
func TestRecord(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range testsize.Samples(20_000) {
		want := randomRecord(r)
		text := want.String()
		got, err := Parse(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %+v, want %+v: %v", seed, got, want, err)
		}
		at := len(version) + r.IntN(len(text)-len(version))
		damaged := []byte(text)
		for damaged[at] == text[at] {
			damaged[at] = "abcXYZ059_-"[r.IntN(11)]
		}
		for _, bad := range []string{string(damaged), text[:len(text)-1-r.IntN(len(text)/2)], text + "AAAA"} {
			got, err := Parse(bad)
			if err == nil && !reflect.DeepEqual(got, want) { // the last letter may have bits that say nothing
				t.Fatalf("seed %d: %q is read as %+v", seed, bad, got)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "no replay string",
		"hello":                   "no replay string",
		"x0-" + "AAAA":            "another version",
		"x1-!!":                   "damaged",
		"x1-AAAA":                 "damaged",
		"a-very-long-other-thing": "no replay string",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
}

func program() *ir.Program {
	return &ir.Program{
		Strings: ir.NewStrings(), Interfaces: []*ir.Interface{{Name: "I"}},
		Funcs:     []*ir.Func{{Name: "New", Code: []ir.Instr{{Op: ir.Return}}}, nil},
		Layouts:   []*ir.Layout{{Name: "T", Words: []ir.Kind{ir.Data}}},
		Types:     []*ir.Type{nil, {Name: "int"}},
		Consts:    []ir.Word{1},
		Positions: []ir.Position{{}, {File: "t.go", Line: 3, Col: 1}},
		Ops:       []ir.Operation{{Method: "add"}},
		Globals:   []ir.Global{{Name: "g"}},
		Natives:   []ir.Native{{Name: "n"}},
	}
}

// TestHash sees that each part of a program counts.
func TestHash(t *testing.T) {
	calls := []machine.Call{{Op: 0, Args: []ir.Word{1}}}
	same := HashOf(program(), calls)
	if HashOf(program(), calls) != same {
		t.Error("the same program has two hashes")
	}
	seen := map[Hash]string{same: "the program"}
	for name, change := range map[string]func(*ir.Program){
		"code":      func(p *ir.Program) { p.Funcs[0].Code[0].Op = ir.Panic },
		"layout":    func(p *ir.Program) { p.Layouts[0].Words[0] = ir.Ptr },
		"type":      func(p *ir.Program) { p.Types[1].Comparable = true },
		"constant":  func(p *ir.Program) { p.Consts[0]++ },
		"line":      func(p *ir.Program) { p.Positions[1].Line++ },
		"interface": func(p *ir.Program) { p.Interfaces[0].Methods = []int{1} },
		"text":      func(p *ir.Program) { p.Strings.Number("x") },
		"op":        func(p *ir.Program) { p.Ops[0].Method = "remove" },
		"global":    func(p *ir.Program) { p.Globals[0].Init = []ir.Word{1} },
		"native":    func(p *ir.Program) { p.Natives[0].Name = "m" },
	} {
		p := program()
		change(p)
		h := HashOf(p, calls)
		if other, ok := seen[h]; ok {
			t.Errorf("%s: the same hash as %s", name, other)
		}
		seen[h] = name
	}
	if _, ok := seen[HashOf(program(), nil)]; ok {
		t.Error("the calls do not count")
	}
}

func words() Words {
	return Words{
		Positions: []ir.Position{{}, {File: "lib/set.go", Line: 12}, {File: "lib/set.go", Line: 7}},
		Label: func(call, answer int32) history.Label {
			l := history.Label{Kind: history.Kind{Method: [...]string{"add", "remove"}[call]}, Args: []history.Value{"1"}}
			if answer >= 0 {
				l.Outcome = [...]history.Outcome{history.False, history.True}[answer]
			}
			return l
		},
	}
}

var events = []machine.Event{
	{Thread: 0, Kind: machine.CallEvent, Call: 0, Step: 0},
	{Thread: 0, Kind: machine.ReadEvent, Pos: 1, Func: "(*example.com/m/lib.Set).locate", Object: "node1", Field: "next", After: "nil", Step: 0},
	{Thread: 1, Kind: machine.CallEvent, Call: 1, Step: 1},
	{Thread: 1, Kind: machine.SyncEvent, Pos: 2, Func: "(*example.com/m/lib.Set).Remove", Object: "node1", Field: "next", Before: "nil", After: "node2", Text: "compare and swap", Step: 1},
	{Thread: 1, Kind: machine.ReturnEvent, Call: 1, Answer: 0, Step: 1},
	{Thread: 0, Kind: machine.WriteEvent, Pos: 1, Func: "lib.f", Object: "node1", Field: "val", Before: "0", After: "1", Step: 2},
	{Thread: 2, Kind: machine.StartEvent, Func: "lib.g", Step: 2},
	{Thread: 2, Kind: machine.EndEvent, Func: "lib.g", Step: 3},
	{Thread: 0, Kind: machine.FaultEvent, Pos: 2, Func: "lib.f", Text: "unlock of what is not locked", Step: 4},
}

func TestDraw(t *testing.T) {
	const want = `step  1 2 3
   1  (       add(1)
      *         set.go:12  (*lib.Set).locate  reads node1.next: nil
   2  | (     remove(1)
      | *       set.go:7   (*lib.Set).Remove  compare and swap node1.next: nil -> node2
      | )     remove(1) => false
   3  *         set.go:12  lib.f              writes node1.val: 0 -> 1
      |   *                lib.g              begins
   4  |   *                lib.g              ends
   5  !         set.go:7   lib.f              unlock of what is not locked
`
	if got := Draw(Lines(events, words())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestLog(t *testing.T) {
	e := Log("set", events, words())
	var b bytes.Buffer
	if err := history.WriteText(&b, e); err != nil {
		t.Fatal(err)
	}
	const want = "# @object set\n[1@1] call add(1)\n[2@2] call remove(1)\n[2@2] return false\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if e.Ops[1].Process != "2" || e.Ops[0].Completed() {
		t.Errorf("%+v", e.Ops)
	}
}
