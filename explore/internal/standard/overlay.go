package standard

import (
	"bytes"
	"embed"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Folder _std has whole packages, _files single files of others, by their names, and _funcs
// functions, by theirs.
//
//go:embed _std _files _funcs
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
	if err := add("_files", ""); err != nil {
		return nil, err
	}
	return files, rename(goroot, files, add)
}

// function finds the name of a function where it is declared.
var function = wording.Regexp(`(?m)^func (\w+)`)

// rename adds the functions of _funcs. Those that they replace get another name, under
// which nobody calls them.
func rename(goroot string, files map[string][]byte, add func(folder, prefix string) error) error {
	before := maps.Clone(files)
	if err := add("_funcs", added); err != nil {
		return err
	}
	ours := map[string]bool{} // dir.name
	for name, text := range files {
		if _, ok := before[name]; !ok {
			for _, f := range function().FindAllSubmatch(text, -1) {
				ours[filepath.Dir(name)+"."+string(f[1])] = true
			}
		}
	}
	return fs.WalkDir(replaced, "_funcs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		dir := filepath.Join(goroot, "src", filepath.FromSlash(strings.TrimPrefix(name, "_funcs")))
		list, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, name := range list {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			replaced := function().ReplaceAllFunc(text, func(f []byte) []byte {
				if ours[dir+"."+string(f[len("func "):])] {
					return append([]byte("func replaced_"), f[len("func "):]...)
				}
				return f
			})
			if !bytes.Equal(text, replaced) {
				files[name] = replaced
			}
		}
		return nil
	})
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
