package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/out"
)

// TestVerdictRandom: a page shows what check -f json says, and has the whole log.
func TestVerdictRandom(t *testing.T) {
	for seed := range testsize.Samples(1000) {
		v := randomVerdict(rand.New(rand.NewPCG(seed, 7)))
		var b bytes.Buffer
		if err := WriteVerdict(&b, v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(saidBy(t, v.Report), shownBy(t, b.String())); diff != "" {
			t.Fatalf("seed %d: -json +page\n%s", seed, diff)
		}
		if v.Log == nil {
			continue
		}
		if diff := cmp.Diff(throughJSON(t, v.Log.Execution.Ops), decoded(t, b.String())); diff != "" {
			t.Fatalf("seed %d: -log +columns\n%s", seed, diff)
		}
		if diff := cmp.Diff(orderOf(v), orderIn(t, b.String())); diff != "" {
			t.Fatalf("seed %d: -order +columns\n%s", seed, diff)
		}
	}
}

// TestVerdictsRandom: so does each row and section of a page of many logs.
func TestVerdictsRandom(t *testing.T) {
	for seed := range testsize.Samples(100) {
		r := rand.New(rand.NewPCG(seed, 8))
		var reports []check.Report
		for range r.IntN(5) {
			reports = append(reports, randomVerdict(r).Report)
		}
		var b bytes.Buffer
		if err := WriteVerdicts(&b, Run{Against: "theory queue"}, "5 logs: 1 violation\nmore", reports); err != nil {
			t.Fatal(err)
		}
		page := parse(t, b.String())
		rows := page.all(func(n *node) bool { return n.has("data-log") })
		var sections []*node
		for _, n := range page.all(func(n *node) bool { return n.tag == "section" }) {
			if strings.HasPrefix(n.attr["id"], "log-") {
				sections = append(sections, n)
			}
		}
		if len(rows) != len(reports) {
			t.Fatalf("seed %d: %d rows of %d logs", seed, len(rows), len(reports))
		}
		for i, rep := range reports {
			want := saidBy(t, rep)
			verdict := append(want["verdict"], "could not be read")[0]
			if got := rows[i].children[1].content(); got != verdict {
				t.Errorf("seed %d: row %d says %q, want %q", seed, i, got, verdict)
			}
			if rep.Explanation == nil {
				continue
			}
			got := map[string][]string{}
			explanationOf(sections[0], got)
			if diff := cmp.Diff(want["operations "], got["operations "]); diff != "" {
				t.Errorf("seed %d: operations of log %d: -json +page\n%s", seed, i, diff)
			}
			sections = sections[1:]
		}
		if len(sections) > 0 {
			t.Errorf("seed %d: %d sections too many", seed, len(sections))
		}
	}
}

// TestVerdictWriter: an error of the writer is returned, wherever it comes.
func TestVerdictWriter(t *testing.T) {
	v := randomVerdict(rand.New(rand.NewPCG(3, 7)))
	var whole bytes.Buffer
	if err := WriteVerdict(&whole, v); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	for n := 0; n < whole.Len(); n += 997 {
		if err := WriteVerdict(&narrow{left: n, err: full}, v); !errors.Is(err, full) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}

// TestVerdictFile: a page that cannot be written to its end is not there, and what was there
// before stays.
func TestVerdictFile(t *testing.T) {
	v := randomVerdict(rand.New(rand.NewPCG(3, 7)))
	path := filepath.Join(t.TempDir(), "run.html")
	full := errors.New("full")
	half := func(w io.Writer) error { return WriteVerdict(io.MultiWriter(w, &narrow{left: 5000, err: full}), v) }
	for _, before := range []string{"", "a page"} {
		if before != "" {
			if err := os.WriteFile(path, []byte(before), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := files.Write(context.Background(), path, half); !errors.Is(err, full) {
			t.Fatalf("error %v", err)
		}
		if got, _ := os.ReadFile(path); string(got) != before {
			t.Errorf("%q is there, want %q", got, before)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%v are left", left)
	}
}

// narrow takes so many bytes.
type narrow struct {
	left int
	err  error
}

func (w *narrow) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// TestVerdictSizes: no operations, and very many; the limits that are promised for long logs.
func TestVerdictSizes(t *testing.T) {
	for _, tt := range []struct {
		ops, most int
		pending   bool
	}{{0, 60_000, false}, {100_000, 2_000_000, false}, {1_000_000, 20_000_000, true}} {
		t.Run(fmt.Sprint(tt.ops), func(t *testing.T) {
			if tt.ops > 100_000 {
				testsize.NeedsLong(t)
			}
			e := longExecution(tt.ops, tt.pending)
			v := &Verdict{Report: check.Report{Name: "run.log", Ops: len(e.Ops), Result: check.Result{Verdict: check.Linearizable, Engine: "auto", Events: e.Events}}, Log: &Log{Execution: e}}
			var b bytes.Buffer
			if err := WriteVerdict(&b, v); err != nil {
				t.Fatal(err)
			}
			if b.Len() > tt.most {
				t.Errorf("the page has %d bytes, more than %d", b.Len(), tt.most)
			}
			t.Logf("%d operations: %d bytes", tt.ops, b.Len())
			if diff := cmp.Diff(len(e.Ops), len(decoded(t, b.String()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func longExecution(ops int, pending bool) *history.Execution {
	e := &history.Execution{}
	for i := range ops {
		o := history.Operation{ID: fmt.Sprint(i + 1), Process: fmt.Sprintf("p%d", i%8), Call: e.Events, Return: history.NoReturn, CallPos: history.Pos{Line: e.Events + 1, Col: 1},
			Label: history.Label{Kind: history.Kind{Method: "add"}, Args: []history.Value{history.Value(fmt.Sprint(i * 7919 % 1_000_003))}}}
		if e.Events++; !pending {
			o.Return, o.Outcome = e.Events, history.None
			e.Events++
		}
		e.Ops = append(e.Ops, o)
	}
	return e
}

// BenchmarkVerdict writes the page of 100,000 operations.
func BenchmarkVerdict(b *testing.B) {
	e := longExecution(100_000, false)
	v := &Verdict{Report: check.Report{Name: "run.log", Result: check.Result{Verdict: check.Linearizable}}, Log: &Log{Execution: e}}
	for b.Loop() {
		if err := WriteVerdict(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
}

// saidBy is what check -f json says, by field.
func saidBy(t *testing.T, r check.Report) map[string][]string {
	t.Helper()
	var b bytes.Buffer
	if err := out.VerdictJSON(&b, r, out.Plain); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&b)
	d.UseNumber()
	var all map[string]any
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for k, v := range all {
		if k != "explanation" {
			said[k] = texts(v)
		}
	}
	if x, ok := all["explanation"].(map[string]any); ok {
		for k, v := range x {
			list, _ := v.([]any)
			switch k {
			case "operations":
				for _, o := range list {
					o := o.(map[string]any)
					said["operations "] = append(said["operations "], fmt.Sprintf("%q", slices.Concat(texts(o["id"]), one(o["process"]), texts(o["method"]), texts(o["args"]), one(o["outcome"]), texts(o["rets"]), one(o["call"]), one(o["return"]), one(o["line"]), one(o["reason"]))))
				}
			case "reasons":
				for _, o := range list {
					o := o.(map[string]any)
					said[k] = append(said[k], fmt.Sprintf("%q %q %v", o["name"], one(o["reading"])[0], o["axiom"] == true))
				}
			case "derivation":
				for _, o := range list {
					said[k] = append(said[k], o.(map[string]any)["text"].(string))
				}
			case "before":
				b := v.(map[string]any)
				said["state"], said["states"] = texts(b["state"]), texts(b["states"])
				said["order"] = []string{fmt.Sprint(len(b["order"].([]any)))}
			case "answers", "waits", "alone", "nowhere": // the sentence says so
			case "last":
				if slices.ContainsFunc(x["operations"].([]any), func(o any) bool { return fmt.Sprint(o.(map[string]any)["id"]) == v }) {
					said[k] = texts(v)
				}
			case "detail":
				said["why not"] = texts(v)
			default:
				said[k] = texts(v)
			}
		}
	}
	return trimmed(said)
}

// trimmed leaves out what says nothing.
func trimmed(said map[string][]string) map[string][]string {
	for k, vs := range said {
		if len(vs) == 0 || len(vs) == 1 && vs[0] == "" {
			delete(said, k)
		}
	}
	return said
}

// texts are the values of a field; one is its value, or nothing.
func texts(v any) (ts []string) {
	switch v := v.(type) {
	case nil:
	case []any:
		for _, x := range v {
			ts = append(ts, fmt.Sprint(x))
		}
	default:
		ts = []string{fmt.Sprint(v)}
	}
	return ts
}

func one(v any) []string {
	if v == nil {
		return []string{""}
	}
	return []string{fmt.Sprint(v)}
}

// shownBy is the same, from a page.
func shownBy(t *testing.T, text string) map[string][]string {
	t.Helper()
	page, shown := parse(t, text), map[string][]string{}
	for _, n := range page.all(func(n *node) bool { return n.has("data-field") }) {
		if whole := n.all(func(n *node) bool { return n.has("data-whole") }); len(whole) > 0 {
			n = &node{attr: n.attr, children: whole}
		}
		shown[n.attr["data-field"]] = append(shown[n.attr["data-field"]], n.content())
	}
	explanationOf(page, shown)
	return trimmed(shown)
}

// explanationOf adds what an element shows of an explanation.
func explanationOf(page *node, shown map[string][]string) {
	add := func(field, mark string) {
		for _, n := range page.all(func(n *node) bool { return n.has(mark) }) {
			shown[field] = append(shown[field], n.content())
		}
	}
	add("keys", "data-key")
	add("why not", "data-detail")
	add("state", "data-state")
	add("states", "data-states")
	for _, n := range page.all(func(n *node) bool { return n.has("data-sentence") }) {
		if whole := n.all(func(n *node) bool { return n.has("data-whole") }); len(whole) > 0 {
			n = whole[0]
		}
		shown["sentence"] = append(shown["sentence"], n.content())
	}
	for _, n := range page.all(func(n *node) bool { return n.tag == "table" && n.attr["class"] == "operations" }) {
		shown["minimal"] = []string{fmt.Sprint(n.attr["data-minimal"] == "true")}
	}
	for _, n := range page.all(func(n *node) bool { return n.has("data-op") }) {
		row := []string{n.attr["data-op"]}
		if n.has("data-last") {
			shown["last"] = append(shown["last"], n.attr["data-op"])
			why := n.children[len(n.children)-1]
			if !strings.HasPrefix(why.content(), "would ") && why.content() != "cannot be" {
				shown["last"] = append(shown["last"], why.content())
			}
			n.children[len(n.children)-1] = &node{}
		}
		for i, cell := range n.children[1:] {
			if i == 2 || i == 4 {
				for _, v := range cell.children {
					row = append(row, v.content())
				}
				continue
			}
			row = append(row, cell.content())
		}
		shown["operations "] = append(shown["operations "], fmt.Sprintf("%q", row))
	}
	for _, n := range page.all(func(n *node) bool { return n.has("data-reason") }) {
		reading := ""
		for _, s := range n.all(func(n *node) bool { return n.tag == "span" }) {
			reading = s.content()
		}
		shown["reasons"] = append(shown["reasons"], fmt.Sprintf("%q %q %v", n.attr["data-reason"], reading, n.has("data-axiom")))
	}
	for _, n := range page.all(func(n *node) bool { return n.attr["class"] == "step" }) {
		shown["derivation"] = append(shown["derivation"], n.content())
	}
	for _, n := range page.all(func(n *node) bool { return n.attr["id"] == "before" }) {
		shown["order"] = []string{fmt.Sprint(len(n.all(func(n *node) bool { return n.tag == "li" })))}
	}
}
