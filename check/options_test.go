package check_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

var update = flag.Bool("update", false, "write the table of options in docs/engines.md anew")

// TestOptionsTable: the table in docs/engines.md is that of check.Flags, and every
// option has a field of its own.
func TestOptionsTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| flag | what it does | read by |\n|---|---|---|\n")
	fields := map[any]string{}
	var o check.Options
	for _, f := range check.Flags() {
		by := "all engines"
		if len(f.Engines) > 0 {
			by = strings.Join(f.Engines, ", ")
		}
		fmt.Fprintf(&b, "| `--%s` | %s | %s |\n", f.Name, f.Help, by)
		if f.Field == nil {
			continue
		}
		field := f.Field(&o)
		if other := fields[field]; other != "" {
			t.Errorf("--%s and --%s are one field", f.Name, other)
		}
		fields[field] = f.Name
	}
	path := filepath.Join(historytest.Root(t), "docs", "engines.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "-update -->\n", "<!-- end -->"
	before, rest, _ := strings.Cut(string(text), begin)
	table, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatal("docs/engines.md has no place for the table")
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if table != b.String() {
		t.Errorf("docs/engines.md has another table of options; go test ./check -run TestOptionsTable -update writes it anew. Now:\n%s", b.String())
	}
}
