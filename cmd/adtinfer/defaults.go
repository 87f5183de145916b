package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/host/files"
)

// This file says what is meant where a flag is missing.

// nearbyReference is the package in the working directory; "" if there is none.
func nearbyReference() string {
	code, _ := filepath.Glob("*.go")
	if slices.ContainsFunc(code, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
		return "."
	}
	return ""
}

// nearbyTheory takes the only theory in the working directory, or else beside the first log,
// or in the first directory of logs, where no specification is given, and says so. It takes
// none of several.
func (o *checkOptions) nearbyTheory(st streams, logs []string) error {
	if o.theory != "" || o.ref != "" || o.Model != "" || o.commit {
		return nil
	}
	dirs := []string{"."}
	switch {
	case len(logs) == 0 || logs[0] == "-":
	case files.IsDir(logs[0]):
		dirs = append(dirs, logs[0])
	default:
		dirs = append(dirs, filepath.Dir(logs[0]))
	}
	for _, dir := range dirs {
		found, _ := fs.Glob(os.DirFS(dir), "*.theory.yaml")
		for i := range found {
			found[i] = filepath.Join(dir, found[i])
		}
		switch {
		case len(found) == 1:
			o.theory = found[0]
			fmt.Fprintf(st.err, "note: checked against %s, the only theory there; --theory names another\n", o.theory)
			return nil
		case len(found) > 1:
			return usagef("no specification given, and there are several theories: use --theory with one of %s", strings.Join(found, ", "))
		}
	}
	return nil
}

// documentHint says which file is meant by a name of a theory's document.
func documentHint(name string) string {
	base, ok := strings.CutSuffix(name, ".md")
	if !ok {
		return ""
	}
	return fmt.Sprintf("\nhint: %s is for people to read; the theory is %s.theory.yaml", name, strings.TrimSuffix(base, ".patterns"))
}
