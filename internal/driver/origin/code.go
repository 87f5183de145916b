package origin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// errNoSource is the error of functions whose source says not all about them.
var errNoSource = errors.New("origin: the source of a function cannot be found, or does not say all that it does")

// OfFuncs is a text that identifies functions of this program by their source and
// all that it imports, in this module and by version. It is an error if the source is
// not to be found, is newer than the program, or does not say all: a function literal
// or method value may depend on variables.
func OfFuncs(ctx context.Context, funcs ...any) (string, error) {
	var dirs, texts []string
	tests := map[string]bool{} // directories whose tests have one of the functions
	for _, f := range funcs {
		v := reflect.ValueOf(f)
		if v.Kind() != reflect.Func || v.IsNil() {
			continue
		}
		code := runtime.FuncForPC(v.Pointer())
		if code == nil {
			return "", errNoSource
		}
		file, line := code.FileLine(code.Entry())
		if !filepath.IsAbs(file) || strings.HasSuffix(code.Name(), "-fm") || !closed(file, line, code.Name()) {
			return "", errNoSource
		}
		dir := filepath.Dir(file)
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		tests[dir] = tests[dir] || strings.HasSuffix(file, "_test.go")
		texts = append(texts, code.Name()+" "+typeText(v.Type()))
	}
	if len(dirs) == 0 {
		return "", errNoSource
	}
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(exe)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		s, err := known(ctx, dir, tests[dir])
		if err != nil {
			return "", err
		}
		if s.newest.After(info.ModTime()) {
			return "", fmt.Errorf("origin: the source in %s is newer than the program", dir)
		}
		texts = append(texts, s.Package, s.Hash, s.Go, moduleText(s.ModFile))
	}
	return strings.Join(append(texts, runtime.Version(), runtime.GOOS, runtime.GOARCH), "\n"), nil
}

// looked are the sources that this process has looked at: *Source by place. It was
// built of what they were before.
var looked sync.Map

type place struct {
	dir   string
	tests bool
}

func known(ctx context.Context, dir string, tests bool) (*Source, error) {
	if s, ok := looked.Load(place{dir, tests}); ok {
		return s.(*Source), nil
	}
	s, err := packages(ctx, dir, ".", tests)
	if err == nil {
		looked.Store(place{dir, tests}, s)
	}
	return s, err
}

// typeText is a type with the paths of the packages of its results.
func typeText(t reflect.Type) string {
	s := t.String()
	for i := range t.NumOut() {
		out := t.Out(i)
		for out.Kind() == reflect.Pointer {
			out = out.Elem()
		}
		s += " " + out.PkgPath() + "." + out.Name()
	}
	return s
}

// moduleText is the hash of a go.mod and the files beside it that say what the go
// command makes of it.
func moduleText(mod string) string {
	h := sha256.New()
	for _, file := range []string{mod, strings.TrimSuffix(mod, "mod") + "sum", filepath.Join(filepath.Dir(mod), "vendor", "modules.txt")} {
		text, _ := os.ReadFile(file)
		fmt.Fprintln(h, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// closed reports whether a function uses no variables of a function around it. It is
// one that begins in this line of the file.
func closed(file string, line int, name string) bool {
	if _, literal, ok := strings.Cut(name, ".func"); !ok || literal == "" {
		return true
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: nobody{}, Error: func(error) {}} // one file knows its own functions' variables
	_, _ = config.Check(f.Name.Name, fset, []*ast.File{f}, &info)
	found, free := false, false
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok || fset.Position(lit.Pos()).Line != line {
			return true
		}
		found = true
		for id, o := range info.Uses {
			v, ok := o.(*types.Var)
			inside := id.Pos() >= lit.Pos() && id.Pos() < lit.End()
			free = free || inside && ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && (v.Pos() < lit.Pos() || v.Pos() >= lit.End())
		}
		return true
	})
	return found && !free
}

// nobody imports nothing.
type nobody struct{}

func (nobody) Import(path string) (*types.Package, error) { return nil, errNone }

// newest is the later of two times.
func newest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
