package lower

import (
	"go/build"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/standard"
)

// load loads a package; each exported function is an operation, but for New.
func load(t *testing.T, dir, pattern string) *source.Package {
	t.Helper()
	overlay, err := standard.Overlay(build.Default.GOROOT)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Overlay: overlay, Dir: dir, Fset: token.NewFileSet(), Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")}
	list, err := packages.Load(cfg, pattern)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(list) > 0 {
		t.Fatalf("%s does not compile", pattern)
	}
	prog, pkgs := ssautil.AllPackages(list, ssa.InstantiateGenerics)
	p := pkgs[0]
	p.Build()
	out := &source.Package{Path: p.Pkg.Path(), Name: p.Pkg.Name(), Prog: prog, Root: dir}
	seen := map[*packages.Package]bool{}
	var visit func(q *packages.Package)
	visit = func(q *packages.Package) {
		if seen[q] {
			return
		}
		seen[q] = true
		for _, name := range sortedKeys(q.Imports) {
			visit(q.Imports[name])
		}
		if s := prog.Package(q.Types); s != nil {
			out.Packages = append(out.Packages, s)
		}
	}
	visit(list[0])
	for _, name := range sortedKeys(p.Members) {
		fn, ok := p.Members[name].(*ssa.Function)
		if !ok || !token.IsExported(name) || fn.TypeParams() != nil {
			continue
		}
		if name == "New" {
			out.New = fn
			continue
		}
		op := source.Op{Method: name, GoName: name, Func: fn, Results: resultTypes(fn.Signature)}
		for i := range fn.Signature.Params().Len() {
			op.Params = append(op.Params, fn.Signature.Params().At(i).Type())
		}
		out.Ops = append(out.Ops, op)
	}
	if out.New == nil {
		t.Fatal("no function New")
	}
	return out
}

// loadText loads a package of one file.
func loadText(t *testing.T, text string) *source.Package {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/p\n\ngo 1.24\n")
	write("p.go", text)
	return load(t, dir, ".")
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
