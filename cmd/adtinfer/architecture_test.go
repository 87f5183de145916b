package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitecture holds ARCHITECTURE.md against the code: every package is in
// its table, and imports only packages above it.
func TestArchitecture(t *testing.T) {
	const module = "github.com/adtinfer/adtinfer/"
	root := projectRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		table = append(table, m[1])
	}
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(strings.ReplaceAll(p, module, "our:"))
		name := strings.TrimPrefix(words[0], "our:")
		row := slices.Index(table, name)
		if row < 0 {
			t.Errorf("ARCHITECTURE.md has no row for package %s", name)
			continue
		}
		for _, i := range words[1:] {
			if i, ours := strings.CutPrefix(i, "our:"); ours && slices.Index(table, i) >= row {
				t.Errorf("package %s imports %s, which is below it in ARCHITECTURE.md", name, i)
			}
		}
	}
}
