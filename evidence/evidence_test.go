package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
)

// text is a file with the sum that its lines have.
func text(lines ...string) string {
	s := strings.Join(lines, "\n") + "\n"
	sum := sha256.Sum256([]byte(s))
	return s + "end sha256:" + hex.EncodeToString(sum[:]) + "\n"
}

var violation = text("adtinfer evidence v1", "theory queue", `log "sha 256"`, "violation 8",
	"suppose order 1 2", "  suppose took 9 value 1", `    contradiction by "[1:X] remove" 1 2`,
	"  never 7 nil 7 by p 1", "  contradiction through 1 2", `order "a b" 2 through 3 4`, "contradiction by axiom-1 7")

var window = text("adtinfer evidence v1", "theory kv", "log x", "violation 8", `key "a b"`, "key 2", "window 5")

var linearization = text("adtinfer evidence v1", "theory queue", "log x", "linearizable", "take 1", `take "9 9" value 3 ""`, "take 4 nil")

// TestReadWrite: what is read is written as it was.
func TestReadWrite(t *testing.T) {
	for _, want := range []string{violation, window, text("adtinfer evidence v1", "theory t", "log x", "violation 3", "control", "window 0"), linearization, text("adtinfer evidence v1", "theory t", "log x", "violation 3", "key 1", "contradiction by p 1"), text("adtinfer evidence v1", "theory t", "log x", "linearizable")} {
		ev, err := evidence.Read(strings.NewReader(want), "x")
		if err != nil {
			t.Fatalf("%v\n%s", err, want)
		}
		var b bytes.Buffer
		if err := evidence.Write(&b, ev); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("-read +written\n%s", diff)
		}
	}
	ev, _ := evidence.Read(strings.NewReader(linearization), "x")
	want := &evidence.Evidence{Theory: "queue", Log: "x", Order: []evidence.Taken{
		{Op: "1", Line: 5}, {Op: "9 9", Outcome: history.Some, Rets: []history.Value{"3", ""}, Line: 6}, {Op: "4", Outcome: history.Nil, Line: 7}}}
	if diff := cmp.Diff(want, ev); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	head := []string{"adtinfer evidence v1", "theory queue", "log x", "violation 8"}
	with := func(lines ...string) string { return text(append(head[:4:4], lines...)...) }
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "x:1: the file ends here, without the line that ends the evidence"},
		{"something else", "a log\n", `x:1: evidence begins with the line "adtinfer evidence v1"`},
		{"cut off", linearization[:60], "x:6: the file ends here, without the line that ends the evidence"},
		{"changed", strings.Replace(linearization, "take 4", "take 5", 1), "x:8: the evidence was changed since it was written"},
		{"more", linearization + "\n", "x:9: there is more after the line that ends the evidence"},
		{"no events", text("adtinfer evidence v1", "theory queue", "log x", "violation -1"), `x:4: "-1" is no number of events`},
		{"steps of a linearization", text("adtinfer evidence v1", "theory queue", "log x", "linearizable", "order 1 2 through 3"), `x:5: expected "take OPERATION"`},
		{"no fact", with("order 1"), `x:5: expected "order A B"`},
		{"no reason", with("order 1 2"), `x:5: expected "by PATTERN OPERATION..."`},
		{"a supposed contradiction", with("suppose contradiction"), "x:5: only a fact can be supposed"},
		{"supposed for a reason", with("suppose order 1 2 by p 1"), "x:5: only a fact can be supposed"},
		{"indented", with("  order 1 2 through 3"), "x:5: it is indented by 2 blanks, and 0 suppositions are open"},
		{"not indented", with("suppose order 1 2", "contradiction by p 1"), "x:6: it is indented by 0 blanks, and 1 suppositions are open"},
		{"quotes", with(`order "1 2 through 3`), "x:5: the quotes do not close, or are not needed"},
		{"needless quotes", with(`order "1" 2 through 3`), "x:5: the quotes do not close, or are not needed"},
		{"no quotes", with(`order ! 2 through 3`), `x:5: "!" must be quoted`},
		{"two windows", with("window 1", "window 1"), "x:6: a window is all that there is to say"},
		{"a step after a window", with("window 1", "contradiction by p 1"), "x:6: a window is all that there is to say"},
		{"a window after a step", with("contradiction by p 1", "window 1"), `x:6: expected "order A B"`},
		{"a key after a step", with("contradiction by p 1", "key 1"), `x:6: expected "order A B"`},
		{"no number", with("window -1"), `x:5: "-1" is no number of events`},
		{"a window without a number", with("window"), `x:5: expected "order A B"`},
		{"control twice", with("control", "control"), "x:6: a window comes after control"},
		{"control of a step", with("control", "contradiction by p 1"), "x:6: a window comes after control"},
		{"control late", with("contradiction by p 1", "control"), `x:6: expected "order A B"`},
		{"empty line", with(""), "x:5: the line is empty"},
		{"long line", "adtinfer evidence v1\n" + strings.Repeat("x", 1<<24), "x:2: the line is longer than 16777216 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := evidence.Read(strings.NewReader(tt.text), "x")
			if err == nil || !strings.HasPrefix(err.Error(), "evidence: "+tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestDigest: whatever tells executions apart tells their digests apart, and
// nothing else.
func TestDigest(t *testing.T) {
	e := func(change func(ops []history.Operation)) string {
		e := history.Sequential(history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"1", "2"}},
			history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{"1"}})
		change(e.Ops)
		return evidence.Digest(e)
	}
	want := e(func([]history.Operation) {})
	if got := e(func(ops []history.Operation) { ops[0].CallPos.Line = 7; ops[0].Process = "p" }); got != want {
		t.Error("positions and processes make a difference")
	}
	seen := map[string]string{want: "none"}
	for name, change := range map[string]func(ops []history.Operation){
		"identifier": func(ops []history.Operation) { ops[0].ID = "7" },
		"method":     func(ops []history.Operation) { ops[0].Method = "ad" },
		"argument":   func(ops []history.Operation) { ops[0].Args[1] = "3" },
		"arguments":  func(ops []history.Operation) { ops[0].Args = []history.Value{"1 2"} },
		"outcome":    func(ops []history.Operation) { ops[1].Outcome = history.Error },
		"result":     func(ops []history.Operation) { ops[1].Rets[0] = "2" },
		"order":      func(ops []history.Operation) { ops[0].Return, ops[1].Call = 2, 1 },
	} {
		d := e(change)
		if other, ok := seen[d]; ok {
			t.Errorf("no difference between changes of %s and %s", name, other)
		}
		seen[d] = name
	}
}

// FuzzRead: whatever is read is written so that it reads as the same.
func FuzzRead(f *testing.F) {
	f.Add(violation)
	f.Add(linearization)
	f.Add(window)
	f.Add("adtinfer evidence v1\ntheory \"\"\n")
	f.Fuzz(func(t *testing.T, s string) {
		lines := strings.SplitAfter(s, "\n")
		for _, s := range []string{s, text(strings.Split(strings.Join(lines[:max(0, len(lines)-2)], ""), "\n")...)} {
			ev, err := evidence.Read(strings.NewReader(s), "x")
			if err != nil {
				continue
			}
			var b bytes.Buffer
			if err := evidence.Write(&b, ev); err != nil {
				t.Fatal(err)
			}
			again, err := evidence.Read(&b, "x")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(ev, again); diff != "" {
				t.Error(diff)
			}
		}
	})
}
