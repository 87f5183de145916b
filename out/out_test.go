package out

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func readTheory(t testing.TB, name string) *theory.Theory {
	t.Helper()
	return historytest.Theory(t, filepath.Join("theory", "testdata", name+".theory.yaml"))
}

// topics is a theory by product whose parts have patterns.
func topics(t testing.TB) *theory.Theory {
	th, part := readTheory(t, "queue"), readTheory(t, "queue")
	th.Name, th.Spec = "topics", theory.Spec{Width: 1}
	for _, m := range part.Spec.Methods {
		th.Spec.Methods = append(th.Spec.Methods, history.MethodSig{Name: m.Name, Args: m.Args + 1, Outcomes: m.Outcomes})
	}
	th.Spec.Product = &theory.Product{Part: part.Spec, Keys: []theory.Key{{Method: "add", Role: theory.ByKey, Arg: 1}, {Method: "remove", Role: theory.ByKey}}}
	th.Status = theory.Status{Product: &theory.ProductStatus{Words: 10, Calls: 100, Longest: 20, Part: part.Status}}
	return th
}

func coloured(w io.Writer, t *theory.Theory) error { return Text(w, t, Colour) }
func plain(w io.Writer, t *theory.Theory) error    { return Text(w, t, Plain) }

var renderers = []struct {
	suffix string
	render func(io.Writer, *theory.Theory) error
}{
	{".txt", plain}, {".colour.txt", coloured}, {".md", Markdown}, {".json", JSON},
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"queue", "handwritten", "model", "store", "limited", "topics"} {
		for _, r := range renderers {
			t.Run(name+r.suffix, func(t *testing.T) {
				var b bytes.Buffer
				th := topics(t)
				if name != "topics" {
					th = readTheory(t, name)
				}
				if err := r.render(&b, th); err != nil {
					t.Fatal(err)
				}
				file := filepath.Join("testdata", name+r.suffix)
				if *update {
					if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), b.String()); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

// TestTextFits: nothing is wider than a terminal of 80 columns, with and
// without colours, and both show the same characters.
func TestTextFits(t *testing.T) {
	th := readTheory(t, "queue")
	th.Status.Normal = theory.Check{Length: 3, Witness: strings.Repeat("add(1); remove => 1; ", 10)}
	var plain, colour strings.Builder
	if err := errors.Join(Text(&plain, th, Plain), Text(&colour, th, Colour)); err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(plain.String(), "\n") {
		if n := utf8.RuneCountInString(l); n > textWidth || strings.TrimRight(l, " ") != l {
			t.Errorf("%d columns: %q", n, l)
		}
	}
	stripped := strings.NewReplacer(escBold, "", escDim, "", escOff, "").Replace(colour.String())
	if diff := cmp.Diff(plain.String(), stripped); diff != "" {
		t.Errorf("-plain +coloured:\n%s", diff)
	}
}

// TestJSONTellsTheHistory: the operations of a pattern are its history.
func TestJSONTellsTheHistory(t *testing.T) {
	th := readTheory(t, "queue")
	var b bytes.Buffer
	if err := JSON(&b, th); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Patterns []struct {
			Operations []struct {
				ID              int
				Method, Outcome string
				Match           *int
				ReadOnly        bool
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for i, p := range got.Patterns {
		var h history.History
		for n, o := range p.Operations {
			op := history.Op{
				Kind: history.Kind{Method: o.Method, Outcome: history.Outcome(o.Outcome)}, Target: history.Unmatched,
				ReadOnly: o.ReadOnly, Completed: true, Start: n, End: n,
			}
			if o.Match != nil {
				op.Target = *o.Match - 1
			}
			h.Ops = append(h.Ops, op)
		}
		if diff := cmp.Diff(th.Spec.Patterns[i].History, h); diff != "" {
			t.Errorf("%s: -want +got:\n%s", th.Spec.Patterns[i].Name, diff)
		}
	}
}

func TestJSONOverlapping(t *testing.T) {
	h, _, err := history.ParseDrawing("[1:X] give @1; [2:X] take => value @1-2; [3:_] give* @2-")
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(jsonOperations(h))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"id":1,"method":"give","outcome":"none","match":null,"readonly":false,"start":1,"end":1},` +
		`{"id":2,"method":"take","outcome":"value","match":null,"readonly":false,"start":1,"end":2},` +
		`{"id":3,"method":"give","outcome":null,"match":null,"readonly":false,"start":2}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestChecked(t *testing.T) {
	holds := theory.Check{Length: 4, Executions: 31, Holds: true}
	weights := func(news ...int) (ws []theory.WeightStatus) {
		for i, n := range news {
			ws = append(ws, theory.WeightStatus{Weight: i + 1, New: n})
		}
		return ws
	}
	cross := theory.CrossCheck{Length: 6, Histories: 1544556}
	tests := []struct {
		name   string
		status theory.Status
		want   []string
	}{{
		name:   "all is well",
		status: theory.Status{Strategy: "frontier", Faithful: holds, Normal: holds, Weights: weights(2, 5, 0), CrossCheck: cross},
		want: []string{
			"faithful and normal on all executions up to length 4 (31 executions)", "patterns stable at weight 3",
			"cross-check of 1,544,556 histories up to length 6: 0 false alarms, 0 missed",
			"no long runs", "not judged by mutants of the reference",
		},
	}, {
		name: "judged",
		status: theory.Status{
			Strategy: "frontier", Faithful: holds, Normal: holds, Weights: weights(2, 0), CrossCheck: cross,
			LongRuns: &theory.LongRuns{Sequences: 64, Calls: 20000, Longest: 1000},
			Mutants: &theory.Mutants{Made: 15, Equivalent: 5, Alike: 3, States: 1200, Seen: 9, Words: 20000,
				Unseen: []theory.Mutant{{Name: "add does nothing", Shows: "add(1); remove => nil", Calls: 2}}, Dropped: []string{"add hangs: call 1"}},
		},
		want: []string{
			"faithful and normal on all executions up to length 4 (31 executions)", "patterns stable at weight 2",
			"cross-check of 1,544,556 histories up to length 6: 0 false alarms, 0 missed",
			"right about 64 long runs of up to 1,000 calls",
			"rejects 9 of 10 wrong versions of the reference (3 more did the same in 1,200 states, 2 more did not differ on 20,000 sequences)",
			"not tried: add hangs: call 1",
		},
	}, {
		name: "different bounds",
		status: theory.Status{
			Strategy: "frontier", Faithful: holds, Normal: theory.Check{Length: 3, Executions: 1, Holds: true},
			Weights: weights(2, 0, 1, 0, 0), CrossCheck: theory.CrossCheck{Length: 1, Histories: 1, FalseAlarms: 1, Missed: 2},
		},
		want: []string{
			"faithful on all executions up to length 4 (31 executions)", "normal on all executions up to length 3 (1 execution)",
			"patterns stable at weights 4 to 5", "cross-check of 1 history up to length 1: 1 false alarm, 2 missed",
			"no long runs", "not judged by mutants of the reference",
		},
	}, {
		name: "forced",
		status: theory.Status{
			Strategy: "frontier", Faithful: theory.Check{Witness: "a; b against a; c"}, Normal: theory.Check{},
			Weights: weights(2), Forced: true, LongRuns: &theory.LongRuns{Witness: "add(1); add(2) => false"},
		},
		want: []string{
			"NOT faithful: a; b against a; c", "NOT known to be normal", "NOT stable: 2 new patterns at weight 1, the last one",
			"no cross-check", "WRONG in long runs: add(1); add(2) => false", "not judged by mutants of the reference",
			"written by force although a check failed",
		},
	}, {
		name: "written by hand",
		want: []string{"nothing, for this theory was not inferred"},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, checked(&tt.status)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

type brokenWriter struct{}

var errBroken = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestBrokenWriter(t *testing.T) {
	for _, r := range renderers {
		if err := r.render(brokenWriter{}, readTheory(t, "queue")); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", r.suffix, err)
		}
	}
}
