package out

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// swapped is a log in which a value leaves a queue before two older ones, with
// operations around that do not matter and a pending one that could remove one
// of the two.
const swapped = `# @object q
[1] call add(9)
[1] return
[2] call remove
[3] call add(1)
[2] return 9
[4] call add(2)
[3] return
[4] return
[5] call add(3)
[5] return
[6] call remove
[12] call remove
[6] return 3
[7] call remove
[7] return 2
[8] call add(4)
[8] return
`

var logs = []struct{ name, text string }{
	{"swapped", swapped},
	{"twice-removed", strings.Replace(swapped, "[6] return 3", "[6] return 9", 1)},
	{"never-added", "[1] call add(1)\n[1] return\n[2] call remove\n[2] return 7\n"},
	{"right", "[1] call add(1)\n[1] return\n[2] call remove\n[2] return 1\n"},
}

func byHand(t *testing.T) *theory.Theory {
	t.Helper()
	th, err := theories.Load("queue")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// TestExplanationGolden: text and JSON of explained verdicts.
func TestExplanationGolden(t *testing.T) {
	for _, c := range []struct {
		file   string
		theory *theory.Theory
		render func(io.Writer, check.Report, Style) error
		style  Style
	}{
		{"explained.txt", readTheory(t, "queue"), VerdictText, Plain},
		{"explained.colour.txt", readTheory(t, "queue"), VerdictText, Colour},
		{"explained.json", readTheory(t, "queue"), VerdictJSON, Plain},
		{"explained-by-hand.txt", byHand(t), VerdictText, Plain},
	} {
		t.Run(c.file, func(t *testing.T) {
			checker, err := check.New(c.theory, check.Options{Engine: "symbolic", Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			batch := check.Batch{Checker: checker}
			var sources []check.Source
			for _, l := range logs {
				open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(l.text)), nil }
				sources = append(sources, check.Source{Name: l.name + ".log", Open: open})
			}
			var b bytes.Buffer
			err = batch.Run(t.Context(), slices.Values(sources), func(r check.Report) {
				if r.Err != nil {
					t.Error(r.Err)
				}
				if err := c.render(&b, r, c.style); err != nil {
					t.Error(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, c.file, b.String())
		})
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got (rewrite with -update):\n%s", file, diff)
	}
}

// TestManyToBlame: where it is not known which operations matter the sentence says so, and
// the order is there for those who ask.
func TestManyToBlame(t *testing.T) {
	var labels []history.Label
	for range 50 {
		labels = append(labels, history.Label{Kind: history.Kind{Method: "inc", Outcome: history.None}})
	}
	e := history.Sequential(labels...)
	few := history.Sequential(labels[:10]...)
	x := &check.Explanation{Execution: few, Prefix: e.Events, Detail: "the time limit was reached", Order: e.Ops[:49], Last: e.Ops[49], State: "7"}
	for _, x.Ordered = range []bool{false, true} {
		var b strings.Builder
		if err := ExplanationText(&b, x, Plain); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		if !strings.Contains(text, "[50] inc returned, which no order that fits this log explains") ||
			!strings.Contains(text, "(some of these may not matter, and others may: the time limit was reached)") ||
			strings.Contains(text, "the first 99 events are linearizable, in this order: (33 operations);") != x.Ordered {
			t.Error(b.String())
		}
	}
}
