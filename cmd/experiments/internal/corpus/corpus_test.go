package corpus

import (
	"bytes"
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	_ "github.com/adtinfer/adtinfer/internal/testing/testsize" // collects garbage less often
)

var update = flag.Bool("update", false, "write the corpus in testdata anew, with the logs that are in it")

const stored = "testdata/corpus.jsonl"

// project is one for all tests, because theories take a while to prepare.
var project = &Corpus{Root: "../../../..", Parallel: runtime.GOMAXPROCS(0)}

// TestCorpus: the engines answer what they answered when the corpus was written. Where
// a change of the answers is meant, run the test with -update and look at the
// difference.
func TestCorpus(t *testing.T) {
	old, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var now bytes.Buffer
		if err := project.Again(t.Context(), &now, bytes.NewReader(old)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(stored, now.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	var out bytes.Buffer
	cmp := &Comparison{Out: &out, Lines: 50}
	n, err := project.Compare(t.Context(), bytes.NewReader(old), cmp)
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		t.Errorf("not what %s says; go test ./cmd/experiments/internal/corpus -update writes it anew\n%s", stored, &out)
	}
	if cmp.Logs < 500 {
		t.Errorf("only %d logs in %s", cmp.Logs, stored)
	}
}

// TestStoredCorpus: the corpus in testdata has something of everything.
func TestStoredCorpus(t *testing.T) {
	f, err := os.Open(stored)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]int{}
	for e, err := range Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		for engine, a := range e.byEngine() {
			seen[engine+" "+a.Verdict]++
			if a.Error != "" {
				seen[engine+" error"]++
			}
		}
		seen[e.Theory]++
	}
	for _, s := range subjects() {
		if seen[s.theory] < 16 {
			t.Errorf("%s: %d logs", s.theory, seen[s.theory])
		}
	}
	for _, engine := range []string{"auto", "symbolic", "monitor", "enumerate", "wgl", "text", "follow", "json", "binary"} {
		if seen[engine+" violation"] < 25 || seen[engine+" linearizable"] < 20 {
			t.Errorf("%s: %d violations, %d linearizable", engine, seen[engine+" violation"], seen[engine+" linearizable"])
		}
	}
	for _, what := range []string{"saturate violation", "saturate no violation found", "counting violation", "text error", "follow error", "convert json error", "auto error", "explain ", "witness "} {
		if seen[what] < 20 {
			t.Errorf("%s: %d", what, seen[what])
		}
	}
	t.Log(seen)
}

// TestSameBytes: the same code writes the same bytes, whether logs are answered one
// by one or two at a time; written again, a corpus is the same.
func TestSameBytes(t *testing.T) {
	var one, two, again bytes.Buffer
	defer func(n int) { project.Parallel = n }(project.Parallel)
	for parallel, w := range map[int]*bytes.Buffer{1: &one, 2: &two} {
		project.Parallel = parallel
		if err := project.Write(t.Context(), w, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := project.Again(t.Context(), &again, bytes.NewReader(one.Bytes())); err != nil {
		t.Fatal(err)
	}
	if one.Len() == 0 || !bytes.Equal(one.Bytes(), two.Bytes()) || !bytes.Equal(one.Bytes(), again.Bytes()) {
		t.Error("not the same bytes")
	}
}

// TestCompareFinds: what is not the same is printed, unless it is not asked for.
func TestCompareFinds(t *testing.T) {
	const log = `"log":"x","theory":"queue","text":"[1] call remove\n[1] return 1\n"`
	var answers bytes.Buffer
	if err := project.Again(t.Context(), &answers, strings.NewReader(`{`+log+`,"answers":[]}`)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, now string
		skip           []string
		want           int
		line           string
	}{
		{name: "same", want: 0, line: "0 differences in 1 logs"},
		{name: "prefix", old: `"engines":["wgl"],"verdict":"violation","prefix":2`, now: `"engines":["wgl"],"verdict":"violation","prefix":3`, want: 1, line: `x, queue, wgl, prefix: "3" -> "2"`},
		{name: "prefix, skipped", old: `"engines":["wgl"],"verdict":"violation","prefix":2`, now: `"engines":["wgl"],"verdict":"violation","prefix":3`, skip: []string{"wgl.prefix"}, line: "0 differences"},
		{name: "gone", old: `"engines":["wgl"]`, now: `"engines":["wgl","oracle"]`, want: 1, line: "oracle, engine: there -> gone"},
		{name: "new", old: `"engines":["wgl"]`, now: `"engines":[]`, want: 1, line: "wgl, engine: not there -> new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(answers.String(), c.old) {
				t.Fatalf("no %s in %s", c.old, &answers)
			}
			var out bytes.Buffer
			cmp := &Comparison{Out: &out, Lines: 9, Skip: c.skip}
			n, err := project.Compare(t.Context(), strings.NewReader(strings.Replace(answers.String(), c.old, c.now, 1)), cmp)
			if err != nil || n != c.want || !strings.Contains(out.String(), c.line) {
				t.Errorf("%d differences, %v\n%s", n, err, &out)
			}
		})
	}
}

// TestComparesNothingElse: a recording that changed or is not there is no log of the
// corpus, and nor is what this version does not know.
func TestComparesNothingElse(t *testing.T) {
	here := &Corpus{Root: project.Root, Data: "."}
	for _, c := range []struct {
		*Corpus
		entry, want string
	}{
		{here, `{"log":"x","theory":"queue","file":"doc.go","sha256":"00","answers":[]}`, "no longer the file"},
		{here, `{"log":"x","theory":"queue","file":"none.log","sha256":"00","answers":[]}`, "no such file"},
		{project, `{"log":"x","theory":"queue","file":"x.log","sha256":"00","answers":[]}`, "no folder of recordings"},
		{project, `{"log":"x","theory":"none","text":"","answers":[]}`, `no theory "none"`},
		{project, `{"log":"x","theory":"queue","texts":"","answers":[]}`, "texts"},
	} {
		_, err := c.Compare(t.Context(), strings.NewReader(c.entry), &Comparison{Out: &bytes.Buffer{}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.entry, err, c.want)
		}
	}
}

// TestRandom: random logs are small, of all kinds, and the same each time.
func TestRandom(t *testing.T) {
	kinds := map[string]bool{}
	for _, s := range subjects() {
		var all []string
		for seed := range uint64(16) {
			e, err := s.random(seed)
			again, _ := s.random(seed)
			if err != nil || e.Text != again.Text {
				t.Fatalf("%s %d: %v\n%s\n%s", s.theory, seed, err, e.Text, again.Text)
			}
			all = append(all, e.Text)
			kinds["pending"] = kinds["pending"] || strings.Count(e.Text, "call") > strings.Count(e.Text, "return")
		}
		slices.Sort(all)
		if n := len(slices.Compact(all)); n < 12 {
			t.Errorf("%s: only %d logs of 16 differ", s.theory, n)
		}
	}
	if !kinds["pending"] {
		t.Error("no pending operations")
	}
}
