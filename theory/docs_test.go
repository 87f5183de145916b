package theory

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocumentedExample: the example of docs/formats.md is a theory in
// canonical form.
func TestDocumentedExample(t *testing.T) {
	doc, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n## Theory files\n")
	_, example, _ := strings.Cut(section, "```yaml\n")
	example, _, ok := strings.Cut(example, "```\n")
	if !ok {
		t.Fatal("no example")
	}
	if diff := cmp.Diff(example, written(t, mustRead(t, example))); diff != "" {
		t.Errorf("-documented +written:\n%s", diff)
	}
}
