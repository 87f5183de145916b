package logbeam

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/theory"
)

func TestMain(m *testing.M) {
	reader = func(log io.Reader, file string, _ history.Signature) *history.Reader {
		text, err := io.ReadAll(log)
		switch {
		case err != nil:
		case bytes.Contains(text, []byte("panicking")):
			panic("no such place")
		case bytes.Contains(text, []byte("sleeping")):
			time.Sleep(time.Minute)
		}
		return history.NewReader(bytes.NewReader(text), file)
	}
	ptest.MainWithDefault(m, "prism")
}

// record is a line of a report.
type record struct {
	File, Object, Error, Verdict, Detail string
	Events, Prefix, Operations           int
	Width, Overlaps                      int
	Explanation                          *struct{ Keys []string }
}

// more is what check alone says: which other line is to blame, or what an operation did
// before.
var more = regexp.MustCompile(`(operation \S+ (returns|is called)).*`)

func records(t *testing.T, jsonl []byte) (all []record) {
	t.Helper()
	for line := range bytes.Lines(jsonl) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		r.Error = more.ReplaceAllString(r.Error, "$1")
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b record) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Object, b.Object)) })
	return all
}

// run runs the pipeline.
func run(t *testing.T, yaml []byte, patterns []string, o Options) (reports []record, markdown string, left []Left) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "verdicts")
	p, s := beam.NewPipelineWithRoot()
	found, rest := Check(s, beam.Create(s, yaml), patterns, o)
	Write(s, found, rest, name)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	read := func(ext string) []byte {
		text, err := os.ReadFile(name + ext)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for line := range bytes.Lines(read(".left.jsonl")) {
		var l Left
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		left = append(left, l)
	}
	return records(t, read(".jsonl")), string(read(".md")), left
}

// checked is what the same files give without Beam.
func checked(t *testing.T, th *theory.Theory, files []string) []record {
	t.Helper()
	c, err := check.New(th, check.Options{Explain: true, Reader: func(log io.Reader, file string, methods history.Signature) *history.Reader {
		return foreign.New(log, file, foreign.Options{}, methods)
	}})
	if err != nil {
		t.Fatal(err)
	}
	logs, err := sources.All(t.Context(), sources.Options{Args: files})
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	err = (&check.Batch{Checker: c}).Run(t.Context(), logs.Each, func(r check.Report) {
		if err := out.VerdictJSON(&all, r, out.Plain); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return records(t, all.Bytes())
}

// written is an execution as a log of some format, which may be damaged.
func written(t *testing.T, r *rand.Rand, e, other *history.Execution) (name string, log []byte) {
	t.Helper()
	var b, more bytes.Buffer
	write := func(b *bytes.Buffer, e *history.Execution, as func(io.Writer, *history.Execution) error) {
		if err := as(b, e); err != nil {
			t.Fatal(err)
		}
	}
	kind := r.IntN(6)
	switch kind {
	case 0, 1, 2: // text, packed or not
		write(&b, e, history.WriteText)
		name = "text.log"
	case 3:
		write(&b, e, history.WriteJSON)
		if err := history.NewReader(&b, "").Convert(t.Context(), &more, history.Binary); err != nil {
			t.Fatal(err)
		}
		return "binary.bin", more.Bytes()
	case 4: // times, some of them equal
		write(&b, e, history.WriteJSON)
		at := 0
		lines := strings.SplitAfter(b.String(), "\n")
		for i := range lines {
			if strings.Contains(lines[i], `"event"`) {
				at += r.IntN(3)
				lines[i] = strings.Replace(lines[i], "{", fmt.Sprintf(`{"time": %d, `, at), 1)
			}
		}
		return "times.jsonl", []byte(strings.Join(lines, ""))
	case 5: // several objects
		write(&b, e, history.WriteJSON)
		write(&more, other, history.WriteJSON)
		own, others := strings.SplitAfter(b.String(), "\n")[1:], strings.SplitAfter(more.String(), "\n")[1:]
		var all strings.Builder
		all.WriteString("{\"format\": 2}\n")
		for len(own)+len(others) > 0 {
			from, object := &own, "a"
			if len(own) == 0 || len(others) > 0 && r.IntN(2) == 0 {
				from, object = &others, "b"
			}
			all.WriteString(strings.Replace((*from)[0], "{", fmt.Sprintf(`{"object": %q, `, object), 1))
			*from = (*from)[1:]
		}
		return "objects.jsonl", []byte(all.String())
	}
	text := b.String()
	if r.IntN(3) == 0 {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		i := r.IntN(len(lines))
		switch r.IntN(5) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] = "[x] called\n"
		case 2:
			lines[i] = strings.Replace(lines[i], "call ", "call un", 1)
		case 3:
			lines[i] += lines[i]
		case 4:
			lines[i] = strings.Replace(lines[i], "return", "return 7, 7", 1)
		}
		text = strings.Join(lines, "")
	}
	if kind < 2 {
		return name, []byte(text)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, text)
	w.Close()
	return name + ".gz", packed.Bytes()
}

// TestLikeCheck: random logs of several formats, cut into blocks of some bytes, some with
// an error, have the reports that they have without Beam.
func TestLikeCheck(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		if typ.Name != "store" && typ.Name != "mutex" && typ.Name != "members" {
			continue
		}
		t.Run(typ.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(len(typ.Name)), 19))
			var yaml bytes.Buffer
			if err := theory.Write(&yaml, typ.Theory); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var files []string
			for i := range testsize.Samples(4_000) {
				typ.Lost = []int{0, 6}[i%2]
				make := func() *history.Execution {
					return typ.Execution(r, 1+r.IntN(8), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
				}
				name, log := written(t, r, make(), make())
				files = append(files, filepath.Join(dir, fmt.Sprintf("%04d.%s", i, name)))
				if err := os.WriteFile(files[i], log, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want := checked(t, typ.Theory, files)
			for _, block := range []int64{1, 100, 0} {
				got, _, _ := run(t, yaml.Bytes(), []string{filepath.Join(dir, "*")}, Options{Block: block})
				for i := range got {
					if block > 0 && i < len(want) { // what overlaps is counted within a block
						got[i].Width, got[i].Overlaps = want[i].Width, want[i].Overlaps
					}
				}
				differ(t, want, got)
			}
			verdicts := map[string]int{}
			for _, w := range want {
				verdicts[cmp.Or(w.Verdict, "error")]++
			}
			t.Log(verdicts)
			for _, v := range []string{"violation", "linearizable", "error"} {
				if verdicts[v] < len(files)/20 {
					t.Errorf("%d of %d logs are %s", verdicts[v], len(files), v)
				}
			}
		})
	}
}

// differ compares reports.
func differ(t *testing.T, want, got []record) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		var a, b record
		if i < len(want) {
			a = want[i]
		}
		if i < len(got) {
			b = got[i]
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if !bytes.Equal(x, y) {
			log, _ := os.ReadFile(cmp.Or(a.File, b.File))
			t.Fatalf("want %s\n got %s\n%s", x, y, log)
		}
	}
}
