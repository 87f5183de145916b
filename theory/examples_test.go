package theory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func exampleTheories(t testing.TB) []string {
	files, err := filepath.Glob("../examples/*/*.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no theories in ../examples")
	}
	return files
}

// TestExamples: the inferred theories of the examples are in canonical form and
// have the form that the schema describes.
func TestExamples(t *testing.T) {
	s := compiledSchema(t)
	for _, file := range exampleTheories(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			th, err := Read(strings.NewReader(string(text)), file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(text), written(t, th)); diff != "" {
				t.Errorf("-file +written:\n%s", diff)
			}
			if err := validate(s, string(text)); err != nil {
				t.Error(err)
			}
		})
	}
}

// BenchmarkRead reads the largest theory at hand.
func BenchmarkRead(b *testing.B) {
	var text string
	for _, file := range exampleTheories(b) {
		if t, err := os.ReadFile(file); err == nil && len(t) > len(text) {
			text = string(t)
		}
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(strings.NewReader(text), "x.yaml"); err != nil {
			b.Fatal(err)
		}
	}
}
