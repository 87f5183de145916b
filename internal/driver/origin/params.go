package origin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Params are the names of the parameters that the methods of a type have in the source of
// a package, by method; those in files that cannot be read are left out. A context is no
// parameter.
func Params(dir, typeName string) map[string][]string {
	all := map[string][]string{}
	for _, file := range sources(dir) {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && LocalType(fn.Recv.List[0].Type) == typeName {
				all[fn.Name.Name] = paramNames(fn.Type)
			}
		}
	}
	return all
}

// sources are the files of a package that can be read, without tests.
func sources(dir string) (all []*ast.File) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		if file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f.Name()), nil, parser.SkipObjectResolution); err == nil {
			all = append(all, file)
		}
	}
	return all
}

// LocalType is the type that T, *T, T[K] or *T[K] names, if it has no package.
func LocalType(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func paramNames(t *ast.FuncType) (names []string) {
	for _, p := range t.Params.List {
		if s, ok := p.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Context" {
			continue
		}
		for _, n := range p.Names {
			names = append(names, n.Name)
		}
		if len(p.Names) == 0 {
			names = append(names, "")
		}
	}
	return names
}
