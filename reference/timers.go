package reference

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// timerFuncs make what may wake a goroutine without another one. A goroutine that
// sleeps can be told from one that waits.
var timerFuncs = map[string][]string{
	"time":    {"After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
	"context": {"WithTimeout", "WithDeadline", "WithTimeoutCause", "WithDeadlineCause"},
}

// outward are packages of the standard library, and what is below them, through
// which the clock or the system may wake a goroutine.
var outward = []string{"C", "net", "os", "database", "syscall", "testing", "log/syslog"}

// timers reports whether a call of the package that waits may be woken by anything
// but a goroutine: then it is not known that it waits for ever. Packages outside
// the standard library that it imports are looked into, too.
func (l *loader) timers(ctx context.Context, p *listed, d *declarations) bool {
	foreign := false
	for _, path := range d.imports {
		first, _, _ := strings.Cut(path, "/")
		module := p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
		foreign = foreign || strings.Contains(first, ".") || module
	}
	if !foreign {
		return timersIn(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles))
	}
	out, err := l.goCommand(ctx, p.host, "list", "-deps", "-json=Dir,Standard,ImportPath,GoFiles,CgoFiles", p.ImportPath)
	if err != nil {
		return true
	}
	for in := json.NewDecoder(strings.NewReader(out)); ; {
		var dep listed
		if err := in.Decode(&dep); err != nil {
			return !errors.Is(err, io.EOF)
		}
		ours := dep.ImportPath == specPath || strings.HasPrefix(dep.ImportPath, strings.TrimSuffix(specPath, "reference"))
		if !dep.Standard && !ours && timersIn(dep.Dir, slices.Concat(dep.GoFiles, dep.CgoFiles)) {
			return true
		}
	}
}

// timersIn looks into the files of a package.
func timersIn(dir string, files []string) bool {
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil || hasTimers(f) {
			return true
		}
	}
	return false
}

func hasTimers(f *ast.File) bool {
	names := map[string][]string{}
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, "`\"")
		first, _, _ := strings.Cut(path, "/")
		switch {
		case slices.Contains(outward, first) && path != "os", slices.Contains(outward, path) && path != "os":
			return true
		case timerFuncs[path] != nil && i.Name != nil && i.Name.Name == ".":
			return true
		case i.Name != nil:
			names[i.Name.Name] = timerFuncs[path]
		default:
			names[path] = timerFuncs[path]
		}
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			found = found || ok && slices.Contains(names[x.Name], s.Sel.Name)
		}
		return !found
	})
	return found
}
