package source

import (
	"bytes"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/adtinfer/adtinfer/explore/internal/standard"
)

// replaced is what is laid over a folder of the Go installation.
type replaced struct {
	files   []string
	imports []string // of these
}

// overlay is what is laid over a Go installation.
type overlay struct {
	texts   map[string][]byte
	folders map[string]*replaced
}

// overlays has those of Go installations that were met.
var overlays sync.Map

// overlayOf is that of an installation.
func overlayOf(goroot string) (*overlay, error) {
	if o, ok := overlays.Load(goroot); ok {
		return o.(*overlay), nil
	}
	texts, err := standard.Overlay(goroot)
	if err != nil {
		return nil, fail("the Go installation in %s cannot be read: %v", goroot, err)
	}
	o := &overlay{texts, map[string]*replaced{}}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		r := o.folders[filepath.Dir(name)]
		if r == nil {
			r = &replaced{}
			o.folders[filepath.Dir(name)] = r
		}
		if left(texts[name]) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, texts[name], parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		r.files = append(r.files, name)
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value) // parsed
			r.imports = append(r.imports, path)
		}
	}
	overlays.Store(goroot, o)
	return o, nil
}

// left reports whether a file is left out.
func left(text []byte) bool { return bytes.HasPrefix(text, []byte("//go:build ignore\n")) }

// layOver replaces files of the Go installation that packages were listed from. It is
// not left to the go command, which then takes ten times as long. list lists further
// packages, which the files import.
func (l *loader) layOver(root *listed, list func(patterns []string) ([]*listed, error)) error {
	all := map[string]*listed{}
	merge(all, root)
	goroot := ""
	for _, p := range all {
		if suffix := filepath.Join("src", filepath.FromSlash(p.PkgPath)); isStandard(p) && len(p.GoFiles) > 0 {
			goroot, _ = strings.CutSuffix(filepath.Dir(p.GoFiles[0]), string(filepath.Separator)+suffix)
			break
		}
	}
	if goroot == "" {
		return nil // nothing of it is used
	}
	o, err := overlayOf(goroot)
	if err != nil {
		return err
	}
	l.overlay = o.texts
	done := map[*listed]bool{}
	for {
		missing := map[string]bool{}
		for _, p := range all {
			if r := o.folders[folder(p)]; r != nil && isStandard(p) && !done[p] && l.replace(p, r, all, missing) {
				done[p] = true
			}
		}
		if len(missing) == 0 {
			return nil
		}
		more, err := list(slices.Sorted(maps.Keys(missing)))
		if err != nil {
			return err
		}
		merge(all, more...)
		for path := range missing {
			if all[path] == nil {
				return fail("the Go installation in %s has no package %s", goroot, path)
			}
		}
	}
}

// merge adds packages with all that they import; there is one of each name.
func merge(all map[string]*listed, roots ...*listed) {
	packages.Visit(roots, nil, func(p *listed) {
		for path, d := range p.Imports {
			p.Imports[path] = all[d.ID]
		}
		if all[p.ID] == nil {
			all[p.ID] = p
		}
	})
}

func folder(p *listed) string {
	if len(p.GoFiles) == 0 {
		return ""
	}
	return filepath.Dir(p.GoFiles[0])
}

// replace replaces files of a package, unless packages that they import are missing.
func (l *loader) replace(p *listed, r *replaced, all map[string]*listed, missing map[string]bool) bool {
	imports := map[string]*listed{}
	complete := true
	for _, path := range r.imports {
		if imports[path] = all[path]; all[path] == nil {
			missing[path], complete = true, false
		}
	}
	if !complete {
		return false
	}
	if !standard.Replaces(p.PkgPath) {
		maps.Copy(imports, p.Imports)
	}
	p.Imports = imports
	p.GoFiles = slices.DeleteFunc(p.GoFiles, func(name string) bool { return left(l.overlay[name]) })
	for _, name := range r.files {
		if !slices.Contains(p.GoFiles, name) {
			p.GoFiles = append(p.GoFiles, name)
		}
	}
	return true
}
