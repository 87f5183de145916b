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

// readers are the packages that read other people's Go programs.
var readers = []string{"explore/internal/source", "explore/internal/lower", "explore/internal/source"}

// maxPage is how many lines a page has.
const maxPage = 80

// TestArchitecture holds docs/packages.md against the code: every package is in its
// tables, and imports only packages before it. ARCHITECTURE.md is one page, and names no
// package that is not there.
func TestArchitecture(t *testing.T) {
	const module = "github.com/adtinfer/adtinfer/"
	root := projectRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "docs/packages.md"))
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(string(text), -1) {
		for _, name := range strings.Split(row[1], ", ") {
			table = append(table, strings.Trim(name, "`"))
		}
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
			t.Errorf("docs/packages.md does not name package %s", name)
			continue
		}
		for _, i := range words[1:] {
			if strings.HasPrefix(i, "golang.org/x/tools/") && !slices.Contains(readers, name) {
				t.Errorf("package %s imports %s; only %v read Go programs", name, i, readers)
			}
			if i, ours := strings.CutPrefix(i, "our:"); ours && slices.Index(table, i) >= row {
				t.Errorf("package %s imports %s, which comes after it in docs/packages.md", name, i)
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(page), "\n"); n > maxPage {
		t.Errorf("ARCHITECTURE.md has %d lines, more than %d", n, maxPage)
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(string(page), -1) {
		for _, name := range strings.Split(row[1], ", ") {
			name = strings.TrimSuffix(strings.Trim(name, "`"), "/...")
			if !slices.ContainsFunc(table, func(p string) bool { return p == name || strings.HasPrefix(p, name+"/") }) {
				t.Errorf("ARCHITECTURE.md names %s, and there is no such package", name)
			}
		}
	}
}
