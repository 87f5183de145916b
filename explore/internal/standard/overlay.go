package standard

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folder _std has whole packages, _files single files of others, by their names.
//
//go:embed _std _files
var replaced embed.FS

const (
	// ignored is a file that does not count.
	ignored = "//go:build ignore\n\npackage ignored\n"
	added   = "explored_" // begins the names of files of packages that are replaced
)

// Overlay maps files of a Go installation to what is loaded in their place.
func Overlay(goroot string) (map[string][]byte, error) {
	files := map[string][]byte{}
	add := func(folder, prefix string) error {
		return fs.WalkDir(replaced, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			dir, file := path.Split(strings.TrimPrefix(name, folder+"/"))
			text, err := replaced.ReadFile(name)
			files[filepath.Join(goroot, "src", filepath.FromSlash(dir), prefix+file)] = text
			return err
		})
	}
	if err := add("_std", added); err != nil {
		return nil, err
	}
	for dir := range dirs(files) {
		there, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, f := range there {
			if strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go") {
				files[filepath.Join(dir, f.Name())] = []byte(ignored)
			}
		}
	}
	return files, add("_files", "")
}

// Replaces reports whether a package is replaced as a whole.
func Replaces(pkg string) bool {
	list, err := replaced.ReadDir("_std/" + pkg)
	return err == nil && slices.ContainsFunc(list, func(f fs.DirEntry) bool { return !f.IsDir() })
}

func dirs(files map[string][]byte) map[string]bool {
	all := map[string]bool{}
	for f := range files {
		all[filepath.Dir(f)] = true
	}
	return all
}
