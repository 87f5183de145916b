package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/internal/host/files"
)

// witnesses writes the evidence for logs that were checked.
type witnesses struct {
	st    streams
	path  string
	into  bool            // path is a directory
	names map[string]bool // of files written there
}

// newWitnesses is for --witness; nil without it. A single log has its evidence in
// the file that is named; several have theirs in a directory.
func newWitnesses(st streams, path, log string, single bool) (*witnesses, error) {
	if path == "" {
		return nil, nil
	}
	w := &witnesses{st: st, path: path, names: map[string]bool{}}
	w.into = files.IsDir(path) || strings.HasSuffix(path, string(filepath.Separator)) || !single
	switch {
	case w.into:
		if err := os.MkdirAll(path, 0o777); err != nil {
			return nil, usagef("--witness: cannot write into %s: %w", path, files.Cause(err))
		}
	case !files.IsDir(filepath.Dir(path)):
		return nil, usagef("--witness: cannot write %s: there is no directory %s", path, filepath.Dir(path))
	case sameFile(path, log):
		return nil, usagef("--witness: %s is the log, and the evidence would overwrite it", path)
	}
	return w, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// write writes the evidence of a report, or says why there is none.
func (w *witnesses) write(ctx context.Context, r check.Report) error {
	switch {
	case w == nil || r.Err != nil:
		return nil
	case r.Evidence == nil:
		object := ""
		if r.Object != "" {
			object = fmt.Sprintf("object %q: ", r.Object)
		}
		fmt.Fprintf(w.st.err, "adtinfer: %s: %sno evidence: %s\n", r.Name, object, message(fmt.Errorf("%s", cmp.Or(r.Unproved, r.Result.Detail))))
		return nil
	}
	dir, name := filepath.Dir(w.path), filepath.Base(w.path)
	switch {
	case w.into:
		dir, name = w.path, w.unused(ofObject(filepath.Base(r.Name), r.Object))
	case r.Object != "":
		name = w.unused(ofObject(name, r.Object))
	}
	return files.Write(ctx, filepath.Join(dir, name), func(out io.Writer) error { return evidence.Write(out, r.Evidence) })
}

// unused is a name for the evidence of a log: that of the log's file, with a number
// if there are several of that name.
func (w *witnesses) unused(base string) string {
	base = strings.TrimSuffix(base, ".evidence")
	name := base + ".evidence"
	for n := 2; w.names[name]; n++ {
		name = fmt.Sprintf("%s-%d.evidence", base, n)
	}
	w.names[name] = true
	return name
}

// ofObject is a file's name with that of an object, as far as files may have it.
func ofObject(name, object string) string {
	if object == "" {
		return name
	}
	safe := strings.Map(func(c rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, c) || !unicode.IsPrint(c) {
			return '_'
		}
		return c
	}, object)
	return strings.TrimSuffix(name, ".evidence") + "-" + strings.ToValidUTF8(safe[:min(len(safe), 100)], "")
}
