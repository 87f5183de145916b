package theory

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocumentedExample: the examples of docs/formats.md are theories in
// canonical form.
func TestDocumentedExample(t *testing.T) {
	doc, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n## Theory files\n")
	section, _, _ = strings.Cut(section, "\n## ")
	examples := strings.Split(section, "```yaml\n")[1:]
	if len(examples) != 3 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, example := range examples {
		example, _, _ = strings.Cut(example, "```\n")
		if diff := cmp.Diff(example, written(t, mustRead(t, example))); diff != "" {
			t.Errorf("-documented +written:\n%s", diff)
		}
	}
}
