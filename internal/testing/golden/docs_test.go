package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestDocs compares the tables in the documents with the golden table; -update
// writes them again.
func TestDocs(t *testing.T) {
	for path, table := range map[string]string{"docs/infer.md": groups(), "docs/types.md": full()} {
		path = filepath.Join(historytest.Root(t), path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(generated.FindAllString(string(text), -1)); n != 1 {
			t.Errorf("%s has %d places for a table of types, want 1", path, n)
			continue
		}
		fresh := generated.ReplaceAllLiteralString(string(text), begin+"\n"+table+end)
		if *update {
			if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if fresh != string(text) {
			t.Errorf("go test ./internal/testing/golden -run TestDocs -update would change %s:\n%s", path, cmp.Diff(string(text), fresh))
		}
	}
}

const begin, end = "<!-- types: go test ./internal/testing/golden -update -->", "<!-- end of types -->"

var generated = regexp.MustCompile("(?s)" + begin + ".*?" + end)

// outs are what types come out as, in the order and the words of the documents.
var outs = []struct{ out, words string }{
	{"patterns", "patterns"},
	{"patterns, counters", "patterns for values, counters for the rest"},
	{"product", "a product by key"},
	{"automaton", "an automaton"},
	{"counters", "counters"},
	{"model", "the reference as model"},
	{"refused", "refused"},
}

// groups is the short table: a row for the types of one kind that come out alike.
func groups() string {
	var b strings.Builder
	b.WriteString("| your types | come out as |\n|---|---|\n")
	for _, o := range outs {
		var kinds []string
		what := map[string][]string{}
		for _, t := range Types() {
			if t.Out != o.out {
				continue
			}
			if !slices.Contains(kinds, t.Kind) {
				kinds = append(kinds, t.Kind)
			}
			if w := t.What + note(t); !slices.Contains(what[t.Kind], w) {
				what[t.Kind] = append(what[t.Kind], w)
			}
		}
		for _, k := range kinds {
			fmt.Fprintf(&b, "| **%s**: %s | %s |\n", k, strings.Join(what[k], ", "), o.words)
		}
	}
	return b.String()
}

// note is what a row says of a refused type.
func note(t Type) string {
	if t.Out != "refused" {
		return ""
	}
	return fmt.Sprintf(" (%s; instead: %s)", t.Loads, t.Instead)
}

// full is a row for each type, with what it does.
func full() string {
	var b strings.Builder
	b.WriteString("| type | flags | comes out as | its states are | for example |\n|---|---|---|---|---|\n")
	for _, typ := range Types() {
		flags := ""
		if typ.Flags != "" {
			flags = "`" + typ.Flags + "`"
		}
		fmt.Fprintf(&b, "| [%s](../internal/testing/golden/testdata/types/%s/%s.go) | %s | %s%s | %s | `%s` |\n",
			typ.What, typ.Package, typ.Package, flags, typ.Out, note(typ), typ.States, typ.Example)
	}
	return b.String()
}
