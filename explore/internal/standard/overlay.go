package standard

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed _std
var replaced embed.FS

// ignored is a file that does not count.
const ignored = "//go:build ignore\n\npackage ignored\n"

// Overlay maps files of a Go installation to what is loaded in their place. The packages of
// folder _std are replaced as a whole.
func Overlay(goroot string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(replaced, "_std", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		dir, file := path.Split(strings.TrimPrefix(name, "_std/"))
		dir = filepath.Join(goroot, "src", filepath.FromSlash(dir))
		text, err := replaced.ReadFile(name)
		files[filepath.Join(dir, "explored_"+file)] = text
		return err
	})
	if err != nil {
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
	return files, nil
}

func dirs(files map[string][]byte) map[string]bool {
	all := map[string]bool{}
	for f := range files {
		all[filepath.Dir(f)] = true
	}
	return all
}
