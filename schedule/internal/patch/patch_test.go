package patch

import (
	"errors"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// changed are the changed files of the installed Go; without them the test is skipped.
func changed(t *testing.T) map[string]string {
	t.Helper()
	if !slices.Contains(build.Default.ReleaseTags, "go1.25") {
		t.Skip("this Go is older than schedules")
	}
	all, err := Files(goroot(t), "amd64")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestFiles holds that all anchors are there in the installed Go, and that what comes of it is Go.
func TestFiles(t *testing.T) {
	all := changed(t)
	for name, text := range all {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
	if len(all) < 30 {
		t.Errorf("%d files", len(all))
	}
}

// TestMissing takes each anchor away in turn: it is missed by its name.
func TestMissing(t *testing.T) {
	if !testsize.Long() {
		t.Skip("takes seconds")
	}
	all := changed(t)
	root, installed := t.TempDir(), goroot(t)
	for name := range all {
		text, err := os.ReadFile(filepath.Join(installed, "src", name))
		if os.IsNotExist(err) {
			continue // added
		}
		file := filepath.Join(root, "src", name)
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range slices.Concat(scheduling, views, chances, channels, tests) {
		if e.optional {
			continue
		}
		file := filepath.Join(root, "src", e.file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		anchor, without := e.find, ""
		if anchor == "" {
			_, method, isMethod := strings.Cut(e.decl, ".")
			if anchor, without = e.decl, "other"; isMethod {
				anchor, without = ") "+method+"(", ") other("
			}
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), anchor, without)), 0o644); err != nil {
			t.Fatal(err)
		}
		var missing *Missing
		if _, err := Files(root, "amd64"); !errors.As(err, &missing) {
			if err == nil { // no Go any more is refused as well
				t.Errorf("%s without %q is changed as if nothing were missing", e.file, anchor)
			}
		} else if missing.File != e.file {
			t.Errorf("%s without %q: %v", e.file, anchor, missing)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
