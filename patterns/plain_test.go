package patterns_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// The examples as packages that have never heard of adtinfer, built and run in
// a child process: the same patterns come out.
func TestPlainCopiesOfTheExamples(t *testing.T) {
	want := expected(t)
	for _, c := range types {
		t.Run(c.name, func(t *testing.T) {
			testsize.NeedsLong(t) // builds a program
			pkg, err := reference.Load(context.Background(), plainCopy(t, c.name), reference.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer pkg.Close()
			th, err := patterns.Infer(context.Background(), pkg.Implementation, reference.Info{}, patterns.Options{CrossLength: 3})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[c.name], lines(t, th)); diff != "" {
				t.Errorf("patterns (-want +got):\n%s", diff)
			}
		})
	}
}

// plainCopy writes an example without its Spec into a module of its own.
func plainCopy(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("../examples", name, name+".go"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, ok := strings.Cut(string(src), "// Spec says")
	if !ok {
		t.Fatalf("%s has no Spec where it was expected", name)
	}
	text = strings.Replace(text, "\n\t\"github.com/adtinfer/adtinfer/reference\"\n", "", 1)
	dir := t.TempDir()
	for file, content := range map[string]string{"plain.go": text, "go.mod": "module plain\n\ngo 1.21\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
