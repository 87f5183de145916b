package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestDocs compares the table of docs/types.md with the golden table; -update writes it again.
func TestDocs(t *testing.T) {
	path := filepath.Join(historytest.Root(t), "docs/types.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(generated.FindAllString(string(text), -1)); n != 1 {
		t.Fatalf("%s has %d places for a table of types, want 1", path, n)
	}
	fresh := generated.ReplaceAllLiteralString(string(text), begin+"\n"+full()+end)
	if *update {
		if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if fresh != string(text) {
		t.Errorf("go test ./internal/testing/golden -run TestDocs -update would change %s:\n%s", path, cmp.Diff(string(text), fresh))
	}
}

const begin, end = "<!-- types: go test ./internal/testing/golden -update -->", "<!-- end of types -->"

var generated = regexp.MustCompile("(?s)" + begin + ".*?" + end)

// note is what a row says of a refused type.
func note(t Type) string {
	if t.Out != "refused" {
		return ""
	}
	return fmt.Sprintf(" (%s; instead: %s)", t.Loads, t.Instead)
}

// full is a row for each type.
func full() string {
	var b strings.Builder
	b.WriteString("| type | flags | comes out as |\n|---|---|---|\n")
	for _, typ := range Types() {
		flags := ""
		if typ.Flags != "" {
			flags = "`" + typ.Flags + "`"
		}
		fmt.Fprintf(&b, "| [%s](../internal/testing/golden/testdata/types/%s/%s.go) | %s | %s%s |\n",
			typ.What, typ.Package, typ.Package, flags, typ.Out, note(typ))
	}
	return b.String()
}
