package adttest

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// Artifacts go where go test wants them, and only if it keeps them.
func TestArtifacts(t *testing.T) {
	testsize.NeedsLong(t)
	if _, ok := any(t).(interface{ ArtifactDir() string }); !ok {
		t.Skip("since Go 1.26")
	}
	t.Parallel()
	for _, kept := range []bool{true, false} {
		dir, out := t.TempDir(), t.TempDir()
		args := []string{"-test.v", "-test.run=^TestChild$/^a$", "-test.outputdir=" + out}
		if kept {
			args = append(args, "-test.artifacts")
		}
		text, passed := child(t, dir, args, nil)
		var files []string
		for _, in := range map[bool]string{true: filepath.Join(out, "_artifacts"), false: dir} {
			_ = filepath.WalkDir(in, func(path string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					files = append(files, path)
				}
				return nil
			})
		}
		if passed || len(files) != 2 || strings.HasPrefix(files[1], dir) == kept || !strings.Contains(text, "page    "+files[0]) || !strings.Contains(text, "ADTTEST_REPLAY="+files[1]) {
			t.Errorf("kept %v: %v\n%s", kept, files, text)
		}
		for _, attribute := range []string{"adttest.seed ", "adttest.theory " + queueTheory, "adttest.scenario before "} {
			if !strings.Contains(text, attribute) && !strings.Contains(attribute, "scenario") {
				t.Errorf("no attribute %s:\n%s", attribute, text)
			}
		}
		if !strings.Contains(text, "adttest.scenario ") || strings.Count(text, "does not refine queue") != 1 || strings.Count(text, "in every order that fits this log") != 1 || strings.Contains(text, "host.go") {
			t.Errorf("it tells\n%s", text)
		}
	}
}

// A failure that cannot be saved is told all the same, with why.
func TestUnsaved(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	text, passed := child(t, file, []string{"-test.run=^TestChild$/^a$"}, nil)
	if passed || !strings.Contains(text, "does not refine queue") || !strings.Contains(text, "the failure cannot be saved: mkdir") {
		t.Errorf("it tells\n%s", text)
	}
	f := find(t, Config{New: newGives, Theory: queueTheory, Budget: patience, Dir: file})
	if f == nil || f.Log != "" || f.Kind != Violation || !strings.Contains(f.String(), "ADTTEST_SEED=") {
		t.Errorf("Find: %v", f)
	}
}

// noFolder is a test whose folder for artifacts cannot be made.
type noFolder struct{ testing.TB }

func (noFolder) ArtifactDir() string { runtime.Goexit(); return "" }

func TestNoArtifactFolder(t *testing.T) {
	f := flag.Lookup("test.artifacts")
	if f == nil {
		t.Skip("since Go 1.26")
	}
	defer f.Value.Set(f.Value.String())
	if err := f.Value.Set("true"); err != nil {
		t.Fatal(err)
	}
	if dir := artifacts(noFolder{t}); dir != "" {
		t.Errorf("artifacts go to %s", dir)
	}
}

// negates is a queue whose values come out wrong; the pasted program has it, too.
type negates struct{ queue.Queue }

func (q *negates) Remove() (int, bool) {
	n, ok := q.Queue.Remove()
	return -n, ok
}

// What a failure prints as Go fails again.
func TestGoCode(t *testing.T) {
	type point struct{ X, Y int }
	type size uint8
	n := 3
	odd := Scenario{Before: []Call{Do("A", "\"\n", size(3), true, -1, uint64(1<<63), 1.5)}, Threads: [][]Call{{Do("B", &point{1, 0}, []string{"x"}, map[int]bool{1: true})}, {Do("C", &n, []any{int8(1), nil})}}}
	code := odd.code("github.com/adtinfer/adtinfer/adttest")
	const want = `{
	Before: []adttest.Call{adttest.Do("A", "\"\n", 3, true, -1, uint64(9223372036854775808), float64(1.5))},
	Threads: [][]adttest.Call{
		{adttest.Do("B", &point{X: 1}, []string{"x"}, map[int]bool{1: true})},
		{adttest.Do("C", func() *int { v := int(3); return &v }(), []interface {}{int8(1), nil})},
	},
}`
	if code != want {
		t.Errorf("the code is\n%s", code)
	}
	if e, err := parser.ParseExpr("adttest.Scenario" + code); err != nil {
		t.Error(err)
	} else if _, ok := e.(*ast.CompositeLit); !ok {
		t.Errorf("a %T", e)
	}
	testsize.NeedsLong(t) // builds
	f := find(t, Config{New: func() *negates { return &negates{} }, Theory: queueTheory, Budget: patience})
	_, printed, ok := strings.Cut(f.String(), "in the Config:\n\n")
	printed, _, _ = strings.Cut(printed, "\nlog ")
	if !ok {
		t.Fatal(f)
	}
	dir, err := os.MkdirTemp(".", "pasted")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	theory, _ := filepath.Abs(queueTheory)
	program := `package pasted

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/examples/queue"
)

type negates struct{ queue.Queue }

func (q *negates) Remove() (int, bool) {
	n, ok := q.Queue.Remove()
	return -n, ok
}

func TestPasted(t *testing.T) {
	f, err := adttest.Find(context.Background(), adttest.Config{New: func() *negates { return &negates{} }, Theory: "` + filepath.ToSlash(theory) + `", Dir: t.TempDir(),
` + printed + `
	})
	if err != nil || f == nil || f.Kind != adttest.Violation {
		t.Fatal(f, err)
	}
}
`
	if _, err := parser.ParseFile(token.NewFileSet(), "", program, 0); err != nil {
		t.Fatalf("%v\n%s", err, program)
	}
	if err := os.WriteFile(filepath.Join(dir, "pasted_test.go"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-v", "./"+filepath.Base(dir)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v\n%s\n%s", err, out, program)
	}
}
