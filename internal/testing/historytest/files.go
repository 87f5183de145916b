package historytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Root is the project's folder, found from the one in which the test runs.
func Root(tb testing.TB) string {
	tb.Helper()
	dir := "."
	for range 16 {
		if _, err := os.Stat(filepath.Join(dir, "ARCHITECTURE.md")); err == nil {
			return dir
		}
		dir = filepath.Join(dir, "..")
	}
	tb.Fatal("historytest: no ARCHITECTURE.md above the test's folder")
	return ""
}

// Theory reads a theory file, without what it says beside formulas, if it has some; its
// path starts at the project's folder.
func Theory(tb testing.TB, path string) *theory.Theory {
	tb.Helper()
	f, err := os.Open(filepath.Join(Root(tb), path))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	t, err := theory.Read(f, path)
	if err != nil {
		tb.Fatal(err)
	}
	return t.Formulas()
}

// Source is the text of a file; its path starts at the project's folder.
func Source(tb testing.TB, path string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Root(tb), path))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// Example is the theory that was inferred from an example.
func Example(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	return Theory(tb, filepath.Join("examples", name, name+".theory.yaml"))
}

// Log reads the lines of a text log, named x.log in messages.
func Log(tb testing.TB, t *theory.Theory, lines ...string) *history.Execution {
	tb.Helper()
	return read(tb, t, strings.NewReader(strings.Join(lines, "\n")+"\n"), "x.log")
}

func read(tb testing.TB, t *theory.Theory, log io.Reader, name string) *history.Execution {
	tb.Helper()
	sig, err := t.Signature(nil)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := history.ReadLog(log, name, sig)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// Shared is the path of a file of the data kept beside the project. Without that
// data the test is skipped.
func Shared(tb testing.TB, path string) string {
	tb.Helper()
	path = filepath.Join(Root(tb), "../shared/data", path)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		tb.Skip("no recorded data beside the project:", err)
	}
	return path
}

// Recording is a log of a queue or stack, and what independent deciders say of it:
// random executions that are kept here, and logs recorded for "Monitoring
// refinement" from the Scal suite, if they are kept beside the project.
type Recording struct {
	File         string `json:"file"`   // such as small/x.log
	Object       string `json:"object"` // atomic-queue or atomic-stack
	Ops          int    `json:"ops"`
	Events       int    `json:"events"`
	Pending      int    `json:"pending"`
	Linearizable bool   `json:"linearizable"`
	Prefix       int    `json:"first_violating_prefix_length"` // events; 0 if linearizable

	Dir string `json:"-"` // that the file is in
}

// Recordings lists the recorded logs.
func Recordings(tb testing.TB) (all []Recording) {
	tb.Helper()
	for _, dir := range []string{"internal/testing/historytest/testdata/recorded", "../shared/data/violin"} {
		dir = filepath.Join(Root(tb), dir)
		truth, err := os.ReadFile(filepath.Join(dir, "truth.jsonl"))
		if errors.Is(err, fs.ErrNotExist) && len(all) > 0 {
			continue // only a part is kept here
		}
		if err != nil {
			tb.Fatal(err)
		}
		for rows := json.NewDecoder(bytes.NewReader(truth)); ; {
			r := Recording{Dir: dir}
			if err := rows.Decode(&r); err == io.EOF {
				break
			} else if err != nil {
				tb.Fatal(err)
			}
			all = append(all, r)
		}
	}
	return all
}

// Type is the name of the data type: queue or stack.
func (r *Recording) Type() string { return strings.TrimPrefix(r.Object, "atomic-") }

// Path is where the log is.
func (r *Recording) Path() string { return filepath.Join(r.Dir, r.File) }

// Read reads the log, with the methods of a theory.
func (r *Recording) Read(tb testing.TB, t *theory.Theory) *history.Execution {
	tb.Helper()
	return ReadLog(tb, t, r.Path())
}

// ReadLog reads a log file.
func ReadLog(tb testing.TB, t *theory.Theory, path string) *history.Execution {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	return read(tb, t, f, path)
}

// Only is a theory with some of its patterns and axioms.
func Only(t *theory.Theory, names []string) *theory.Theory {
	u := *t
	u.Spec.Patterns = slices.DeleteFunc(slices.Clone(u.Spec.Patterns), func(p theory.Pattern) bool { return !slices.Contains(names, p.Name) })
	u.Spec.Axioms = slices.DeleteFunc(slices.Clone(u.Spec.Axioms), func(r theory.Rule) bool { return !slices.Contains(names, r.Name) })
	return &u
}
