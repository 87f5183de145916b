package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// file is a generated file: a name in the output directory, and contents.
type file struct {
	name string
	data []byte
}

// writeFiles writes all files or, as far as the file system allows, none: each
// is written under another name first, and put in place once all are there.
func writeFiles(dir string, files []file) (err error) {
	var temps []string
	defer func() {
		for _, t := range temps {
			os.Remove(t)
		}
	}()
	for _, f := range files {
		if path := filepath.Join(dir, f.name); isDir(path) {
			return usagef("cannot write %s: a directory is in the way", path)
		}
		t, err := writeTemp(dir, f)
		if err != nil {
			return usagef("cannot write %s: %w", filepath.Join(dir, f.name), cause(err))
		}
		temps = append(temps, t)
	}
	for i, f := range files {
		if err := os.Rename(temps[i], filepath.Join(dir, f.name)); err != nil {
			return usagef("cannot write %s: %w", filepath.Join(dir, f.name), cause(err))
		}
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// cause is an error without the temporary file's name, which says nothing to
// the user.
func cause(err error) error {
	var (
		path *os.PathError
		link *os.LinkError
	)
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

func writeTemp(dir string, f file) (name string, err error) {
	t, err := os.CreateTemp(dir, "."+f.name+".*")
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.data)
	if err == nil {
		err = t.Chmod(0o644)
	}
	if closeErr := t.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(t.Name())
	}
	return t.Name(), err
}

// stale compares generated files with those in the directory and returns a
// diff; it is empty if they are up to date.
func stale(dir string, files []file) ([]byte, error) {
	var d bytes.Buffer
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		old, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return nil, usagef("cannot read %s: %w", path, cause(err))
		}
		if err != nil {
			fmt.Fprintf(&d, "%s is missing\n", path)
			continue
		}
		old = bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")) // as git may have made it
		d.Write(diff.Diff(path, old, path+" (regenerated)", f.data))
	}
	return d.Bytes(), nil
}
